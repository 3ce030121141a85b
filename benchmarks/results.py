"""A measured figure, its target, and how both are shown."""

import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib.metadata import version
from statistics import median
from typing import Any

from rich.console import Console
from rich.table import Table


class Bound(StrEnum):
    """Which side of its limit a figure has to stay on."""

    AT_MOST = "at most"
    AT_LEAST = "at least"


@dataclass(frozen=True)
class Target:
    """What a figure has to reach."""

    bound: Bound
    limit: float

    def is_met_by(self, value: float) -> bool:
        """Whether the value is on the right side of the limit, the limit itself included."""
        return value <= self.limit if self.bound is Bound.AT_MOST else value >= self.limit

    def __str__(self) -> str:
        return f"{self.bound} {self.limit:g}"


@dataclass(frozen=True)
class Figure:
    """The median of one quantity over the repeats of one run."""

    benchmark: str
    name: str
    unit: str
    samples: tuple[float, ...]
    """In the order in which they were measured."""
    target: Target | None = None

    @property
    def value(self) -> float:
        """The median."""
        return median(self.samples)

    @property
    def met(self) -> bool | None:
        """Whether the target is met; None without one."""
        return None if self.target is None else self.target.is_met_by(self.value)

    def as_data(self) -> dict[str, Any]:
        """For `--json`."""
        return {
            "benchmark": self.benchmark,
            "name": self.name,
            "unit": self.unit,
            "median": self.value,
            "samples": list(self.samples),
            "target": None if self.target is None else str(self.target),
            "met": self.met,
        }


def at_most(limit: float) -> Target:
    """A target that small values meet."""
    return Target(Bound.AT_MOST, limit)


def at_least(limit: float) -> Target:
    """A target that large values meet."""
    return Target(Bound.AT_LEAST, limit)


def machine() -> dict[str, Any]:
    """What a figure depends on beside the code; the load says whether the machine was quiet."""
    return {
        "cores": os.cpu_count(),
        "load": [round(load, 2) for load in os.getloadavg()],
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "python": platform.python_version(),
        "inspect_ai": version("inspect_ai"),
        "inspect_agentbench": version("inspect_agentbench"),
    }


def print_figures(figures: Sequence[Figure]) -> None:
    """A table with the median, the range and the target of each figure."""
    table = Table("benchmark", "figure", "median", "range", "target", "met", box=None, pad_edge=False)
    for figure in figures:
        unit = f" {figure.unit}".rstrip()
        table.add_row(
            figure.benchmark,
            figure.name,
            f"{_number(figure.value)}{unit}",
            f"{_number(min(figure.samples))} to {_number(max(figure.samples))}",
            f"{figure.target}{unit}" if figure.target else "",
            {True: "yes", False: "NO", None: ""}[figure.met],
        )
    Console(width=None if os.isatty(1) else 140).print(table)


def _number(value: float) -> str:
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"
