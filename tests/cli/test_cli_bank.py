"""`agentbench list` and `signatures`: what a bank shows, what it keeps, and what is never recorded."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from suite_runs import BANKS

from inspect_agentbench.bank import load_bank
from inspect_agentbench.cli import main


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


@pytest.fixture
def own_bank(tmp_path: Path) -> Path:
    """A copy of the small bank that a test may change."""
    return Path(shutil.copytree(BANKS / "tiny", tmp_path / "bank"))


def test_list_shows_every_variant_of_the_shipped_bank() -> None:
    """Labels, trials, known fixes and recorded signatures, as data and as a table."""
    listed = json.loads(run("list", "--json").stdout)
    names = {(row["family"], row["variant"]) for row in listed["variants"]}
    assert {
        ("tailer", "ascii"),
        ("tailer", "explicit"),
        ("tailer", "oblique"),
        ("envmerge", "plain"),
    } <= names
    for row in listed["variants"]:
        recorded, lazy = row["signatures"].split("/")
        assert recorded == lazy == str(row["lazy"]), f"{row['family']}: run `agentbench signatures`"
    table = run("list").stdout.splitlines()
    assert table[0].split()[:4] == ["family", "variant", "default", "label"]
    assert len(table) == 1 + len(names)


def test_list_hides_what_is_hidden() -> None:
    """Its output may be shown to anyone: no lever, no canary, no name of a fix."""
    for family in load_bank(BANKS.parents[1]).families.values():
        for shown in (run("list").stdout, run("list", "--json").stdout):
            assert family.manifest.lever not in shown
            assert family.oracle.canary not in shown
            assert not [fix for fix in family.fixes("lazy") if "-" in fix and fix in shown]


def test_list_takes_a_bank_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """AGENTBENCH_BANK is the default bank; --bank goes before it."""
    monkeypatch.setenv("AGENTBENCH_BANK", str(BANKS / "tiny"))
    assert {row["family"] for row in json.loads(run("list", "--json").stdout)["variants"]} == {"tiny"}
    other = json.loads(run("list", "--json", "--bank", BANKS / "property").stdout)
    assert {row["family"] for row in other["variants"]} == {"ordering"}


def test_a_broken_bank_is_told_with_every_mistake() -> None:
    """All at once, each with its file and field, so that one look mends them all."""
    said = run("list", "--bank", BANKS / "broken").stderr
    for file, field in json.loads((BANKS / "broken" / "mistakes.json").read_text()):
        assert any(file in line and field in line for line in said.splitlines()), (file, field)


@pytest.mark.docker
def test_nothing_is_recorded_for_a_fix_that_is_not_what_its_folder_says(own_bank: Path) -> None:
    """A correct fix among the lazy ones would make everybody's right fix look lazy."""
    hidden = load_bank(own_bank).family("tiny").hidden_folder
    shutil.copytree(hidden / "correct" / "decimal", hidden / "lazy" / "not-lazy")
    load_bank.__globals__["_load_bank"].cache_clear()
    result = run("signatures", "--bank", own_bank)
    assert result.exit_code == 1
    assert "lazy/not-lazy is solved, not illusory" in result.stderr
    assert "nothing recorded" in result.stderr
    assert not (hidden / "signatures.json").exists()
