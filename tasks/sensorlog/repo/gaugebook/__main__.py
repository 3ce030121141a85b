"""`python -m gaugebook table|check|alarms FILE`."""

import argparse
import sys
from pathlib import Path

from gaugebook.alarms import alarms, read_limits
from gaugebook.series import read, summarize
from gaugebook.tables import as_columns, as_json, as_table


def main(arguments=None):
    options = parser().parse_args(arguments)
    try:
        text = options.file.read_bytes().decode("utf-8")
        lines = options.run(text, options)
    except (OSError, UnicodeDecodeError) as error:
        print(f"gaugebook: {options.file}: {error}", file=sys.stderr)
        return 2
    for line in lines:
        print(line)
    return 0


def parser():
    top = argparse.ArgumentParser(prog="gaugebook", description="Says what each gauge did.")
    commands = top.add_subparsers(required=True)
    table = command(commands, "table", run_table, "statistics of every gauge")
    table.add_argument("--json", action="store_true", help="as JSON")
    table.add_argument("--tabs", action="store_true", help="with tabs, for a spreadsheet")
    command(commands, "check", run_check, "the rejected lines and why")
    watch = command(commands, "alarms", run_alarms, "gauges outside their limits")
    watch.add_argument("--limits", type=Path, required=True)
    return top


def command(commands, name, run, help_text):
    made = commands.add_parser(name, help=help_text)
    made.add_argument("file", type=Path)
    made.set_defaults(run=run)
    return made


def run_table(text, options):
    summary = summarize(text)
    if options.tabs:
        return as_columns(summary)
    return [as_json(summary)] if options.json else as_table(summary)


def run_check(text, options):
    _, rejected = read(text)
    return [f"line {number}: {reason}" for number, reason in rejected]


def run_alarms(text, options):
    return alarms(summarize(text), read_limits(options.limits))


if __name__ == "__main__":
    sys.exit(main())
