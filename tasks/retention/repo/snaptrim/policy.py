"""How many snapshots a site wants to keep."""

import tomllib
from dataclasses import dataclass

TABLES = {"keep": ("last", "daily", "weekly", "monthly"), "site": ("utc_offset_minutes",)}


class PolicyError(ValueError):
    """A policy that cannot be followed."""


@dataclass(frozen=True)
class Policy:
    last: int = 0
    daily: int = 0
    weekly: int = 0
    monthly: int = 0
    utc_offset_minutes: int = 0


def read_policy(text):
    """Return the policy in a TOML text."""
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise PolicyError(f"not TOML: {error}") from None
    settings = {}
    for table, values in tables.items():
        if table not in TABLES or not isinstance(values, dict):
            raise PolicyError(f"unknown table {table}")
        for name, value in values.items():
            settings[name] = checked(table, name, value)
    return Policy(**settings)


def checked(table, name, value):
    if name not in TABLES[table]:
        raise PolicyError(f"unknown name {name} in [{table}]")
    if type(value) is not int:
        raise PolicyError(f"{name} is no whole number")
    if table == "keep" and value < 0:
        raise PolicyError(f"{name} is negative")
    return value
