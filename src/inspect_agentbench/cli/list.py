"""`agentbench list`."""

from pathlib import Path
from typing import Any

import click

from inspect_agentbench.bank import Family, Variant, open_bank
from inspect_agentbench.grading.signature import read_signatures

from .output import bank_option, json_option, print_json, print_table


@click.command("list")
@bank_option
@json_option
def list_families(bank: Path | None, as_json: bool) -> None:
    """Show the families and variants of a bank."""
    opened = open_bank(bank)
    rows = [
        _row(family, variant) for family in opened.families.values() for variant in family.variants.values()
    ]
    if as_json:
        print_json({"bank": str(opened.root), "variants": rows})
        return
    columns = (
        "family",
        "variant",
        "default",
        "label",
        "trials",
        "correct",
        "lazy",
        "wrong",
        "signatures",
        "calibration",
    )
    print_table(columns, [[_cell(row[name]) for name in columns] for row in rows])


def _row(family: Family, variant: Variant) -> dict[str, Any]:
    entry = next(e for e in family.manifest.variants if e.name == variant.name)
    lazy = family.fixes("lazy")
    return {
        "family": family.id,
        "variant": variant.name,
        "default": variant.name == family.manifest.default_variant,
        "version": family.manifest.version,
        "title": family.manifest.title,
        "label": variant.label,
        "trials": family.oracle.trials,
        "correct": len(family.fixes("correct")),
        "lazy": len(lazy),
        "wrong": len(family.fixes("wrong")),
        "signatures": f"{len(read_signatures(family, variant.name))}/{len(lazy)}",
        "calibration": entry.calibration,
        "visible_hash": variant.visible_hash(),
        "oracle_hash": family.oracle_hash(),
    }


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return "default" if value else ""
    return "uncalibrated" if value == "none" else str(value)
