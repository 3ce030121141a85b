"""Families built from a specification: fixed denominators, their mean, and what stands apart from it."""

import shutil
from pathlib import Path
from typing import Any

import docker
import pytest
from made import oracle
from pydantic import ValidationError
from suite_runs import ROOT

from inspect_agentbench.bank import Family, load_bank
from inspect_agentbench.engine import ImageInfo
from inspect_agentbench.errors import OracleFault
from inspect_agentbench.grading import GradeReport, grade
from inspect_agentbench.grading.judge import make_cases
from inspect_agentbench.grading.report import Count, TrialsReport
from inspect_agentbench.grading.verdict import group_score
from inspect_agentbench.outcome import Outcome
from inspect_agentbench.submission import Submission

GROUPS = {"Core": 2, "Splits": 10, "Stress": 8}


@pytest.fixture
def expenses() -> Family:
    return load_bank(ROOT).family("expenses")


def counted(**wrong: int) -> TrialsReport:
    groups = {name: Count(of=of, wrong=wrong.get(name, 0)) for name, of in GROUPS.items()}
    return TrialsReport(total=20, by_group=groups)


def test_groups_weigh_the_same_whatever_their_size() -> None:
    """Half of two and all of ten make 0.75; what is apart changes nothing in it."""
    score = group_score(counted(Core=1, Stress=8), oracle(trials=20, groups=GROUPS, apart=["Stress"]))
    assert score is not None
    assert score.mean == 0.75
    assert score.apart == {"Stress": Count(of=8, wrong=8)}
    assert str(score) == "score 0.750 (Core 1/2, Splits 10/10), apart from it Stress 0/8"


def test_without_groups_there_is_no_score() -> None:
    """A family that is no specification has an outcome only, even if its generator names groups."""
    assert group_score(counted(), oracle(trials=20)) is None


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"groups": {"Core": 2}}, "groups add up to 2, trials is 20"),
        ({"groups": {"Core": 20, "Splits": 0}}, "a group has no trial"),
        ({"groups": GROUPS, "apart": ["Strain"]}, "apart names Strain, which groups does not"),
        ({"apart": ["Stress"]}, "apart names Stress, which groups does not"),
        ({"groups": GROUPS, "apart": list(GROUPS)}, "there is none to take the mean of"),
    ],
)
def test_mistaken_groups_are_refused(settings: dict[str, Any], told: str) -> None:
    """Each mistake is told before anything is graded."""
    with pytest.raises(ValidationError, match=told):
        oracle(trials=20, **settings)


@pytest.mark.docker
@pytest.mark.parametrize(
    "files", [{}, {"kitty/ledger.py": b"class Ledger(:\n"}], ids=["empty", "syntax error"]
)
def test_denominators_stay_when_nothing_can_be_imported(
    client: docker.DockerClient, image: ImageInfo, expenses: Family, files: dict[str, bytes]
) -> None:
    """All 88 checks count as wrong, each in its group; none drops out of the count."""
    report = grade(client, image, expenses.variant(), Submission(files)).report
    assert report.outcome is Outcome.FAILED
    assert (report.trials.total, len(report.trials.disagreeing)) == (88, 88)
    assert report.score is not None
    assert report.score.mean == 0
    shown = report.score.groups | report.score.apart
    assert shown == {name: Count(of=of, wrong=of) for name, of in expenses.oracle.groups.items()}
    assert "score 0.000 (Core 0/13, " in report.explanation()
    assert GradeReport.model_validate_json(report.model_dump_json()) == report


@pytest.mark.docker
def test_a_generator_with_other_groups_is_a_fault(
    client: docker.DockerClient, image: ImageInfo, tmp_path: Path
) -> None:
    """The manifest's numbers and the generator's must be the same; the family is named."""
    for half in ("tasks", "oracles"):
        shutil.copytree(ROOT / half / "expenses", tmp_path / half / "expenses")
    settings = tmp_path / "oracles" / "expenses" / "oracle.toml"
    changed = settings.read_text().replace("Core = 13", "Core = 14").replace("Splits = 15", "Splits = 14")
    settings.write_text(changed)
    variant = load_bank(tmp_path).family("expenses").variant()
    with pytest.raises(OracleFault, match=r"expenses.*its groups are Core 13, Splits 15.*oracle\.toml"):
        make_cases(client, image, variant)
