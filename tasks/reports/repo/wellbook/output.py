"""Writing the report. The suffix of a target says in which form."""

import json
import os
from pathlib import Path

from wellbook.reading import read_results
from wellbook.report import build


class UnknownForm(ValueError):
    """A target whose suffix stands for no form."""


def publish(source, targets):
    """Write the report on `source` to every target and return how many results it holds.

    Targets are paths. Nothing is written if the source cannot be read or a target has no known form.
    """
    targets = [Path(target) for target in targets]
    writers = [writer_for(target) for target in targets]
    report = build(read_results(Path(source)))
    for target, write in zip(targets, writers):
        write(report, target)
    return len(report["results"])


def writer_for(target):
    try:
        return WRITERS[target.suffix]
    except KeyError:
        known = ", ".join(sorted(WRITERS))
        raise UnknownForm(f"{target.name}: no such form; there are {known}") from None


def write_json(report, target):
    """The report for the health authority."""
    save_text(target, json.dumps(report, indent=1) + "\n")


def write_overview(report, target):
    """The list for the notice board: one line for each parameter."""
    lines = [overview_line(name, summary) for name, summary in report["summary"].items()]
    save_text(target, "".join(f"{line}\n" for line in lines or ["no results"]))


def overview_line(name, summary):
    line = f"{name}: {summary['count']} results"
    if summary["measured"]:
        line += f", highest {summary['highest']}"
    if summary["over"]:
        line += f", {summary['over']} over the limit"
    return line


def save_text(target, text):
    """Replace a file in one go. Its lines end with CR LF."""
    fresh = target.with_name(target.name + ".part")
    with fresh.open("w", encoding="utf-8", newline="\r\n") as file:
        file.write(text)
    os.replace(fresh, target)


WRITERS = {".json": write_json, ".txt": write_overview}
