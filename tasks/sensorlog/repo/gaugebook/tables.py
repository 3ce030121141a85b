"""Summaries for people and for other programs."""

import json

HEADINGS = ("gauge", "count", "low", "high", "mean")


def as_table(summary):
    """Return the lines of a table, gauges by name, with the rejected lines at its foot."""
    rows = [HEADINGS, *(row(name, summary["sensors"][name]) for name in sorted(summary["sensors"]))]
    widths = [max(len(cells[column]) for cells in rows) for column in range(len(HEADINGS))]
    lines = [aligned(cells, widths) for cells in rows]
    if summary["rejected"]:
        lines.append(rejected_note(summary["rejected"]))
    return lines


def row(name, statistics):
    figures = [f"{statistics[key]:g}" for key in ("low", "high", "mean")]
    return (name, str(statistics["count"]), *figures)


def aligned(cells, widths):
    """Names to the left, figures to the right."""
    figures = [cell.rjust(width) for cell, width in zip(cells[1:], widths[1:])]
    return "  ".join([cells[0].ljust(widths[0]), *figures])


def as_columns(summary):
    """Return lines with tabs between the figures, written out in full, for a spreadsheet."""
    lines = ["\t".join(HEADINGS)]
    for name in sorted(summary["sensors"]):
        statistics = summary["sensors"][name]
        figures = [repr(statistics[key]) for key in HEADINGS[1:]]
        lines.append("\t".join([name, *figures]))
    return lines


def rejected_note(count):
    return "1 line rejected" if count == 1 else f"{count} lines rejected"


def as_json(summary):
    return json.dumps(summary, indent=2, sort_keys=True, ensure_ascii=False)
