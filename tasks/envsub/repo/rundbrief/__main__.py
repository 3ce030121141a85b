"""The command line."""

import argparse
import sys
from pathlib import Path

from rundbrief.letters import as_pages, check, write_letters
from rundbrief.members import BadMembers, read_members
from rundbrief.template import TemplateError, names


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="rundbrief", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("letters", "check", "names"):
        command = commands.add_parser(name)
        command.add_argument("template", type=Path)
        if name != "names":
            command.add_argument("members", type=Path)
    options = parser.parse_args(arguments)
    try:
        return run(options)
    except (BadMembers, TemplateError, OSError) as error:
        print(f"rundbrief: {error}", file=sys.stderr)
        return 1


def run(options):
    template = options.template.read_text(encoding="utf-8")
    if options.command == "names":
        print("\n".join(names(template)))
        return 0
    members = read_members(options.members.read_text(encoding="utf-8"))
    if options.command == "letters":
        sys.stdout.write(as_pages(write_letters(template, members)))
        return 0
    problems = check(template, members)
    for number, problem in problems:
        print(f"member {number}: {problem}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
