"""The command line: `python -m logtail DIRECTORY --state FILE [--summary] [--level LEVEL]`."""

import argparse
import sys
from pathlib import Path

from logtail.ingest import ingest
from logtail.positions import StateError
from logtail.summary import LEVELS, OTHER, level_of, render, summarize

SEVERITY = {level: rank for rank, level in enumerate((OTHER, *LEVELS))}


def build_parser():
    parser = argparse.ArgumentParser(prog="logtail", description="Print what is new in the logs.")
    parser.add_argument("directory", type=Path, help="where the *.log files are")
    parser.add_argument("--state", type=Path, required=True, help="the reader's state file")
    parser.add_argument("--summary", action="store_true", help="counts per file and level")
    parser.add_argument("--level", choices=LEVELS, help="only events of this level or worse")
    return parser


def main(argv=None):
    """Run the command line and return its exit code."""
    options = build_parser().parse_args(argv)
    if not options.directory.is_dir():
        print(f"logtail: {options.directory} is not a directory", file=sys.stderr)
        return 2
    try:
        events = ingest(options.directory, options.state)
    except StateError as error:
        print(f"logtail: {error}", file=sys.stderr)
        return 2
    for line in output_lines(at_least(events, options.level), options.summary):
        print(line)
    return 0


def at_least(events, level):
    """The events of `level` or worse; all of them if no level is asked for."""
    if level is None:
        return events
    return [event for event in events if SEVERITY[level_of(event["text"])] >= SEVERITY[level]]


def output_lines(events, summary):
    if summary:
        return render(summarize(events))
    return [f"{event['file']}:{event['offset']} {event['text']}" for event in events]
