"""Reading a sheet."""

from dataclasses import dataclass
from datetime import datetime

from crewhours.clock import ClockError, moment_of, zone_named

COMMENT = "#"


class SheetError(ValueError):
    """Something in a sheet that cannot be added up."""

    def __init__(self, line, reason):
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


@dataclass(frozen=True)
class Duty:
    person: str
    start: datetime
    end: datetime


def read_sheet(text):
    """Return the duties of a sheet in the order of its lines. Raises SheetError for the first wrong line."""
    head, *lines = text.split("\n")
    zone = read_zone(head)
    duties = []
    for number, line in enumerate(lines, start=2):
        if line.strip() and not line.startswith(COMMENT):
            duties.append(read_duty(number, line, zone))
    return duties


def read_zone(head):
    words = head.split()
    if len(words) != 2 or words[0] != "zone":
        raise SheetError(1, "a sheet begins with `zone` and its name")
    try:
        return zone_named(words[1])
    except ClockError as error:
        raise SheetError(1, str(error)) from None


def read_duty(number, line, zone):
    words = line.split()
    if len(words) != 5:
        raise SheetError(number, "not a person and two local times")
    person, start_day, start_time, end_day, end_time = words
    try:
        start = moment_of(f"{start_day} {start_time}", zone)
        end = moment_of(f"{end_day} {end_time}", zone)
    except ClockError as error:
        raise SheetError(number, str(error)) from None
    if end <= start:
        raise SheetError(number, "the duty ends before it begins")
    return Duty(person, start, end)
