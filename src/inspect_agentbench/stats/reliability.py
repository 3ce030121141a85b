"""How reliably an arm solves a family: at least once in k runs, in every one of k runs, always alike."""

from collections.abc import Mapping, Sequence
from math import comb
from typing import NamedTuple


class Flaky(NamedTuple):
    """Families whose runs disagree, of those where they could."""

    families: int
    of: int


def pass_at_k(solved: int, runs: int, k: int) -> float:
    """The chance that at least one of k runs is solved, without bias from `runs` >= k runs.

    1 - C(n-c, k) / C(n, k) (Chen et al., arXiv 2107.03374). Raises ValueError unless 0 <= solved <= runs and
    1 <= k <= runs.
    """
    _check(solved, runs, k)
    return 1 - comb(runs - solved, k) / comb(runs, k)


def pass_hat_k(solved: int, runs: int, k: int) -> float:
    """The chance that all of k runs are solved: C(c, k) / C(n, k). Raises as `pass_at_k` does."""
    _check(solved, runs, k)
    return comb(solved, k) / comb(runs, k)


def flaky(outcomes: Mapping[str, Sequence[str]]) -> Flaky:
    """Families whose graded runs disagree, of those with at least two; `outcomes` by family.

    A lower bound: a family with a true rate of 0.8 shows mixed outcomes in 48 % of cases with three runs.
    """
    several = [runs for runs in outcomes.values() if len(runs) > 1]
    return Flaky(sum(len(set(runs)) > 1 for runs in several), len(several))


def _check(solved: int, runs: int, k: int) -> None:
    if not 0 <= solved <= runs:
        raise ValueError(f"{solved} solved of {runs} runs is no count")
    if not 1 <= k <= runs:
        raise ValueError(f"k = {k} is not between 1 and the {runs} runs that there are")
