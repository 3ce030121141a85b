"""Gauges that left their limits."""

import configparser
from typing import NamedTuple


class Limits(NamedTuple):
    low: float | None = None
    high: float | None = None


def read_limits(path):
    """Return {gauge: Limits} from a limits file."""
    # No interpolation, and "=" alone between a key and its value: names hold all sorts of things.
    parser = configparser.ConfigParser(interpolation=None, delimiters=("=",))
    with open(path, encoding="utf-8") as file:
        parser.read_file(file)
    return {
        gauge: Limits(parser.getfloat(gauge, "low", fallback=None), parser.getfloat(gauge, "high", fallback=None))
        for gauge in parser.sections()
    }


def alarms(summary, limits):
    """Return a sentence for each gauge outside its limits, by name."""
    found = []
    for gauge in sorted(summary["sensors"]):
        statistics, limit = summary["sensors"][gauge], limits.get(gauge, Limits())
        if limit.low is not None and statistics["low"] < limit.low:
            found.append(f"{gauge}: {statistics['low']:g} is below {limit.low:g}")
        if limit.high is not None and statistics["high"] > limit.high:
            found.append(f"{gauge}: {statistics['high']:g} is above {limit.high:g}")
    return found
