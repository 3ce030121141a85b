"""What the gate reads off a family's files."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from inspect_agentbench.bank import Family, survey_bank
from inspect_agentbench.gate.contract import CONTRACT, Contract
from inspect_agentbench.gate.controls import CONTROL_CONTRACT
from inspect_agentbench.gate.leaks import check_visible
from inspect_agentbench.gate.reasons import Reason
from inspect_agentbench.gate.structure import (
    check_structure,
    code_lines,
    problem_finding,
    small_repository,
)

GOOD = Path(__file__).parents[2] / "src/inspect_agentbench/gate/control_bank"
HIDDEN = "oracles/sizes/canary-sizes-5b0c7d9e2f14"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A copy of the control bank that a test may change."""
    return Path(shutil.copytree(GOOD, tmp_path / "bank"))


def family(root: Path) -> Family:
    return survey_bank(root).families["sizes"]


def found(root: Path, contract: Contract = CONTROL_CONTRACT) -> list[str]:
    return [str(finding) for finding in check_structure(family(root), contract)]


def test_the_good_family_has_nothing_to_mend(root: Path) -> None:
    assert not found(root)
    assert not check_visible(family(root))


def test_everything_that_is_wrong_is_told_at_once(root: Path) -> None:
    """An author mends a family in one go; every finding names the file."""
    shutil.rmtree(root / HIDDEN / "correct/scanner")
    (root / "tasks/sizes/predictions.toml").unlink()
    findings = [*check_structure(family(root), CONTRACT), *small_repository(family(root), CONTRACT)]
    text = "\n".join(map(str, findings))
    assert "too_few_fixes: oracles/sizes/canary-sizes-5b0c7d9e2f14/correct: holds 1" in text
    assert "repository_too_small: tasks/sizes/repo: has" in text
    assert text.count("prediction_missing: tasks/sizes/predictions.toml") == 1


def test_lines_of_code_are_neither_blank_nor_comments() -> None:
    assert code_lines(b'"""A text."""\n\n# a comment\n   # another\nx = 1  # one\n') == 2


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[plain]\nsolve_rate = 1.2\n[terse]\nsolve_rate = 0.5\n", "[plain] needs solve_rate"),
        ('[plain]\nsolve_rate = "half"\n[terse]\nsolve_rate = 0.5\n', "[plain] needs solve_rate"),
        ("plain = 3\n[terse]\nsolve_rate = 0\n", "[plain] needs solve_rate"),
        ("[plain\n", "cannot be read"),
    ],
)
def test_predictions_are_read_with_suspicion(root: Path, content: str, message: str) -> None:
    (root / "tasks/sizes/predictions.toml").write_text(content)
    (line,) = found(root)
    assert message in line


def test_fixes_that_differ_in_layout_only_are_one(root: Path) -> None:
    """A second correct fix has to be another way of writing it."""
    source, target = root / HIDDEN / "correct/scanner", root / HIDDEN / "correct/layout"
    shutil.copytree(source, target)
    file = target / "sizes/parsing.py"
    file.write_text(file.read_text().replace("UNITS = {", "# all of them\nUNITS   =   {"))
    (line,) = found(root)
    assert "same_fix_twice: correct/layout and correct/scanner" in line


def spoil_readme(root: Path) -> None:
    with (root / "tasks/sizes/repo/README.md").open("a") as file:
        file.write("canary-sizes-5b0c7d9e2f14\n")


def spoil_issue(root: Path) -> None:
    """Another family's canary is as bad."""
    with (root / "tasks/sizes/variants/terse/issue.md").open("a") as file:
        file.write("See canary-other-0123456789ab.\n")


def show_driver(root: Path) -> None:
    """A hidden file without its first line, which holds the canary."""
    text = (root / HIDDEN / "driver.py").read_text()
    (root / "tasks/sizes/repo/sizes/calling.py").write_text(text.partition("\n")[2])


@pytest.mark.parametrize(
    ("spoil", "where", "what"),
    [
        (spoil_readme, "plain: README.md", "holds a canary"),
        (spoil_issue, "terse: issue.md", "holds a canary"),
        (show_driver, "plain: sizes/calling.py", "is the hidden file"),
    ],
)
def test_what_an_agent_could_see_of_the_oracle_is_found(
    root: Path, spoil: Callable[[Path], None], where: str, what: str
) -> None:
    spoil(root)
    findings = check_visible(family(root))
    assert {finding.reason for finding in findings} == {Reason.ORACLE_VISIBLE}
    assert any(finding.where == where and what in finding.detail for finding in findings)


def test_fixes_and_fixed_cases_may_look_like_what_is_visible(root: Path) -> None:
    """A known fix repeats most of the module that it mends, and a fixed case the lines of its test."""
    fix = (root / HIDDEN / "correct/pattern/sizes/parsing.py").read_text().partition("\n")[2]
    (root / "tasks/sizes/repo/sizes/other.py").write_text(fix)
    assert not check_visible(family(root))


def test_a_family_that_cannot_be_read_is_a_finding_and_no_error(root: Path) -> None:
    """Its mistakes come with file and field, and the other families are read all the same."""
    shutil.copytree(root / "tasks/sizes", root / "tasks/halved")
    survey = survey_bank(root)
    assert set(survey.families) == {"sizes"}
    lines = [str(problem_finding("halved", problem)) for problem in survey.problems["halved"]]
    assert any("manifest: oracles/halved/oracle.toml: is missing" in line for line in lines)
    assert any("manifest: tasks/halved/family.toml: id: is 'sizes'" in line for line in lines)
