import json
import re
import shutil
from pathlib import Path

import pytest

from inspect_agentbench.bank import BANK_VARIABLE, default_bank, load_bank
from inspect_agentbench.errors import AgentbenchError


@pytest.fixture
def copy_of_tiny(banks: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(banks / "tiny", tmp_path / "bank"))


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_every_mistake_is_named_at_once(banks: Path) -> None:
    """One error lists each mistake of each file with its file and field, and nothing else."""
    with pytest.raises(AgentbenchError) as caught:
        load_bank(banks / "broken")
    listed = {tuple(line.strip().split(": ")[:2]) for line in str(caught.value).splitlines()[1:]}
    expected = {tuple(mistake) for mistake in json.loads((banks / "broken" / "mistakes.json").read_text())}
    unexplained = {
        (where, field)
        for where, field in listed
        if (where, re.sub(r"\.(literal|Tolerance).*", "", field)) not in expected
        and (where, "") not in expected
    }
    missing = {
        (where, field)
        for where, field in expected
        if not any(w == where and f.startswith(field) for w, f in listed)
    }
    assert not unexplained
    assert not missing


def test_a_folder_that_is_no_bank_is_refused_with_the_way_out(tmp_path: Path) -> None:
    """A folder without its two halves is refused, by name and with what to do."""
    (tmp_path / "tasks").mkdir()
    with pytest.raises(AgentbenchError, match=r"no folder oracles/.*AGENTBENCH_BANK"):
        load_bank(tmp_path)


def test_an_empty_bank_is_refused(tmp_path: Path) -> None:
    """Two empty halves are not a bank with nothing to do."""
    (tmp_path / "tasks").mkdir()
    (tmp_path / "oracles").mkdir()
    with pytest.raises(AgentbenchError, match="holds no family"):
        load_bank(tmp_path)


def test_a_hidden_half_without_its_visible_one_is_a_mistake(copy_of_tiny: Path) -> None:
    """An oracle whose task folder is gone is reported, not silently left out."""
    shutil.copytree(copy_of_tiny / "oracles" / "tiny", copy_of_tiny / "oracles" / "alone")
    with pytest.raises(AgentbenchError, match=r"tasks/alone/family\.toml: is missing"):
        load_bank(copy_of_tiny)


def test_notes_and_hidden_folders_are_no_families(copy_of_tiny: Path) -> None:
    """Files beside the families, and folders that begin with a dot or underscore, are left alone."""
    (copy_of_tiny / "tasks" / "README.md").write_text("notes")
    (copy_of_tiny / "tasks" / ".cache").mkdir()
    (copy_of_tiny / "tasks" / "_drafts").mkdir()
    assert list(load_bank(copy_of_tiny).families) == ["tiny"]


@pytest.mark.parametrize("trials", ["0", "-1"])
def test_a_family_without_trials_is_refused(copy_of_tiny: Path, trials: str) -> None:
    """Zero trials would solve everything."""
    edit(copy_of_tiny / "oracles" / "tiny" / "oracle.toml", "trials = 12", f"trials = {trials}")
    with pytest.raises(AgentbenchError, match=r"oracles/tiny/oracle\.toml: trials"):
        load_bank(copy_of_tiny)


@pytest.mark.parametrize("value", ["nan", "inf", "-1.0"])
def test_a_tolerance_that_accepts_everything_is_refused(copy_of_tiny: Path, value: str) -> None:
    """Neither NaN nor infinity nor a negative number is a tolerance."""
    edit(
        copy_of_tiny / "oracles" / "tiny" / "oracle.toml",
        'comparison = "exact"\nfixed',
        f"comparison = {{ absolute = {value} }}\nfixed",
    )
    with pytest.raises(AgentbenchError, match="comparison"):
        load_bank(copy_of_tiny)


def test_an_unknown_family_names_the_known_ones(banks: Path) -> None:
    """Whoever misspells a family is told what there is."""
    with pytest.raises(AgentbenchError, match=r"no family 'tinny'.*it has tiny"):
        load_bank(banks / "tiny").family("tinny")


def test_an_unknown_variant_names_the_known_ones(banks: Path) -> None:
    """Whoever misspells a variant is told what there is."""
    with pytest.raises(AgentbenchError, match=r"no variant 'long'.*it has plain, terse"):
        load_bank(banks / "tiny").family("tiny").variant("long")


def test_the_default_variant_is_the_manifests(banks: Path) -> None:
    """Without a name the manifest decides."""
    assert load_bank(banks / "tiny").family("tiny").variant().name == "plain"


def test_the_environment_names_the_default_bank(banks: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """AGENTBENCH_BANK is used wherever no bank is named."""
    monkeypatch.setenv(BANK_VARIABLE, str(banks / "tiny"))
    assert list(default_bank().families) == ["tiny"]


def test_an_empty_environment_variable_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """A variable that is set to nothing does not mean the current folder."""
    monkeypatch.setenv(BANK_VARIABLE, "")
    assert "tiny" not in default_bank().families


def test_code_that_is_not_python_is_named_with_its_line(copy_of_tiny: Path) -> None:
    """A slip in the oracle or driver is a mistake of the bank, told before anything runs."""
    (driver,) = copy_of_tiny.glob("oracles/tiny/canary-*/driver.py")
    driver.write_text(f"{driver.read_text()}def (\n")
    with pytest.raises(AgentbenchError, match=r"driver\.py: line \d+: is not Python"):
        load_bank(copy_of_tiny)


def test_a_hidden_file_without_the_canary_is_named(copy_of_tiny: Path) -> None:
    """A text that could turn up in a training set unmarked is a mistake of the bank."""
    (driver,) = copy_of_tiny.glob("oracles/tiny/canary-*/driver.py")
    driver.write_text(driver.read_text().partition("\n")[2])
    with pytest.raises(AgentbenchError, match=r"driver\.py: does not hold the canary"):
        load_bank(copy_of_tiny)


@pytest.mark.parametrize("source", ["return 1\n", "def f():\n    nonlocal x\n", "x = (\n", "x = '\0'\n"])
def test_code_that_cannot_be_compiled_is_a_mistake_of_the_bank(copy_of_tiny: Path, source: str) -> None:
    """Some of it has a syntax tree all the same, and would only fail in a judge."""
    driver = next(copy_of_tiny.glob("oracles/tiny/canary-*/driver.py"))
    driver.write_text(driver.read_text().splitlines()[0] + "\n" + source)
    with pytest.raises(AgentbenchError, match=r"driver\.py: .*is not Python"):
        load_bank(copy_of_tiny)
