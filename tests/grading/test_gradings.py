from collections.abc import Mapping
from pathlib import Path
from typing import Any

import docker
import pytest

from inspect_agentbench.bank import Variant, load_bank
from inspect_agentbench.engine import ImageInfo
from inspect_agentbench.grading import GradeReport, grade
from inspect_agentbench.outcome import Outcome
from inspect_agentbench.submission import Submission

pytestmark = pytest.mark.docker
BANKS = {"tiny": "tiny", "property": "ordering", "tolerance": "scatter"}
VERDICTS = {"correct": Outcome.SOLVED, "lazy": Outcome.ILLUSORY, "wrong": Outcome.FAILED}


@pytest.fixture
def graded(client: docker.DockerClient, image: ImageInfo) -> Any:
    def run(variant: Variant, files: Mapping[str, bytes]) -> GradeReport:
        return grade(client, image, variant, Submission(dict(files))).report

    return run


def submitted(variant: Variant, files: Mapping[str, bytes]) -> dict[str, bytes]:
    return variant.editable_files(variant.apply(files))


@pytest.mark.parametrize("bank", BANKS)
def test_every_known_fix_gets_its_verdict(banks: Path, graded: Any, bank: str) -> None:
    """Correct fixes are solved, lazy ones illusory, wrong ones failed, all of them stable."""
    family = load_bank(banks / bank).family(BANKS[bank])
    for kind, verdict in VERDICTS.items():
        for name, fix in family.fixes(kind).items():  # type: ignore[arg-type]
            report = graded(family.variant(), submitted(family.variant(), fix.files))
            assert (name, report.outcome) == (name, verdict), report.explanation()
            assert report.regrade.equal


@pytest.mark.parametrize("bank", BANKS)
def test_the_untouched_tree_fails_and_breaks_no_invariant(banks: Path, graded: Any, bank: str) -> None:
    """The bug is visible, and what is tagged as an invariant is right before."""
    variant = load_bank(banks / bank).family(BANKS[bank]).variant()
    report = graded(variant, submitted(variant, {}))
    assert report.outcome is Outcome.FAILED
    assert report.invariant_hold
    assert report.files_touched == ()
    assert all(count.wrong for tag, count in report.trials.by_tag.items() if tag != "invariant")


@pytest.mark.parametrize(
    "files", [{}, {"adder.py": b""}, {"adder.py": b" \n\n"}, {"adder.py": b"def add(:\n"}]
)
def test_nothing_is_a_failed_submission(banks: Path, graded: Any, files: dict[str, bytes]) -> None:
    """Deleted, emptied, blank or broken: failed with a whole report, no error."""
    report = graded(load_bank(banks / "tiny").family("tiny").variant(), files)
    assert report.outcome is Outcome.FAILED
    assert report.trials.total == 12
    assert report.regrade.equal


def test_another_variant_brings_its_own_tests(banks: Path, graded: Any) -> None:
    """Parametrised visible tests are matched with their fixed cases by pytest's own ids."""
    family = load_bank(banks / "tiny").family("tiny")
    variant = family.variant("terse")
    report = graded(variant, submitted(variant, family.fixes("correct")["decimal"].files))
    assert report.outcome is Outcome.SOLVED
    assert report.visible.total == 4
