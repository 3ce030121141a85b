"""The list of a volume's snapshots, as the file server writes it."""

from dataclasses import dataclass
from datetime import datetime, timezone

NOBODY = "-"


class CatalogueError(ValueError):
    """A line that is no snapshot."""

    def __init__(self, number, reason):
        super().__init__(f"line {number}: {reason}")
        self.number = number
        self.reason = reason


@dataclass(frozen=True)
class Snapshot:
    name: str
    taken: datetime  # UTC
    held_by: str | None = None


def read_catalogue(text):
    """Return the snapshots of a catalogue in the order of its lines."""
    snapshots = []
    names = set()
    for number, line in enumerate(text.split("\n"), start=1):
        if not line or line.startswith("#"):
            continue
        snapshot = read_line(number, line)
        if snapshot.name in names:
            raise CatalogueError(number, f"{snapshot.name} is there twice")
        names.add(snapshot.name)
        snapshots.append(snapshot)
    return snapshots


def read_line(number, line):
    fields = line.split("\t")
    if len(fields) != 3 or not all(fields):
        raise CatalogueError(number, "not a name, a time and a holder")
    name, taken, holder = fields
    try:
        moment = read_moment(taken)
    except ValueError as error:
        raise CatalogueError(number, str(error)) from None
    return Snapshot(name, moment, None if holder == NOBODY else holder)


def read_moment(text):
    """A moment such as 2026-01-05T03:00Z."""
    return datetime.strptime(text, "%Y-%m-%dT%H:%MZ").replace(tzinfo=timezone.utc)
