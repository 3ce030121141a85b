"""Measuring two things in turns, so that a machine that drifts does not favour one of them."""

import time
from collections.abc import Callable
from typing import NamedTuple


class Pairs(NamedTuple):
    """What two measurements gave; equal positions were measured one right after the other."""

    first: tuple[float, ...]
    second: tuple[float, ...]

    @property
    def ratios(self) -> tuple[float, ...]:
        """The first over the second, pair by pair."""
        return tuple(a / b for a, b in zip(self.first, self.second, strict=True))

    @property
    def differences(self) -> tuple[float, ...]:
        """The first less the second, pair by pair."""
        return tuple(a - b for a, b in zip(self.first, self.second, strict=True))


def alternate(first: Callable[[], float], second: Callable[[], float], repeat: int) -> Pairs:
    """Measure ABAB…; the caller's functions give the quantity themselves."""
    measured = [(first(), second()) for _ in range(repeat)]
    return Pairs(tuple(a for a, _ in measured), tuple(b for _, b in measured))


def seconds_of(work: Callable[[], object]) -> float:
    """Wall time of one call."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started
