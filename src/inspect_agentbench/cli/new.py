"""`agentbench new`: the beginning of a family."""

from pathlib import Path

import click

from inspect_agentbench.bank import data_root, default_bank_root
from inspect_agentbench.errors import AgentbenchError
from inspect_agentbench.gate.skeleton import make_family

from .output import bank_option

_NEXT = """\
wrote {tasks}
  and {oracles}

It is a working example under your family's name. Replace it piece by piece (docs/authoring.md leads through):

 1. repo/            the starting tree: a small, real repository (150 lines, 2 modules, 6 visible tests)
 2. variants/        the bug reports, most hints first; family.toml names them, and who helped you write
 3. lazy/            the wrong fixes that you expect, the obvious one first
 4. oracle.py        reference, generator and fixed cases; driver.py calls the candidate
 5. correct/         at least two right fixes, written in different ways
 6. predictions.toml the solve rates that you expect, before any model has run

and then, as often as it takes:

    agentbench signatures {name}{bank}
    agentbench admit {name}{bank}
    agentbench strength {name}{bank} --record
    agentbench lock{bank}
"""


@click.command()
@click.argument("family")
@bank_option
def new(family: str, bank: Path | None) -> None:
    """Begin FAMILY with a working example, in the default bank or in --bank DIR, which may be new."""
    root = (bank or default_bank_root()).expanduser().resolve()
    if bank is None and root == data_root().resolve() and root.name == "_data":
        raise AgentbenchError(
            "the bank of an installed package is not yours to add to; name one with --bank DIR"
        )
    tasks, oracles = make_family(root, family)
    shown = "" if root == default_bank_root().resolve() else f" --bank {bank or root}"
    click.echo(_NEXT.format(tasks=tasks, oracles=oracles, name=family, bank=shown), nl=False)
