"""`agentbench strength`: mutants of the correct fixes, and how surely a fresh seed finds a lazy one."""

import secrets
import sys
from pathlib import Path

import click

from inspect_agentbench.bank import Family, open_bank
from inspect_agentbench.engine import connect, ensure_image
from inspect_agentbench.errors import AgentbenchError
from inspect_agentbench.gate.contract import CONTRACT
from inspect_agentbench.gate.fresh import lazy_power
from inspect_agentbench.gate.report import DetectionPower
from inspect_agentbench.gate.strength import (
    AIM,
    Strength,
    all_mutants,
    judge_equivalent,
    measure_strength,
    record_strength,
)

from .output import bank_option, json_option, print_json, print_table, say


@click.command()
@click.argument("families", nargs=-1, required=True)
@click.option("--record", is_flag=True, help="Keep the result beside the oracle.")
@click.option("--judge", "judged", multiple=True, metavar="ID", help="Record this survivor as equivalent.")
@click.option("--reason", help="Why the judged mutants are as right as the fix.")
@bank_option
@json_option
def strength(
    families: tuple[str, ...],
    record: bool,
    judged: tuple[str, ...],
    reason: str | None,
    bank: Path | None,
    as_json: bool,
) -> None:
    """Try mutants of the correct fixes of FAMILIES: the oracle should reject them.

    Survivors are listed with their change; one that is as right as the fix is recorded with --judge and
    --reason. Exit code 1 if less than 95 % of the mutants that nobody judged equivalent are rejected.
    """
    opened = open_bank(bank)
    chosen = [opened.family(name) for name in families]
    if judged:
        _judge(chosen, judged, reason)
        return
    client, image = connect(), ensure_image(say)
    found: list[tuple[Family, Strength, tuple[DetectionPower, ...]]] = []
    for family in chosen:
        result = measure_strength(client, image, family, all_mutants(family), say)
        power = lazy_power(client, image, family, CONTRACT, secrets.randbelow(2**31))
        found.append((family, result, power))
        if record:
            record_strength(family, result)
    _print(found, as_json)
    sys.exit(0 if all(result.reached for _, result, _ in found) else 1)


def _judge(families: list[Family], judged: tuple[str, ...], reason: str | None) -> None:
    if len(families) != 1 or not reason or not reason.strip():
        raise AgentbenchError("--judge takes one family and a --reason that says why the mutant is right")
    family = families[0]
    judge_equivalent(family, all_mutants(family), judged, reason.strip())
    say(f"{family.id}: {len(judged)} recorded as equivalent; `agentbench strength {family.id}` counts anew")


def _print(
    found: list[tuple[Family, Strength, tuple[DetectionPower, ...]]],
    as_json: bool,
) -> None:
    if as_json:
        print_json(
            [
                {
                    "family": family.id,
                    **result.model_dump(mode="json", exclude={"canary"}),
                    "share": result.share,
                    "power": [power.model_dump(mode="json") for power in powers],
                }
                for family, result, powers in found
            ]
        )
        return
    columns = (
        "family",
        "mutants",
        "by trials",
        "by visible",
        "timed out",
        "equivalent",
        "survivors",
        "rejected",
    )
    print_table(columns, [_row(family, result) for family, result, _ in found])
    for family, result, powers in found:
        _print_survivors(family, result)
        click.echo(f"\n{family.id}: lazy fixes on fresh trials")
        heads = ("lazy fix", "pinned", "fresh", "missed with p below", "trials needed")
        print_table(heads, [_power_row(power) for power in powers])


def _row(family: Family, result: Strength) -> list[object]:
    return [
        family.id,
        result.mutants,
        result.by_trials,
        result.by_visible,
        result.timed_out,
        result.equivalent,
        len(result.survivors),
        f"{result.rejected}/{result.of} = {result.share:.1%}" + ("" if result.reached else f" < {AIM:.0%}"),
    ]


def _print_survivors(family: Family, result: Strength) -> None:
    for survivor in result.survivors:
        click.echo(f"\n{family.id} {survivor.id} {survivor.fix}/{survivor.path}\n{survivor.diff}")
    for name in result.stale:
        click.echo(f"\n{family.id} {name}: judged equivalent, but it is rejected or no mutant any more")


def _power_row(power: DetectionPower) -> list[object]:
    return [
        power.fix,
        power.pinned,
        power.fresh,
        f"{power.miss_probability:.1e}",
        power.trials_needed or "no number",
    ]
