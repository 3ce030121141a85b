"""The comparison as files: Markdown for a page, CSV with one row per episode."""

import csv
import io
from collections.abc import Sequence

from .model import Comparison
from .rows import EpisodeRow
from .tables import Shown, tables


def markdown_text(found: Comparison) -> str:
    """Sentences and tables."""
    parts = [f"# {found.title}", *(f"- {sentence}" for sentence in found.sentences)]
    parts += [f"- **Warning:** {warning}" for warning in found.warnings]
    parts += [_markdown(table) for table in tables(found, with_rows=True) if table.rows]
    return "\n".join(parts) + "\n"


def _markdown(table: Shown) -> str:
    lines = ["", f"## {table.title}", "", _line(table.columns), _line(["---"] * len(table.columns))]
    lines += [_line(row) for row in table.rows]
    return "\n".join([*lines, *(["", table.note] if table.note else [])])


def _line(cells: Sequence[str]) -> str:
    escaped = (cell.replace("\\", "\\\\").replace("|", "\\|").replace("\n", " ") for cell in cells)
    return f"| {' | '.join(escaped)} |"


def csv_text(found: Comparison) -> str:
    """One row per episode, columns as in EpisodeRow; several values in one cell are separated by `; `."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    names = list(EpisodeRow.model_fields)
    writer.writerow(names)
    for row in found.rows:
        data = row.model_dump(mode="json")
        writer.writerow([_cell(data[name]) for name in names])
    return text.getvalue()


def _cell(value: object) -> object:
    text = "; ".join(map(str, value)) if isinstance(value, list) else value
    # A spreadsheet would take text that begins so for a formula, and names come from agents.
    return f"'{text}" if isinstance(text, str) and text.startswith(("=", "+", "-", "@", "\t")) else text
