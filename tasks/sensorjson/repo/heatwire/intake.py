"""A day of telemetry, sorted by station and channel."""

from collections.abc import Iterator

from .report import Rejection, Report, read_report


def intake(text: str) -> dict:
    """Take in a day. See the README for what comes back."""
    stations: dict[str, dict[str, list[float]]] = {}
    rejected = 0
    for _, found in read_day(text):
        if isinstance(found, Rejection):
            rejected += 1
            continue
        channels = stations.setdefault(found.station, {})
        channels.setdefault(found.channel, []).append(found.value)
    return {"stations": stations, "rejected": rejected}


def read_day(text: str) -> Iterator[tuple[int, Report | Rejection]]:
    """What each line holds, with the line's number; empty lines are left out."""
    for number, line in enumerate(text.split("\n"), start=1):
        if line == "":
            continue
        try:
            yield number, read_report(line)
        except Rejection as rejection:
            yield number, rejection
