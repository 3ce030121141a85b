"""Paired counts of families: the unit of every comparison. Nothing here takes single runs.

Runs of one family are no independent observations: testing them rejects a true null in 8 to 34 % of
experiments at a nominal 5 %.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.stats import ttest_1samp

from .binomial import Interval, interval
from .signtest import WinsLosses


class FamilyCounts(NamedTuple):
    """One family under two arms with the same number of runs."""

    family: str
    solved_a: int
    solved_b: int
    runs: int

    @property
    def difference(self) -> int:
        """Solved runs of the first less those of the second."""
        return self.solved_a - self.solved_b


class MeanDifference(NamedTuple):
    """Of the solve rates, first less second, over families. Descriptive: the verdict is the sign test's."""

    mean: float
    interval: Interval | None
    """By Student's t, 95 %; None for a single family, or if all differences are equal."""


def check(counts: Sequence[FamilyCounts]) -> None:
    """Raise ValueError unless these are whole counts of different families."""
    for one in counts:
        numbers = (one.solved_a, one.solved_b, one.runs)
        if any(type(number) is not int for number in numbers):
            raise ValueError(f"family {one.family}: counts are whole numbers, not {numbers}")
        if one.runs < 1 or not all(0 <= solved <= one.runs for solved in numbers[:2]):
            raise ValueError(f"family {one.family}: {numbers[:2]} solved of {one.runs} runs is no count")
    names = Counter(one.family for one in counts)
    if double := [name for name, times in names.items() if times > 1]:
        raise ValueError(f"families {', '.join(double)} are given twice; runs of one family are one unit")


def wins_losses(counts: Sequence[FamilyCounts]) -> WinsLosses:
    """A family is won by the arm that solved it in more runs. Raises ValueError, see `check`."""
    check(counts)
    wins = sum(one.difference > 0 for one in counts)
    return WinsLosses(wins, sum(one.difference < 0 for one in counts))


def win_share(counts: WinsLosses) -> tuple[float, Interval] | None:
    """Wins of the untied families, with its Clopper-Pearson interval; None if all are tied."""
    untied = counts.wins + counts.losses
    return (counts.wins / untied, interval(counts.wins, untied)) if untied else None


def mean_difference(counts: Sequence[FamilyCounts]) -> MeanDifference | None:
    """The mean paired difference; None without families. Raises ValueError, see `check`."""
    check(counts)
    rates = [one.difference / one.runs for one in counts]
    if not rates:
        return None
    mean = float(np.mean(rates))
    if len(set(rates)) == 1:
        return MeanDifference(mean, None)
    found = ttest_1samp(rates, 0).confidence_interval()
    return MeanDifference(mean, Interval(float(found.low), float(found.high)))


def sign_flip(counts: Sequence[FamilyCounts]) -> float:
    """The exact two-sided p of the sum of differences in solved runs, over all flips of their signs.

    Fisher's randomisation test (The Design of Experiments, 1935, section 21), by convolution: the number of
    flips that give each sum. Secondary: it never names a winner. Raises ValueError, see `check`.
    """
    check(counts)
    differences = [abs(one.difference) for one in counts if one.difference]
    reach = sum(differences)
    ways = np.zeros(2 * reach + 1)
    ways[reach] = 1.0
    for difference in differences:
        ways = (np.roll(ways, difference) + np.roll(ways, -difference)) / 2
    seen = abs(sum(one.difference for one in counts))
    sums = np.abs(np.arange(-reach, reach + 1))
    return float(min(1.0, ways[sums >= seen].sum()))
