"""`agentbench lock`: freezing a bank by hashes, and checking that it still is as it was frozen."""

import sys
from pathlib import Path

import click

from inspect_agentbench.bank import Bank, open_bank
from inspect_agentbench.bank.lock import LOCK_NAME, lock_differences, make_lock, read_lock, write_lock
from inspect_agentbench.freezing import VERSIONS

from .output import bank_option, json_option, print_json, say


@click.command()
@click.option("--check", is_flag=True, help="Compare the files with the lock; write nothing.")
@bank_option
@json_option
def lock(check: bool, bank: Path | None, as_json: bool) -> None:
    """Freeze a bank: write the hashes of everything in it to agentbench.lock.

    With --check, exit code 1 if anything differs from the lock, or there is none.
    """
    opened = open_bank(bank)
    differences = _differences(opened)
    if not check:
        write_lock(opened, make_lock(opened, VERSIONS))
        say(f"wrote {opened.root / LOCK_NAME}")
    _print(opened, differences, check, as_json)
    sys.exit(1 if check and differences else 0)


def _differences(bank: Bank) -> list[str]:
    found = read_lock(bank)
    return [f"there is no {LOCK_NAME}"] if found is None else lock_differences(found, bank, VERSIONS)


def _print(bank: Bank, differences: list[str], check: bool, as_json: bool) -> None:
    if as_json:
        print_json({"bank": str(bank.root), "differences": differences, "written": not check})
    elif differences:
        click.echo("differs from the lock:" if check else "locked now, what before was not so:")
        click.echo("\n".join(f"  {difference}" for difference in differences))
    else:
        click.echo(f"{bank.root} is as it was frozen")
