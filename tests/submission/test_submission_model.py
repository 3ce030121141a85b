import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspect_agentbench.bank import Family
from inspect_agentbench.errors import AgentbenchError
from inspect_agentbench.submission import (
    MAX_FILE_BYTES,
    MAX_FILES,
    Submission,
    from_data,
    from_folder,
    to_data,
)
from inspect_agentbench.submission import model as submission_model

FILES = st.dictionaries(st.text(st.characters(codec="utf-8"), max_size=5), st.binary(max_size=20), max_size=3)


@given(FILES, st.lists(st.text(max_size=5), max_size=2))
def test_a_saved_submission_comes_back_byte_for_byte(files: dict[str, bytes], facts: list[str]) -> None:
    """Text or not, what was submitted is what is graded again."""
    submission = Submission(files, tuple(facts))
    assert from_data(to_data(submission), "log") == submission


@given(
    st.recursive(st.none() | st.integers() | st.text(), lambda v: st.lists(v) | st.dictionaries(st.text(), v))
)
def test_a_damaged_submission_is_one_clear_error(data: Any) -> None:
    """Whatever stands in a log, reading it gives a submission or one AgentbenchError that names the place."""
    for damaged in (data, {"files": data, "facts": [], "sha256": ""}, {"files": {"a": data}, "facts": data}):
        with pytest.raises(AgentbenchError, match=r"sample 3"):
            from_data(damaged, "sample 3")


@pytest.mark.parametrize("path", ["adder.py", "caf\udce9.py", "\ud800.py"])
def test_a_changed_submission_is_refused(path: str) -> None:
    """The hash stands beside the files, so an edit by hand is found, also one that has no hash."""
    data = to_data(Submission({"adder.py": b"right"}))
    data["files"] = {path: {"text": "wrong"}}
    with pytest.raises(AgentbenchError, match=r"log\.eval: the saved submission (was changed|is damaged)"):
        from_data(data, "log.eval")


def test_facts_are_no_part_of_the_hash() -> None:
    """The same files are the same submission, whatever lay beside them."""
    assert Submission({"a": b""}, ("a fifo",)).hash == Submission({"a": b""}).hash


def test_a_folder_gives_its_editable_files_only(tiny: Family, tmp_path: Path) -> None:
    """The rest of a checkout is not looked at."""
    for name in ("adder.py", "conftest.py", "tests/test_adder.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("# text\n")
    assert from_folder(tiny, tmp_path) == Submission({"adder.py": b"# text\n"})


def test_a_folder_with_nothing_editable_says_what_is(tiny: Family, tmp_path: Path) -> None:
    """Whoever names the wrong folder is told which files count."""
    with pytest.raises(AgentbenchError, match=r"/adder\.py"):
        from_folder(tiny, tmp_path)
    with pytest.raises(AgentbenchError, match="is not a folder"):
        from_folder(tiny, tmp_path / "absent")


@pytest.mark.parametrize("kind", ["link", "fifo", "large"])
def test_odd_files_are_facts(
    tiny: Family, tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A link is not followed, a fifo not opened, a huge file not read; each is named."""
    monkeypatch.setattr(tiny, "is_editable", lambda path: True)
    odd = tmp_path / "odd.py"
    if kind == "link":
        odd.symlink_to("/etc/hostname")
    elif kind == "fifo":
        os.mkfifo(odd)
    else:
        os.truncate(os.open(odd, os.O_CREAT | os.O_WRONLY), MAX_FILE_BYTES + 1)
    (tmp_path / "adder.py").write_text("x = 1\n")
    submission = from_folder(tiny, tmp_path)
    assert list(submission.files) == ["adder.py"]
    assert len(submission.facts) == 1
    assert submission.facts[0].startswith("odd.py: ")


def test_a_folder_is_taken_up_to_the_caps(
    tiny: Family, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Number and total size are limited, and what is over the limit is named."""
    monkeypatch.setattr(tiny, "is_editable", lambda path: True)
    monkeypatch.setattr(submission_model, "MAX_TOTAL_BYTES", 10)
    monkeypatch.setattr(submission_model, "MAX_FILES", 3)
    for name, size in (("a", 6), ("b", 6), ("c", 1), ("d", 1), ("e", 1)):
        (tmp_path / name).write_bytes(b"." * size)
    submission = from_folder(tiny, tmp_path)
    assert list(submission.files) == ["a", "c", "d"]
    assert submission.facts == ("b: larger than 4 bytes, not taken", "e: after 3 files, not taken")
    assert MAX_FILES > 3
