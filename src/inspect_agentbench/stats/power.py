"""Before a campaign: what so many families can show. Exact sums of binomials, no simulation."""

from functools import cache
from typing import NamedTuple

from scipy.optimize import brentq
from scipy.stats import binom

from .signtest import ALPHA, floor, sign_test

POWER = 0.8


class Plan(NamedTuple):
    """What a campaign can show, for each of its declared comparisons."""

    families: int
    runs: int
    arms: int
    comparisons: int
    alpha: float
    floor: float
    """The least p if no family is tied."""
    wins_needed: int | None
    """Of all families untied, at Holm's first step; None if no result reaches the level."""
    power_at_08: float
    power_at_09: float
    """The chance to show a true win share of 0.8 and 0.9, without ties."""
    smallest_share: float | None
    """The win share that is shown with a chance of 0.8; None if none is."""


def wins_needed(untied: int, alpha: float = ALPHA) -> int | None:
    """The fewest wins of so many untied families that reach the level; None if even all do not."""
    if floor(untied) > alpha:
        return None
    return next(wins for wins in range(untied // 2, untied + 1) if sign_test(wins, untied - wins) <= alpha)


@cache
def power(families: int, win_share: float, tie_rate: float = 0.0, alpha: float = ALPHA) -> float:
    """The chance that the better arm is named, if it wins an untied family with `win_share`.

    Summed over how many families are tied, each with `tie_rate`.
    """
    total = 0.0
    for untied in range(families + 1):
        needed = wins_needed(untied, alpha)
        if needed is not None:
            chance = float(binom.pmf(untied, families, 1 - tie_rate))
            total += chance * float(binom.sf(needed - 1, untied, win_share))
    return total


def smallest_share(families: int, alpha: float = ALPHA, at_power: float = POWER) -> float | None:
    """The win share that is shown with that chance; None if the level cannot be reached at all."""
    if wins_needed(families, alpha) is None:
        return None
    return float(brentq(lambda share: power(families, share, 0.0, alpha) - at_power, 0.5, 1.0))


def least_families(comparisons: int, alpha: float = ALPHA) -> int:
    """The fewest untied families with which the first of so many comparisons can be won (Holm)."""
    return next(n for n in range(1, 1000) if floor(n) <= alpha / comparisons)


def plan(families: int, runs: int, arms: int, baseline: bool = False, alpha: float = ALPHA) -> Plan:
    """What a campaign can show; all pairs of arms, or one arm against the others with `baseline`.

    Raises ValueError unless there are at least one family, one run and two arms.
    """
    if families < 1 or runs < 1 or arms < 2:
        raise ValueError(f"{families} families, {runs} runs and {arms} arms compare nothing")
    comparisons = arms - 1 if baseline else arms * (arms - 1) // 2
    first = alpha / comparisons
    return Plan(
        families,
        runs,
        arms,
        comparisons,
        alpha,
        floor(families),
        wins_needed(families, first),
        power(families, 0.8, 0.0, first),
        power(families, 0.9, 0.0, first),
        smallest_share(families, first),
    )


def plan_line(planned: Plan) -> str:
    """The plan in a sentence for a person."""
    size = (
        f"{planned.arms} arms x {planned.families} families x {planned.runs} runs, "
        f"{planned.comparisons} comparison{'s' if planned.comparisons > 1 else ''}: "
        f"the least p is {planned.floor:.2g}"
    )
    if planned.wins_needed is None:
        enough = least_families(planned.comparisons, planned.alpha)
        return f"{size}, so no winner can be named at {planned.alpha:g}: that takes {enough} untied families"
    return (
        f"{size}; {planned.wins_needed} of {planned.families} families must be won (none tied); "
        f"a true win share of 0.8 is shown with a chance of {planned.power_at_08:.2f}, "
        f"of 0.9 with {planned.power_at_09:.2f}; "
        f"the smallest that is shown with a chance of {POWER:g} is {planned.smallest_share:.2f}"
    )
