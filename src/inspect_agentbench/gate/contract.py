"""What the gate demands, in numbers. Fixed in code, printed with every result."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Contract:
    """The numbers of the gate. Those of the bank stand here; its controls run under smaller ones."""

    repeats: int = 3
    """Rooms for each tree whose verdict must be the same."""
    room_seconds: float = 10.0
    """What one verification (a room with visible suite, fixed cases and trials) may take."""
    modules: int = 2
    """Python modules of the starting tree, tests apart."""
    code_lines: int = 150
    """Their lines that are neither blank nor comments only."""
    visible_tests: int = 6
    trials: int = 40
    correct_fixes: int = 2
    lazy_fixes: int = 2
    tag_share: float = 0.1
    """Share of the trials that each tag must have."""
    fresh_trials: int = 20_000
    """On which each correct fix must agree, under seeds that nobody chose."""
    power_trials: int = 4_000
    """Fresh trials that each lazy fix's rate of disagreement is measured on."""
    miss_probability: float = 1e-3
    """Of a fresh seed showing no disagreement of a lazy fix; it must be below."""


CONTRACT = Contract()


def in_words(numbers: Mapping[str, float]) -> str:
    """The numbers of a contract, by field, in one line."""
    return ", ".join(f"{name.replace('_', ' ')} {value:g}" for name, value in numbers.items())
