"""`agentbench admit`: the gate."""

import secrets
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from inspect_agentbench.bank import Survey, default_bank_root, survey_bank
from inspect_agentbench.engine import connect, ensure_image, write_whole
from inspect_agentbench.errors import AgentbenchError
from inspect_agentbench.gate.contract import CONTRACT, Contract
from inspect_agentbench.gate.gate import pieces_of_work, run_gate
from inspect_agentbench.gate.rejections import REJECTIONS_NAME, read_rejections, record_rejections
from inspect_agentbench.gate.repeats import Tick
from inspect_agentbench.gate.report import REPORT_NAME, GateReport
from inspect_agentbench.gate.tables import (
    FAMILY_COLUMNS,
    family_rows,
    markdown,
    reason_lines,
    summary_lines,
)

from .output import bank_option, json_option, print_table, say

CONTROLS_FAILED = 3


@click.command()
@click.argument("families", nargs=-1)
@click.option(
    "--repeats",
    type=click.IntRange(min=2),
    default=CONTRACT.repeats,
    show_default=True,
    help="Rooms for each tree whose verdict must be the same.",
)
@click.option("--fresh-seed", type=click.IntRange(min=0), help="Draw the fresh trials of another run.")
@click.option("--record", is_flag=True, help="Keep the report and the rejections beside the bank.")
@click.option("--markdown", "as_markdown", is_flag=True, help="Print Markdown instead of a table.")
@bank_option
@json_option
def admit(
    families: tuple[str, ...],
    repeats: int,
    fresh_seed: int | None,
    record: bool,
    as_markdown: bool,
    bank: Path | None,
    as_json: bool,
) -> None:
    """Let FAMILIES (default: all) through the gate that every family must pass.

    Families whose fate is known go first. Exit code 1 if a family is rejected; 3, and no result, if one of
    those controls does not come out as it must, or if the harness failed.
    """
    root = (bank or default_bank_root()).expanduser().resolve()
    survey = survey_bank(root)
    names = _names(root, survey, families)
    read_rejections(root)  # a record that cannot be read is told before the work, not after it
    contract = replace(CONTRACT, repeats=repeats)
    client, image = connect(), ensure_image(say)
    seed = secrets.randbelow(2**31) if fresh_seed is None else fresh_seed
    with _progress(survey, names, contract) as tick:
        report = run_gate(client, image, survey, names, contract, seed, tick)
    _print(report, as_json, as_markdown)
    if record and not report.misbehaving:
        _record(root, report, complete=not families)
    sys.exit(_exit_code(report))


def _names(root: Path, survey: Survey, families: Sequence[str]) -> list[str]:
    known = sorted({*survey.families, *survey.problems})
    unknown = [name for name in families if name not in known]
    if unknown:
        raise AgentbenchError(f"no family {unknown[0]!r} in the bank {root}; it has {', '.join(known)}")
    if not known:
        raise AgentbenchError(f"the bank {root} holds no family; make one with `agentbench new`")
    return list(dict.fromkeys(families)) or known


@contextmanager
def _progress(survey: Survey, names: Sequence[str], contract: Contract) -> Iterator[Tick]:
    console = Console(stderr=True)
    if not console.is_terminal:
        yield _Lines()
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:>3.0f}%"))
    with Progress(*columns, TimeElapsedColumn(), console=console, transient=True) as bar:
        task = bar.add_task("gate", total=pieces_of_work(survey, names, contract))
        yield lambda what: bar.update(task, advance=1, description=what)


class _Lines:
    """A line when another family's turn comes; a pipe has no bar."""

    def __init__(self) -> None:
        self._last = ""

    def __call__(self, what: str) -> None:
        subject = what.split()[0]
        if subject != self._last:
            say("controls of the gate" if subject == "control" else f"family {subject}")
        self._last = subject


def _print(report: GateReport, as_json: bool, as_markdown: bool) -> None:
    if as_json:
        click.echo(report.model_dump_json(indent=2))
        return
    if report.misbehaving:
        click.echo("The gate's own controls do not come out as they must, so it says nothing of any family:")
        for control in report.misbehaving:
            expected = ", ".join(reason.value for reason in control.expected) or "admission"
            found = ", ".join(reason.value for reason in control.found) or "admission"
            click.echo(f"  control {control.control}: expected {expected}, found {found} ({control.detail})")
    elif as_markdown:
        click.echo(markdown(report))
    else:
        print_table(FAMILY_COLUMNS, family_rows(report))
        click.echo("\n" + "\n".join([*reason_lines(report), *summary_lines(report)]))


def _record(root: Path, report: GateReport, complete: bool) -> None:
    new = record_rejections(root, report)
    say(f"{new} new in {root / REJECTIONS_NAME}" if new else "no new rejection to record")
    if not complete:
        say(f"{REPORT_NAME} is written by a run over all families only")
        return
    write_whole(root / REPORT_NAME, f"{report.model_dump_json(indent=1)}\n".encode())
    say(f"wrote {root / REPORT_NAME}")


def _exit_code(report: GateReport) -> int:
    if report.misbehaving or any(family.fault for family in report.families):
        return CONTROLS_FAILED
    return 0 if all(family.admitted for family in report.families) else 1
