"""The command line: `python -m logtail DIRECTORY --state FILE [--summary] [--level LEVEL] [--file PATTERN] [--word WORD]`."""

import argparse
import sys
from pathlib import Path

from logtail.ingest import ingest
from logtail.positions import StateError
from logtail.selection import selected
from logtail.summary import LEVELS, render, summarize


def build_parser():
    parser = argparse.ArgumentParser(prog="logtail", description="Print what is new in the logs.")
    parser.add_argument("directory", type=Path, help="where the *.log files are")
    parser.add_argument("--state", type=Path, required=True, help="the reader's state file")
    parser.add_argument("--summary", action="store_true", help="counts per file and level")
    parser.add_argument("--level", choices=LEVELS, help="only events of this level or worse")
    parser.add_argument("--file", action="append", default=[], metavar="PATTERN", help="only files such as gate-*.log")
    parser.add_argument("--word", help="only events with this word")
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
    wanted = selected(events, options.level, options.file, options.word)
    for line in output_lines(wanted, options.summary):
        print(line)
    return 0


def output_lines(events, summary):
    if summary:
        return render(summarize(events))
    return [f"{event['file']}:{event['offset']} {event['text']}" for event in events]
