"""The command line: `python -m wellbook SOURCE TARGET...`."""

import argparse
import sys
from pathlib import Path

from wellbook.output import UnknownForm, publish
from wellbook.reading import SourceError


def build_parser():
    parser = argparse.ArgumentParser(prog="wellbook", description="Writes the report on a source.")
    parser.add_argument("source", type=Path, help="a file of results, or a directory with *.jsonl files")
    parser.add_argument("targets", type=Path, nargs="+", metavar="target", help="a file to write")
    return parser


def main(argv=None):
    """Run the command line and return its exit code."""
    options = build_parser().parse_args(argv)
    try:
        count = publish(options.source, options.targets)
    except (SourceError, UnknownForm, OSError) as error:
        print(f"wellbook: {error}", file=sys.stderr)
        return 1
    names = ", ".join(target.name for target in options.targets)
    print(f"{count} results in {names}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
