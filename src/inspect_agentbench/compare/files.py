"""The comparison as files: Markdown for a page, CSV with one row per episode. Whole or not at all."""

import csv
import io
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

from ..errors import AgentbenchError
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


def write_text(path: Path, text: str) -> None:
    """Write a file so that there is the old one, or the whole new one. Raises AgentbenchError."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, unfinished = tempfile.mkstemp(dir=path.parent, prefix=".unfinished-")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
            Path(unfinished).chmod(0o644)
            Path(unfinished).replace(path)
        except BaseException:
            Path(unfinished).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise AgentbenchError(f"{path} cannot be written ({error.strerror}); name another file") from error
