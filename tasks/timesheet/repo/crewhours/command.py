"""The command line: `python -m crewhours [--entries | --payroll] [--limit HOURS] SHEET`."""

import argparse
import sys
from pathlib import Path

from crewhours import listing, payroll
from crewhours.sheet import SheetError, read_sheet


def build_parser():
    parser = argparse.ArgumentParser(prog="crewhours", description="Add up duty hours.")
    parser.add_argument("sheet", type=Path)
    parser.add_argument("--entries", action="store_true", help="every duty by itself")
    parser.add_argument("--payroll", action="store_true", help="rows for payroll's import")
    parser.add_argument("--limit", type=int, metavar="HOURS", help="mark people with more hours than this")
    return parser


def main(argv=None):
    options = build_parser().parse_args(argv)
    try:
        duties = read_sheet(options.sheet.read_text(encoding="utf-8"))
    except (OSError, SheetError) as error:
        print(f"crewhours: {options.sheet}: {error}", file=sys.stderr)
        return 1
    sys.stdout.write(output(duties, options))
    return 0


def output(duties, options):
    if options.payroll:
        return payroll.rows(duties)
    return listing.entries(duties) if options.entries else listing.totals(duties, options.limit)
