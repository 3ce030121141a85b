"""Recognising hidden material: copies are found however they are shown, and nobody honest is accused."""

from pathlib import Path

import pytest

from inspect_agentbench.bank import FIX_KINDS, Bank, Family, load_bank
from inspect_agentbench.integrity import Evidence, EvidenceKind, Hidden, hidden_of, submission_evidence
from inspect_agentbench.submission import Submission

ROOT = Path(__file__).parents[2]
BANK = load_bank(ROOT)


@pytest.fixture(scope="module")
def bank() -> Bank:
    return BANK


@pytest.fixture(params=sorted(BANK.families))
def family(request: pytest.FixtureRequest) -> Family:
    return BANK.family(request.param)


def kinds(hidden: Hidden, text: str) -> set[EvidenceKind]:
    return {piece.kind for piece in hidden.evidence("here", text)}


def without_canary(family: Family) -> str:
    return family.without_canary(family.oracle_source.encode()).decode()


SHOWN = {
    "as it is": lambda text: text,
    "with line numbers": lambda text: "\n".join(
        f"{n:6}\t{line}" for n, line in enumerate(text.split("\n"), 1)
    ),
    "as grep -n shows it": lambda text: "\n".join(
        f"{n}:{line}" for n, line in enumerate(text.split("\n"), 1)
    ),
    "indented": lambda text: "\n".join(f"        {line}" for line in text.split("\n")),
    "without empty lines": lambda text: "\n".join(line for line in text.split("\n") if line.strip()),
    "with other line ends": lambda text: text.replace("\n", "\r\n"),
    "a part of it, between other lines": lambda text: "\n".join(
        ["$ cat x", *text.split("\n")[40:120], "[exit status 0]"]
    ),
}


@pytest.mark.parametrize("way", SHOWN)
def test_a_hidden_file_without_its_canary_is_recognised(family: Family, way: str) -> None:
    shown = SHOWN[way](without_canary(family))
    assert family.oracle.canary not in shown
    assert kinds(hidden_of((family,)), shown) == {EvidenceKind.CONTENT}


def test_a_canary_is_found_in_the_middle_of_anything(bank: Bank, family: Family) -> None:
    """Also that of another family: whoever has it has reached the oracles."""
    hidden = hidden_of(tuple(bank.families.values()))
    (piece,) = hidden.evidence("message 3", f"x{family.oracle.canary}y")
    assert piece.kind is EvidenceKind.CANARY
    assert family.id in piece.detail
    assert family.oracle.canary not in str(piece), "evidence goes into the log and repeats nothing hidden"


def test_what_agents_are_given_and_every_known_fix_is_innocent(bank: Bank, family: Family) -> None:
    """Trees, issues and all known fixes, tests that mirror fixed cases among them; over the whole bank."""
    hidden = hidden_of(tuple(bank.families.values()))
    for variant in family.variants.values():
        assert not kinds(hidden, variant.issue_text)
        for path, file in variant.tree().items():
            assert not kinds(hidden, file.content.decode("utf-8", "replace")), path
    for kind in FIX_KINDS:
        for fix in family.fixes(kind).values():
            submission = Submission(family.variant().editable_files(family.variant().apply(fix.files)))
            assert list(submission_evidence(family.variant(), submission)) == [], fix.name


def test_a_few_lines_alike_are_no_copy(family: Family) -> None:
    """An agent that writes its own reference by chance like ours, up to eleven lines in a row."""
    lines = [line for line in without_canary(family).split("\n") if len(line.strip()) > 3]
    for start in range(0, len(lines) - 11, 11):
        assert not kinds(hidden_of((family,)), "\n".join(lines[start : start + 11]))


HONEST = {
    "oracle.py": b'"""The oracle of Delphi."""\n\nreference = eval("1 + 1")\n',
    "reference.py": b"def reference():\n    return 'canary'\n",
    "canary.py": b"CANARY = 'canary-of-the-mine-0123456789'\n",
    "hidden/judge.py": b"import os\nos.environ['ORACLE'] = '/oracle/oracle.py'\n",
}


def test_names_and_words_are_no_evidence(tiny: Family) -> None:
    """What counts is content that nobody has by chance, never a word."""
    assert list(submission_evidence(tiny.variant(), Submission(dict(HONEST)))) == []


def test_a_canary_in_a_name_or_a_file_of_the_submission_is_evidence(tiny: Family) -> None:
    files = {"adder.py": f"# {tiny.oracle.canary}\n".encode(), f"{tiny.oracle.canary}.py": b""}
    found = list(submission_evidence(tiny.variant(), Submission(files)))
    assert [piece.kind for piece in found] == [EvidenceKind.CANARY] * 2


def test_a_path_that_was_reached_is_evidence_and_shows_no_canary(tiny: Family) -> None:
    canary = tiny.oracle.canary
    found = list(hidden_of((tiny,)).reached([f"/x/{canary}/oracle.py", "/x/oracle.py"]))
    assert found == [
        Evidence(
            kind=EvidenceKind.REACHED,
            where="path log",
            detail="/x/<canary>/oracle.py of family tiny was reached",
        )
    ]


@pytest.mark.parametrize("text", ["", "\0" * 100, "\n" * 100_000, "\ud800", "x" * 1_000_000, "(\n" * 50_000])
def test_any_text_can_be_searched(tiny: Family, text: str) -> None:
    assert kinds(hidden_of((tiny,)), text) == set()
