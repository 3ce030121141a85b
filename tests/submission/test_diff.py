import random
import time

import pytest

from inspect_agentbench.submission import diff
from inspect_agentbench.submission.diff import MAX_DIFF_CHARACTERS

BEFORE = {"a.py": b"one\ntwo\nthree\n", "b.py": b"same\n"}


def test_changed_added_and_removed_files_are_named() -> None:
    """Only what differs is listed, whatever became of it."""
    after = {"a.py": b"one\n2\nthree\n", "c.py": b"new\n"}
    found = diff(BEFORE, after)
    assert found.files == ("a.py", "b.py", "c.py")
    assert "-two\n+2\n" in found.text
    assert "+++ /dev/null" in found.text


def test_no_change_is_an_empty_diff() -> None:
    """An agent that did nothing has touched nothing."""
    assert diff(BEFORE, dict(BEFORE)) == ("", 0, ())


@pytest.mark.parametrize(("line", "changed"), [(b"-- comment", 1), (b"++ x", 1), (b"--", 1), (b"@@", 1)])
def test_lines_that_look_like_a_header_are_counted(line: bytes, changed: int) -> None:
    """The count is of lines, whatever they hold."""
    assert diff({"q.sql": b"a\nb\n"}, {"q.sql": b"a\n" + line + b"\nb\n"}).lines == changed
    assert diff({"q.sql": b"a\n" + line + b"\nb\n"}, {"q.sql": b"a\nb\n"}).lines == changed


def test_bytes_that_are_no_text_are_escaped() -> None:
    """A diff is text for a log: no raw control bytes of the line ends, no undecodable ones."""
    text = diff({}, {"x": b"\xff\r\n"}).text
    assert "\\xff\\r" in text


def test_a_long_diff_is_cut_but_counted_whole() -> None:
    """A log holds a part, the number is of all."""
    found = diff({}, {"x": b"line\n" * 50_000})
    assert found.lines == 50_001
    assert len(found.text) < MAX_DIFF_CHARACTERS + 100
    assert "[cut: the diff has" in found.text


def hostile_files() -> dict[str, tuple[bytes, bytes]]:
    lines = [b"line %d" % (n % 150) for n in range(3000)]
    shuffled = random.Random(1).sample(lines, len(lines))
    return {
        "shuffled repetitions": (b"\n".join(lines), b"\n".join(shuffled)),
        "one line over and over": (b"x\n" * 150, b"x\n" * 400_000),
        "alternating": (b"x\ny\n" * 99, b"y\nx\n" * 99),
        "reversed": (b"\n".join(b"%d" % n for n in range(4000)), b"\n".join(b"%d" % -n for n in range(4000))),
        "under the limit for popular lines": (
            b"\n".join(b"%d" % (n % 110) for n in range(2000)),
            b"\n".join(b"%d" % (n * 7 % 110) for n in range(100_000)),
        ),
    }


@pytest.mark.parametrize("name", hostile_files())
def test_no_submission_can_stall_the_diff(name: str) -> None:
    """Matching lines may take cubic time; a submission that would is shown as written anew."""
    before, after = hostile_files()[name]
    started = time.monotonic()
    assert diff({"x": before}, {"x": after}).lines > 0
    assert time.monotonic() - started < 5
