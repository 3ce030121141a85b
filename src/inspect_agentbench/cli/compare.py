"""`agentbench compare`: arms side by side, and what may be concluded."""

from collections.abc import Callable, Sequence
from pathlib import Path

import click

from inspect_agentbench.compare.build import build
from inspect_agentbench.compare.files import csv_text, markdown_text
from inspect_agentbench.compare.html import render_html
from inspect_agentbench.compare.model import Comparison
from inspect_agentbench.compare.tables import tables
from inspect_agentbench.errors import AgentbenchError
from inspect_agentbench.reading import check_alike, collect_logs, without_contradicted
from inspect_agentbench.reading.gate import gate_sentence

from .output import print_json, print_table, write_text

VIEWER = "http://127.0.0.1:7575"


@click.command()
@click.argument("logs", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--baseline", metavar="ARM", help="Compare this arm with each other one, instead of all pairs.")
@click.option("--factor", "factors", multiple=True, metavar="NAME", help="A setting varied on purpose.")
@click.option("--allow-mixed", is_flag=True, help="Show logs that were not run alike, without a verdict.")
@click.option(
    "--regraded",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Output of `agentbench regrade --json`: what it contradicts leaves the table.",
)
@click.option("--rows", "with_rows", is_flag=True, help="Also print one row per episode.")
@click.option(
    "--html", type=click.Path(path_type=Path), help="Write the report, one file that works offline."
)
@click.option(
    "--viewer",
    metavar="URL",
    default=VIEWER,
    show_default=True,
    help="Where `inspect view` shows the logs, for the report's links; empty for none.",
)
@click.option("--markdown", type=click.Path(path_type=Path), help="Write the tables as Markdown.")
@click.option("--csv", type=click.Path(path_type=Path), help="Write one row per episode.")
@click.option("--json", "as_json", is_flag=True, help="Print the whole comparison as JSON.")
def compare(
    logs: tuple[Path, ...],
    baseline: str | None,
    factors: tuple[str, ...],
    allow_mixed: bool,
    regraded: Path | None,
    with_rows: bool,
    html: Path | None,
    viewer: str,
    markdown: Path | None,
    csv: Path | None,
    as_json: bool,
) -> None:
    """Compare the arms in LOGS (files or folders): counts, verdicts, signatures, claims, effort.

    The unit is the family. Logs that were not run alike are refused, with the difference.
    """
    found = compared(logs, factors, baseline, allow_mixed, regraded)
    texts: tuple[tuple[Path | None, Callable[[], str]], ...] = (
        (html, lambda: render_html(found, viewer or None)),
        (markdown, lambda: markdown_text(found)),
        (csv, lambda: csv_text(found)),
    )
    written = [(path, text) for path, text in texts if path is not None]
    for path, text in written:
        write_text(path, text())
    if as_json:
        print_json(found.model_dump(mode="json"))
    else:
        show(found, with_rows)
        for path, _ in written:
            click.echo(f"Written: {path}")


def compared(
    logs: tuple[Path, ...],
    factors: Sequence[str] = (),
    baseline: str | None = None,
    allow_mixed: bool = False,
    regraded: Path | None = None,
) -> Comparison:
    """The comparison of all logs named. Raises AgentbenchError if there is none to be made."""
    collection = collect_logs(logs, factors)
    if regraded is not None:
        collection = without_contradicted(collection, regraded)
    if not collection.rows:
        raise AgentbenchError(
            f"no episode in {', '.join(map(str, logs))} can be compared{collection.why_empty}"
        )
    if not allow_mixed:
        check_alike(collection.facts, collection.rows)
    title = " and ".join(dict.fromkeys(log.campaign for log in collection.facts if log.campaign))
    return build(
        collection.rows,
        collection.facts,
        collection.left_out,
        title=title or "Comparison",
        baseline=baseline,
        mixed=allow_mixed,
        gate=gate_sentence(collection.facts),
    )


def show(found: Comparison, with_rows: bool = False) -> None:
    """Print it: what may be concluded first, then the tables."""
    for sentence in found.sentences:
        click.echo(sentence)
    for table in tables(found, with_rows):
        if table.rows:
            click.echo()
            print_table(table.columns, table.rows, table.title)
            if table.note:
                click.echo(table.note)
    if found.warnings:
        click.echo()
    for warning in found.warnings:
        click.echo(f"warning: {warning}")
