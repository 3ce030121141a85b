"""`python -m benchmarks [NAME…] [--repeat N] [--json]`."""

import json
import sys
from collections.abc import Callable

import click

from inspect_agentbench.errors import AgentbenchError, HarnessFault

from . import episode, grading, logsize, memory, pathlog
from .results import Figure, machine, print_figures
from .setting import Setting, prepared, removed_on_interrupt, say

BENCHMARKS: dict[str, Callable[[Setting], list[Figure]]] = {
    module.NAME: module.measure for module in (episode, grading, pathlog, logsize, memory)
}


@click.command()
@click.argument("names", nargs=-1, type=click.Choice(list(BENCHMARKS)), metavar="[NAME]...")
@click.option("--repeat", default=5, show_default=True, type=click.IntRange(min=1), help="Measurements each.")
@click.option("--json", "as_json", is_flag=True, help="Print machine and figures as JSON.")
def main(names: tuple[str, ...], repeat: int, as_json: bool) -> None:
    """Measure what the suite costs; NAME is episode, grading, pathlog, logsize or memory (default: all).

    A missed target is shown and does not change the exit code.
    """
    before = machine()
    say(f"load {before['load']} on {before['cores']} cores; only figures of a quiet machine mean something")
    try:
        figures = _measured(names or tuple(BENCHMARKS), repeat)
    except (AgentbenchError, HarnessFault) as error:
        click.echo(f"benchmarks: {error}", err=True)
        sys.exit(2)
    if as_json:
        click.echo(json.dumps({"machine": before, "figures": [f.as_data() for f in figures]}, indent=2))
    else:
        print_figures(figures)


def _measured(names: tuple[str, ...], repeat: int) -> list[Figure]:
    figures: list[Figure] = []
    with removed_on_interrupt(), prepared(repeat) as setting:
        for name in names:
            say(f"{name} ...")
            figures += BENCHMARKS[name](setting)
    return figures


if __name__ == "__main__":
    main()
