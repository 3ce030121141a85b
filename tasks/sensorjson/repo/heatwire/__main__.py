import argparse
import sys

from .digest import digest, heat
from .display import digest_lines, heat_lines, reject_lines
from .intake import intake, read_day
from .missing import missing, missing_lines


def show_digest(text):
    day = intake(text)
    yield from digest_lines(digest(day["stations"]))
    if day["rejected"]:
        yield f"rejected: {day['rejected']}"


def show_heat(text):
    return heat_lines(heat(intake(text)["stations"]))


def show_missing(text):
    return missing_lines(missing(intake(text)["stations"]))


def show_rejects(text):
    return reject_lines(read_day(text))


COMMANDS = {"digest": show_digest, "heat": show_heat, "missing": show_missing, "rejects": show_rejects}


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="heatwire", description="Telemetry of the district heating.")
    parser.add_argument("command", choices=sorted(COMMANDS))
    parser.add_argument("day", help="a file of reports, one a line")
    options = parser.parse_args(arguments)
    try:
        with open(options.day, encoding="utf-8", newline="\n") as file:
            text = file.read()
    except (OSError, UnicodeDecodeError) as error:
        print(f"heatwire: cannot read {options.day}: {error}", file=sys.stderr)
        return 1
    for line in COMMANDS[options.command](text):
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
