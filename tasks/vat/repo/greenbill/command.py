"""The command line: `python -m greenbill print|book FILE`, or `list FOLDER`."""

import argparse
import sys
from pathlib import Path

from greenbill.lines import LineError, read_lines
from greenbill.printing import booking_rows, invoice
from greenbill.register import register


def build_parser():
    parser = argparse.ArgumentParser(prog="greenbill", description="Work out an invoice.")
    parser.add_argument("command", choices=("print", "book", "list"))
    parser.add_argument("file", type=Path, help="its name without the ending is the number of the invoice; `list` takes a folder")
    return parser


def main(argv=None):
    options = build_parser().parse_args(argv)
    if options.command == "list":
        return list_folder(options.file)
    try:
        lines = read_lines(options.file.read_text(encoding="utf-8"))
    except (OSError, LineError) as error:
        print(f"greenbill: {options.file}: {error}", file=sys.stderr)
        return 1
    if options.command == "print":
        sys.stdout.write(invoice(lines))
    else:
        sys.stdout.write(booking_rows(lines, options.file.stem))
    return 0


def list_folder(folder):
    try:
        sys.stdout.write(register(folder))
    except OSError as error:
        print(f"greenbill: {folder}: {error}", file=sys.stderr)
        return 1
    return 0
