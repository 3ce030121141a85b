"""Trying again what the harness broke."""

from collections.abc import Callable
from typing import TypeVar

from ..errors import HarnessFault, OracleFault

FAULT_RETRIES = 2
"""How often a room or a judge that the harness broke is tried again."""

_T = TypeVar("_T")


def again(work: Callable[[], _T]) -> _T:
    """What `work` gives, tried a fixed number of times; an oracle's own fault would only come again."""
    for _ in range(FAULT_RETRIES):
        try:
            return work()
        except OracleFault:
            raise
        except HarnessFault:
            continue
    return work()
