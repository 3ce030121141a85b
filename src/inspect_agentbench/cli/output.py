"""What the commands share: JSON or a table, and progress on standard error."""

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from inspect_agentbench.engine import write_whole
from inspect_agentbench.errors import AgentbenchError

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
bank_option = click.option(
    "--bank",
    type=click.Path(path_type=Path),
    help="Folder of a bank of one's own (default: AGENTBENCH_BANK, else the shipped one).",
)


def print_json(data: Any) -> None:
    """Data as JSON on standard output."""
    click.echo(json.dumps(data, indent=2, ensure_ascii=False))


def print_table(columns: Sequence[str], rows: Sequence[Sequence[object]], title: str | None = None) -> None:
    """Rows as a table that fits a terminal and still reads when piped into a file."""
    table = Table(*columns, title=title, title_justify="left", box=None, pad_edge=False, header_style="bold")
    for row in rows:
        table.add_row(*[str(cell) for cell in row])
    console = _console()
    with console.capture() as printed:
        console.print(table)
    click.echo("\n".join(line.rstrip() for line in printed.get().splitlines()))


def _console() -> Console:
    """As wide as the terminal; in a pipe as COLUMNS says, otherwise wide enough for a line a row."""
    if sys.stdout.isatty():
        return Console(highlight=False, markup=False, emoji=False)
    columns = os.environ.get("COLUMNS", "")
    width = int(columns) if columns.isdecimal() and int(columns) > 0 else 240
    return Console(highlight=False, markup=False, emoji=False, width=width)


def say(line: str) -> None:
    """One line of progress on standard error."""
    click.echo(f"inspect_agentbench: {line}", err=True)


def write_text(path: Path, text: str) -> None:
    """Write a file for others to read: there is the old one, or the whole new one. Raises AgentbenchError."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text.encode())
        path.chmod(0o644)
    except OSError as error:
        raise AgentbenchError(f"{path} cannot be written ({error.strerror}); name another file") from error
