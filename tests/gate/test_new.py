"""`agentbench new`: a working beginning, whole or not at all."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from inspect_agentbench.bank import load_bank, survey_bank
from inspect_agentbench.cli import main
from inspect_agentbench.gate.contract import CONTRACT
from inspect_agentbench.gate.judging import small_repository, unfinished
from inspect_agentbench.gate.leaks import check_visible
from inspect_agentbench.gate.structure import check_structure


def new(*words: str | Path) -> Result:
    return CliRunner().invoke(main, ["new", *map(str, words)])


def test_a_new_family_can_be_read_and_passes_the_checks_of_its_files(tmp_path: Path) -> None:
    """In a bank that was not there before; what is left to do is told by the checks that follow."""
    root = tmp_path / "own"
    done = new("parcels", "--bank", root)
    assert done.exit_code == 0
    assert f"agentbench admit parcels --bank {root}" in done.stdout
    family = load_bank(root).family("parcels")
    assert not check_structure(family, CONTRACT)
    assert not check_visible(family)
    left = [str(finding) for finding in (*unfinished(family), *small_repository(family, CONTRACT))]
    assert any("TODO" in line for line in left)
    assert any("lines of code" in line for line in left)
    assert not list(root.glob(".*"))


def test_each_family_gets_a_canary_of_its_own(tmp_path: Path) -> None:
    """Two families of one bank do not share it, and none has that of the example."""
    for name in ("one", "two"):
        assert new(name, "--bank", tmp_path).exit_code == 0
    canaries = {family.oracle.canary for family in load_bank(tmp_path).families.values()}
    assert len(canaries) == 2
    assert not [
        path for path in tmp_path.rglob("*") if path.is_file() and b"canary-sizes" in path.read_bytes()
    ]


@pytest.mark.parametrize("name", ["Parcels", "1st", "a b", "../up", "json", "x" * 41, ""])
def test_a_name_that_cannot_be_one_is_refused(tmp_path: Path, name: str) -> None:
    done = new(name, "--bank", tmp_path / "own")
    assert done.exit_code == 2
    assert "name" in done.stderr
    assert not (tmp_path / "own").exists()


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    """A family that is there stays as it is, a half of one too."""
    assert new("parcels", "--bank", tmp_path).exit_code == 0
    marked = tmp_path / "tasks/parcels/family.toml"
    marked.write_text("mine")
    done = new("parcels", "--bank", tmp_path)
    assert done.exit_code == 2
    assert "already" in done.stderr
    assert marked.read_text() == "mine"
    assert set(survey_bank(tmp_path).problems) == {"parcels"}


def test_a_folder_that_is_no_bank_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    done = new("parcels", "--bank", tmp_path)
    assert done.exit_code == 2
    assert "neither a bank" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_one_half_is_never_left_without_the_other(tmp_path: Path) -> None:
    """A file stands where the hidden half has to go."""
    assert new("parcels", "--bank", tmp_path).exit_code == 0
    (tmp_path / "oracles/letters").write_text("mine")
    done = new("letters", "--bank", tmp_path)
    assert done.exit_code == 2
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "tasks/letters").exists()
    assert (tmp_path / "oracles/letters").read_text() == "mine"


def test_an_installed_package_is_not_added_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is written there would be gone with the next version."""
    installed = tmp_path / "_data"
    monkeypatch.setattr("inspect_agentbench.cli.new.data_root", lambda: installed)
    monkeypatch.setattr("inspect_agentbench.cli.new.default_bank_root", lambda: installed)
    done = new("parcels")
    assert done.exit_code == 2
    assert "name one with --bank DIR" in done.stderr
    assert not installed.exists()
