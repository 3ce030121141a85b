"""What a day should have and has not."""

from collections.abc import Iterator

# what the output of a station is worked out from
NEEDED = ("flow", "supply", "return")


def missing(stations: dict) -> dict:
    """For each station, the needed channels that it did not send; stations that sent all are left out."""
    lacking = {
        station: [channel for channel in NEEDED if channel not in channels]
        for station, channels in stations.items()
    }
    return {station: channels for station, channels in lacking.items() if channels}


def missing_lines(lacking: dict) -> Iterator[str]:
    """One line a station, by name."""
    for station in sorted(lacking):
        yield f"{station}: no {', no '.join(lacking[station])}"
    if not lacking:
        yield "nothing is missing"
