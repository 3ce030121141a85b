"""One line of telemetry."""

import json
from dataclasses import dataclass


class Rejection(Exception):
    """The line does not count; str() says why."""


@dataclass(frozen=True)
class Report:
    station: str
    channel: str
    value: float
    at: str = ""


def read_report(line: str) -> Report:
    """Read one line. Raises Rejection if it is no report or its value does not count."""
    record = read_object(line)
    return Report(
        station=read_name(record, "station"),
        channel=read_name(record, "channel"),
        value=read_value(record.get("value")),
        at=str(record.get("at", "")),
    )


def read_object(line: str) -> dict:
    try:
        record = json.loads(line)
    except ValueError as error:
        raise Rejection(f"not JSON: {error}") from error
    if not isinstance(record, dict):
        raise Rejection("not an object")
    return record


def read_name(record: dict, key: str) -> str:
    name = record.get(key)
    if not isinstance(name, str) or not name:
        raise Rejection(f"no {key}")
    return name


def read_value(value) -> float:
    """The reading as a float."""
    if not isinstance(value, (int, float)):
        raise Rejection(f"value {value!r} is not a number")
    return float(value)
