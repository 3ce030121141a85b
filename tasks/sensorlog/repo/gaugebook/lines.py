"""A single line of the file."""

import re
from typing import NamedTuple

REMARK = "#"
FIELDS = ("time", "gauge", "value")
# Not simply float(): that also takes nan, inf and 1_000.
VALUE = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?")


class Rejected(ValueError):
    """The line is neither a reading nor one to skip; the text says why."""


class Reading(NamedTuple):
    time: str
    gauge: str
    value: float


def parse_line(line):
    """Return the reading in `line`, or None if the line is to be skipped. May raise Rejected."""
    fields = line.split()
    if not fields or fields[0].startswith(REMARK):
        return None
    if len(fields) != len(FIELDS):
        raise Rejected(f"{len(fields)} fields instead of {len(FIELDS)}")
    time, gauge, value = fields
    return Reading(time, gauge, parse_value(value))


def parse_value(text):
    if not VALUE.fullmatch(text):
        raise Rejected(f"{text!r} is not a value")
    return float(text)
