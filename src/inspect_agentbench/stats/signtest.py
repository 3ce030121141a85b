"""The exact sign test on families, its floor, Holm's correction, and the verdict that follows.

Two-sided; ties are dropped, which is exact for the hypothesis that a win is as likely as a loss (Dixon and
Mood, JASA 41, 1946, 557-566). Holm: Scandinavian Journal of Statistics 6, 1979, 65-70.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from scipy.stats import binomtest

ALPHA = 0.05


class Verdict(StrEnum):
    """What may be said of two arms."""

    AHEAD = "ahead"
    """One of them, at the level asked for, all declared comparisons considered."""
    NO_DIFFERENCE_SHOWN = "no_difference_shown"
    """There was a chance to show one."""
    CANNOT_NAME_WINNER = "cannot_name_winner"
    """The untied families are too few: even if all had gone one way, the level would not be reached."""


class WinsLosses(NamedTuple):
    """Families that the first arm won and lost; ties are in neither."""

    wins: int
    losses: int


class Decision(NamedTuple):
    """One comparison among those declared."""

    p: float
    """Exact, two-sided, before correction."""
    p_holm: float
    floor: float
    """The least p that so many untied families can give."""
    best_p_holm: float
    """What `p_holm` would be, had all untied families gone one way and all else been as it is."""
    verdict: Verdict


def sign_test(wins: int, losses: int) -> float:
    """The exact two-sided p of so many wins and losses; 1 where everything is tied.

    Raises ValueError for negative counts.
    """
    if wins < 0 or losses < 0:
        raise ValueError(f"{wins} wins and {losses} losses are no counts")
    untied = wins + losses
    return float(binomtest(wins, untied).pvalue) if untied else 1.0


def floor(untied: int) -> float:
    """The least p that so many untied families can give: 2 / 2^n, at most 1."""
    return min(1.0, 2.0 / 2.0**untied)


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's adjusted p-values, in the order given."""
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    adjusted, highest = [0.0] * len(p_values), 0.0
    for step, number in enumerate(order):
        highest = max(highest, min(1.0, (len(order) - step) * p_values[number]))
        adjusted[number] = highest
    return adjusted


def decide(comparisons: Sequence[WinsLosses], alpha: float = ALPHA) -> list[Decision]:
    """The verdict on every declared comparison, in the order given."""
    p_values = [sign_test(*counts) for counts in comparisons]
    floors = [floor(sum(counts)) for counts in comparisons]
    decisions = []
    for number, adjusted in enumerate(holm(p_values)):
        best = holm([*p_values[:number], floors[number], *p_values[number + 1 :]])[number]
        verdict = _verdict(adjusted, best, alpha)
        decisions.append(Decision(p_values[number], adjusted, floors[number], best, verdict))
    return decisions


def _verdict(adjusted: float, best: float, alpha: float) -> Verdict:
    if adjusted <= alpha:
        return Verdict.AHEAD
    return Verdict.CANNOT_NAME_WINNER if best > alpha else Verdict.NO_DIFFERENCE_SHOWN
