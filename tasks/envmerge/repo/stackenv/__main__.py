"""The command line: `python -m stackenv show|diff`."""

import argparse
import sys

from .layers import changes, merge
from .reading import EnvFileError
from .rendering import FORMATS, as_changes


def build_parser():
    parser = argparse.ArgumentParser(prog="stackenv", description="Merges environment files.")
    commands = parser.add_subparsers(dest="command", required=True)
    show = commands.add_parser("show", help="merge files and print the result")
    show.add_argument("paths", nargs="+", metavar="FILE")
    show.add_argument("--set", action="append", default=[], type=assignment, metavar="KEY=VALUE")
    show.add_argument("--unset", action="append", default=[], metavar="KEY")
    show.add_argument("--format", choices=sorted(FORMATS), default="plain")
    diff = commands.add_parser("diff", help="what the second file alone has otherwise than the first alone")
    diff.add_argument("before", metavar="FILE")
    diff.add_argument("after", metavar="FILE")
    return parser


def assignment(text):
    key, sign, value = text.partition("=")
    if not key or not sign:
        raise argparse.ArgumentTypeError(f"{text!r} is not KEY=VALUE")
    return key, value


def run(options):
    if options.command == "diff":
        return as_changes(changes(merge([options.before]), merge([options.after])))
    overrides = dict(options.set) | dict.fromkeys(options.unset)
    return FORMATS[options.format](merge(options.paths, overrides))


def main(arguments=None):
    options = build_parser().parse_args(arguments)
    try:
        sys.stdout.write(run(options))
    except (EnvFileError, OSError) as error:
        print(f"stackenv: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
