"""`agentbench signatures`: grading every known fix and recording what its lazy ones get wrong."""

import json
import sys
from pathlib import Path

import click

from inspect_agentbench.bank import Family, open_bank
from inspect_agentbench.engine import connect, ensure_image
from inspect_agentbench.grading.record import (
    EXPECTED,
    GradedFix,
    grade_known_fixes,
    signature_file,
    write_signatures,
)
from inspect_agentbench.grading.signature import SignatureFile

from .output import bank_option, json_option, print_json, print_table, say


@click.command()
@click.argument("families", nargs=-1)
@click.option("--check", is_flag=True, help="Compare with what is recorded; write nothing.")
@bank_option
@json_option
def signatures(families: tuple[str, ...], check: bool, bank: Path | None, as_json: bool) -> None:
    """Grade every known fix of FAMILIES (default: all) and record the signatures of the lazy ones.

    Nothing is written for a family whose fixes do not behave as their folders say. Exit code 1 then, and
    with --check when a recorded signature differs.
    """
    opened = open_bank(bank)
    chosen = [opened.family(name) for name in families] or list(opened.families.values())
    client, image = connect(), ensure_image(say)
    rows, good = [], True
    for family in chosen:
        graded = list(grade_known_fixes(client, image, family, say))
        good = _conclude(family, graded, check) and good
        rows += [_row(family, item) for item in graded]
    _print(rows, as_json)
    sys.exit(0 if good else 1)


def _conclude(family: Family, graded: list[GradedFix], check: bool) -> bool:
    """Record or compare; false if something is not as it should be."""
    odd = [item for item in graded if not item.as_expected]
    unmirrored = dict.fromkeys(test for item in odd for test in item.report.visible.unmirrored)
    if unmirrored:
        say(f"{family.id}: no fixed case mirrors {', '.join(unmirrored)}")
    for item in odd:
        say(
            f"{family.id} {item.variant} {item.fix.kind}/{item.fix.name} is {item.report.outcome}, not "
            f"{EXPECTED[item.fix.kind]}: {item.report.explanation()}"
        )
    found = signature_file(family, graded)
    if odd:
        say(f"{family.id}: nothing recorded; mend these fixes or the oracle")
    elif check:
        return _same(family, found)
    else:
        write_signatures(family, found)
        say(f"{family.id}: recorded in {family.signatures_path}")
    return not odd


def _same(family: Family, found: SignatureFile) -> bool:
    try:
        recorded = SignatureFile.model_validate(json.loads(family.signatures_path.read_bytes()))
    except (OSError, ValueError):
        recorded = None
    if recorded != found:
        say(f"{family.id}: the recorded signatures are not these; run `agentbench signatures {family.id}`")
    return recorded == found


def _row(family: Family, item: GradedFix) -> dict[str, object]:
    report = item.report
    return {
        "family": family.id,
        "variant": item.variant,
        "fix": f"{item.fix.kind}/{item.fix.name}",
        "outcome": report.outcome.value,
        "expected": item.as_expected,
        "visible": f"{report.visible.passed}/{report.visible.total}",
        "disagree": f"{len(report.trials.disagreeing)}/{report.trials.total}",
        "trials": list(report.trials.disagreeing),
        "seconds": f"{report.timings.gradings:.2f}",
    }


def _print(rows: list[dict[str, object]], as_json: bool) -> None:
    if as_json:
        print_json(rows)
        return
    columns = ("family", "variant", "fix", "outcome", "expected", "visible", "disagree", "seconds")
    print_table(columns, [[_cell(row[name]) for name in columns] for row in rows])


def _cell(value: object) -> object:
    return {True: "yes", False: "NO"}[value] if isinstance(value, bool) else value
