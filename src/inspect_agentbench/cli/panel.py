"""`agentbench panel`: the rule of promotion applied to panel logs."""

import json
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from inspect_agentbench.bank import Bank, Family, open_bank
from inspect_agentbench.compare.arms import is_solved
from inspect_agentbench.compare.rows import EpisodeRow
from inspect_agentbench.engine import write_whole
from inspect_agentbench.errors import AgentbenchError
from inspect_agentbench.outcome import Outcome
from inspect_agentbench.panel import RULE, Decision, Measured, decide, mean_error
from inspect_agentbench.reading import Collection, check_alike, collect_logs

from .output import bank_option, json_option, print_json, print_table, say

RECORD = "panel.json"


@click.command()
@click.argument("logs", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--record", is_flag=True, help="Write tasks/FAMILY/panel.json, to be committed.")
@bank_option
@json_option
def panel(logs: tuple[Path, ...], record: bool, bank: Path | None, as_json: bool) -> None:
    """Say which variants the panel runs in LOGS (files or folders) promote, and why.

    Predictions stand beside measurements. Logs that are no panel's are refused.
    """
    opened = open_bank(bank)
    found = collect_logs(logs, panel=True)
    if not found.rows:
        raise AgentbenchError(f"no panel run in {', '.join(map(str, logs))}{found.why_empty}")
    check_alike(found.facts, [])
    results = {family.id: _measured(family, found.rows) for family in _families(opened, found.rows)}
    decisions = {name: decide(variants) for name, variants in results.items()}
    if record:
        for name, variants in results.items():
            _record(opened.family(name), variants, decisions[name], found)
    if as_json:
        print_json({name: _data(variants, decisions[name]) for name, variants in results.items()})
    else:
        _print(results, decisions)


def _families(bank: Bank, rows: Sequence[EpisodeRow]) -> Iterator[Family]:
    for name in sorted({row.family for row in rows}):
        yield bank.family(name)


def _measured(family: Family, rows: Sequence[EpisodeRow]) -> list[Measured]:
    order = [entry.name for entry in family.manifest.variants]  # most hints first
    return [
        _variant(family, name, len(order) - 1 - place, own)
        for place, name in enumerate(order)
        if (own := [row for row in rows if (row.family, row.variant) == (family.id, name)])
    ]


def _variant(family: Family, name: str, hints: int, rows: Sequence[EpisodeRow]) -> Measured:
    graded = [row for row in rows if row.outcome is not Outcome.ERRORED]
    runs: dict[str, int] = {}
    for row in graded:
        runs[row.arm] = runs.get(row.arm, 0) + 1
    solved = [row for row in graded if is_solved(row)]
    return Measured(
        variant=name,
        hints=hints,
        runs=runs,
        solved=len(solved),
        ceilings=sum(bool(row.ceiling) for row in graded if row not in solved),
        errored=len(rows) - len(graded),
        predicted=family.variant(name).prediction(),
    )


def _data(variants: Sequence[Measured], decision: Decision) -> dict[str, Any]:
    return {
        "rule": RULE,
        "promoted": decision.promoted,
        "variants": [
            {
                **one._asdict(),
                "of": one.of,
                "interval": list(one.interval) if one.of else None,
                "reason": decision.reasons[one.variant],
            }
            for one in variants
        ],
        "mean_prediction_error": mean_error(variants),
    }


def _print(results: dict[str, list[Measured]], decisions: dict[str, Decision]) -> None:
    click.echo(f"Rule: {RULE}\n")
    rows = [
        _row(name, one, decisions[name].reasons[one.variant]) for name, own in results.items() for one in own
    ]
    columns = ("family", "variant", "solved", "95 % interval", "ceilings", "predicted", "decision")
    print_table(columns, rows)
    error = mean_error([one for own in results.values() for one in own])
    promoted = sum(decision.promoted is not None for decision in decisions.values())
    click.echo(f"\n{promoted} of {len(decisions)} families have a promoted variant")
    if error is not None:
        click.echo(f"mean error of the predictions: {error:.2f}")
    click.echo("The interval takes runs as independent, which they are not: a rough guide.")


def _row(family: str, one: Measured, reason: str) -> tuple[object, ...]:
    shown = f"{one.interval.low:.2f} to {one.interval.high:.2f}" if one.of else "-"
    predicted = "-" if one.predicted is None else f"{one.predicted:.2f}"
    return family, one.variant, f"{one.solved}/{one.of}", shown, one.ceilings, predicted, reason


def _record(family: Family, variants: Sequence[Measured], decision: Decision, found: Collection) -> None:
    first = found.facts[0]
    data = {
        "date": time.strftime("%Y-%m-%d"),
        "family_version": family.manifest.version,
        "models": sorted({log.arm for log in found.facts}),
        "controls": first.controls,
        "hashes": first.hashes,
        **_data(variants, decision),
    }
    path = family.tasks_folder / RECORD
    write_whole(path, (json.dumps(data, indent=2) + "\n").encode())
    say(
        f"wrote {path}; to calibrate, set the promoted variant's calibration in "
        f"{family.tasks_folder}/family.toml, raise the version, and freeze the bank"
    )
