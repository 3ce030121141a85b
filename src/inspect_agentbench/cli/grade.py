"""`agentbench grade`: grading a folder of files as a submission, without a model and without Inspect."""

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from inspect_agentbench.bank import Variant, open_bank
from inspect_agentbench.engine import connect, ensure_image
from inspect_agentbench.grading import GradeReport, Grading
from inspect_agentbench.grading import grade as grade_submission
from inspect_agentbench.outcome import Outcome
from inspect_agentbench.submission import Submission, from_folder

from .output import bank_option, json_option, print_json, print_table, say


@click.command()
@click.argument("family")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--variant", help="Variant (default: the family's).")
@click.option("--repeat", type=click.IntRange(1, 1000), default=1, show_default=True, help="Grade so often.")
@bank_option
@json_option
def grade(
    family: str, folder: Path, variant: str | None, repeat: int, bank: Path | None, as_json: bool
) -> None:
    """Grade the files in FOLDER as a submission of FAMILY.

    FOLDER holds the repository or just the changed files, by their paths in it; editable files that it
    does not hold count as unchanged. Each grading is done twice, as in an episode.

    Exit code 1 if the repeated gradings do not all say the same, 0 otherwise, whatever the outcome.
    """
    chosen = open_bank(bank).family(family).variant(variant)
    submission = _submission(chosen, folder)
    client, image = connect(), ensure_image(say)
    gradings = []
    for number in range(repeat):
        if repeat > 1:
            say(f"grading {number + 1} of {repeat}")
        gradings.append(grade_submission(client, image, chosen, submission))
    _print(gradings, as_json)
    if len({_essence(grading.report) for grading in gradings}) > 1:
        say("the gradings differ")
        sys.exit(1)


def _submission(variant: Variant, folder: Path) -> Submission:
    given = from_folder(variant.family, folder)
    unchanged = variant.editable_files(variant.tree())
    protected = tuple(_protected_changed(variant, folder))
    facts = (f"{path}: protected, changed; the pristine copy counts" for path in protected)
    return Submission(unchanged | given.files, (*given.facts, *facts), protected)


def _protected_changed(variant: Variant, folder: Path) -> Iterator[str]:
    for path, (content, _) in variant.tree().items():
        there = folder / path
        if variant.family.is_protected(path) and there.is_file() and there.read_bytes() != content:
            yield path


def _essence(report: GradeReport) -> tuple[Outcome, tuple[int, ...], bool, tuple[str, ...]]:
    return report.outcome, report.trials.disagreeing, report.unstable, report.visible.failing


def _print(gradings: list[Grading], as_json: bool) -> None:
    reports = [grading.report for grading in gradings]
    if as_json:
        print_json([report.model_dump(mode="json") for report in reports])
        return
    columns = ("outcome", "visible", "disagree", "invariant", "signature", "stable", "seconds")
    print_table(columns, [_row(report) for report in reports])
    click.echo(f"\n{reports[0].explanation()}")
    for piece in reports[0].integrity.evidence:
        click.echo(f"disqualified: {piece}")
    for fact in reports[0].facts:
        click.echo(f"noted: {fact}")


def _row(report: GradeReport) -> list[object]:
    return [
        report.outcome,
        f"{report.visible.passed}/{report.visible.total}",
        f"{len(report.trials.disagreeing)}/{report.trials.total}",
        "holds" if report.invariant_hold else "broken",
        report.signature if report.visible.green else "-",
        "no" if report.unstable else "yes",
        f"{report.timings.total:.2f}",
    ]
