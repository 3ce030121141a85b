"""Lines for the control room's terminal."""

from collections.abc import Iterator

from .report import Rejection


def digest_lines(digests: dict) -> Iterator[str]:
    """One line a channel, by station and channel."""
    for station in sorted(digests):
        for channel in sorted(digests[station]):
            figures = digests[station][channel]
            span = f"{figures['lowest']:g} to {figures['highest']:g}"
            yield f"{station} {channel}: {figures['count']} x, {span}, last {figures['last']:g}"


def heat_lines(outputs: dict) -> Iterator[str]:
    """One line a station, the strongest first."""
    for station in sorted(outputs, key=lambda name: (-outputs[name], name)):
        yield f"{station}: {outputs[station]:.1f} kW"


def reject_lines(day) -> Iterator[str]:
    """One line for each rejected line of a day."""
    for number, found in day:
        if isinstance(found, Rejection):
            yield f"{number}: {found}"
