import shutil
from pathlib import Path

import pytest

from inspect_agentbench.bank import Family, TreeFile, load_bank


@pytest.fixture
def editable_copy(banks: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(banks / "tiny", tmp_path / "bank"))


def test_no_known_fix_is_used_with_its_canary(tiny: Family) -> None:
    """A fix that is played as a submission must not carry the string that disqualifies."""
    for kind in ("correct", "lazy", "wrong"):
        for fix in tiny.fixes(kind).values():  # type: ignore[arg-type]
            assert fix.files
            assert not any(tiny.oracle.canary.encode() in content for content in fix.files.values())


@pytest.mark.parametrize("ending", [b"\n", b"\r\n", b"\r"])
def test_only_the_lines_of_the_canary_go(tiny: Family, ending: bytes) -> None:
    """Whatever ends the lines, the others stay byte for byte."""
    canary = b"# " + tiny.oracle.canary.encode() + b" hidden"
    text = canary + ending + b"a = 1" + ending + b"\x0b\x85" + ending + canary
    assert tiny.without_canary(text) == b"a = 1" + ending + b"\x0b\x85" + ending


def test_a_variant_lays_its_files_over_the_common_tree(tiny: Family) -> None:
    """The terse variant has a README of its own, one more test, and everything else of the family."""
    plain, terse = tiny.variant("plain").tree(), tiny.variant("terse").tree()
    assert terse["README.md"] != plain["README.md"]
    assert set(terse) - set(plain) == {"tests/test_more.py"}
    assert terse["adder.py"] == plain["adder.py"]


def test_a_submission_keeps_the_pristine_files_and_drops_what_the_agent_deleted(tiny: Family) -> None:
    """What may not be edited is pristine; what may be is exactly what was submitted."""
    variant = tiny.variant()
    forged = {"tests/test_adder.py": b"def test(): pass\n", "conftest.py": b"", "adder.pyc": b""}
    assert "adder.py" not in variant.with_submission(forged)
    tree = variant.with_submission({**forged, "adder.py": b"new"})
    assert tree == {**variant.tree(), "adder.py": TreeFile(b"new")}


def test_editing_keeps_the_executable_bit(banks: Path, editable_copy: Path) -> None:
    """The bit belongs to the pristine tree, not to the submission."""
    (editable_copy / "tasks/tiny/repo/adder.py").chmod(0o755)
    variant = load_bank(editable_copy).family("tiny").variant()
    assert variant.with_submission({"adder.py": b"new"})["adder.py"].executable


def test_a_pattern_for_everything_does_not_open_what_decides(editable_copy: Path) -> None:
    """Tests, protected files, and what Python or pytest take up by name are never a submission's."""
    manifest = editable_copy / "tasks/tiny/family.toml"
    manifest.write_text(manifest.read_text().replace('["/adder.py"]', '["**"]'))
    family = load_bank(editable_copy).family("tiny")
    assert family.is_editable("deep/down/adder.py")
    closed = ["adder.pyc", "deep/__pycache__/notes.txt", "conftest.py", "deep/conftest.py", "x.pth"]
    closed += ["sitecustomize.py", "tests/test_adder.py", "tests/deep/helper.py"]
    assert [path for path in closed if family.is_editable(path)] == []
    assert "tests/test_adder.py" in family.variant().with_submission({})


def test_protected_files_are_those_of_the_manifest(tiny: Family) -> None:
    """Patterns are git's."""
    assert tiny.is_protected("tests/deep/test_x.py")
    assert not tiny.is_protected("adder.py")


@pytest.mark.parametrize("changed", ["oracle.toml", "{canary}/oracle.py", "{canary}/lazy/float/adder.py"])
def test_everything_hidden_is_in_the_oracle_hash(editable_copy: Path, changed: str) -> None:
    """A changed reference, setting or known fix is another oracle."""
    folder = editable_copy / "oracles/tiny"
    family = load_bank(editable_copy).family("tiny")
    before = family.oracle_hash()
    path = folder / changed.format(canary=family.oracle.canary)
    path.write_text(path.read_text() + "\n# changed\n")
    assert family.oracle_hash() != before


def test_recorded_signatures_do_not_change_the_oracle_hash(editable_copy: Path) -> None:
    """They follow from the oracle, and carry its hash."""
    family = load_bank(editable_copy).family("tiny")
    before = family.oracle_hash()
    family.signatures_path.write_text("{}")
    assert family.oracle_hash() == before


def test_the_issue_text_is_part_of_what_is_hashed_as_visible(editable_copy: Path) -> None:
    """A reworded bug report is another task."""
    before = load_bank(editable_copy).family("tiny").variant().visible_hash()
    issue = editable_copy / "tasks/tiny/variants/plain/issue.md"
    issue.write_text(issue.read_text() + "Please.\n")
    moved = editable_copy.rename(editable_copy.parent / "moved")  # another path is read afresh
    assert load_bank(moved).family("tiny").variant().visible_hash() != before
