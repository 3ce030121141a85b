"""Power of the sign test, the plan of a campaign, and reliability over runs."""

from itertools import combinations
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspect_agentbench.stats import (
    flaky,
    least_families,
    pass_at_k,
    pass_hat_k,
    plan,
    plan_line,
    power,
    smallest_share,
    wins_needed,
)

TABLE = {
    7: (7, (0.08, 0.21, 0.48), (0.06, 0.14, 0.30), (0.02, 0.04, 0.08), 0.97),
    10: (9, (0.15, 0.38, 0.74), (0.11, 0.27, 0.56), (0.06, 0.15, 0.32), 0.92),
    12: (10, (0.25, 0.56, 0.89), (0.14, 0.35, 0.69), (0.09, 0.22, 0.47), 0.87),
    15: (12, (0.30, 0.65, 0.94), (0.19, 0.46, 0.81), (0.13, 0.32, 0.63), 0.84),
    20: (15, (0.42, 0.80, 0.99), (0.29, 0.64, 0.93), (0.19, 0.46, 0.80), 0.80),
}
"""By families: wins needed, power at 0.7, 0.8, 0.9 without ties, with 20 % and 40 %, the share for 80 %."""


@pytest.mark.parametrize("families", TABLE)
def test_the_table_of_the_method(families: int) -> None:
    """To every digit that docs/statistics.md prints."""
    needed, *rows, share = TABLE[families]
    assert wins_needed(families) == needed
    for row, ties in zip(rows, (0.0, 0.2, 0.4), strict=True):
        assert [round(power(families, p, ties), 2) for p in (0.7, 0.8, 0.9)] == pytest.approx(row, abs=0.011)
    assert smallest_share(families) == pytest.approx(share, abs=0.006)


@pytest.mark.parametrize("families", range(1, 6))
def test_five_families_show_nothing(families: int) -> None:
    """Whatever the truth is."""
    assert wins_needed(families) is None
    assert power(families, 1.0) == 0
    assert smallest_share(families) is None
    assert "no winner can be named" in plan_line(plan(families, 3, 2))


@pytest.mark.parametrize(
    ("comparisons", "families"), [(1, 6), (3, 7), (6, 8), (10, 9), (15, 10), (21, 10), (28, 11), (45, 11)]
)
def test_the_fewest_families_for_so_many_comparisons(comparisons: int, families: int) -> None:
    """All pairs of 2 to 8 and of 10 arms."""
    assert least_families(comparisons) == families


def test_the_plan_counts_its_comparisons() -> None:
    """All pairs, or one arm against the rest, which costs less."""
    assert plan(12, 3, 4).comparisons == 6
    assert plan(12, 3, 4, baseline=True).comparisons == 3
    assert plan(15, 3, 5, baseline=True).power_at_09 > plan(15, 3, 5).power_at_09
    assert "10 of 12 families must be won" in plan_line(plan(12, 3, 2))


@pytest.mark.parametrize("sizes", [(0, 3, 2), (7, 0, 2), (7, 3, 1)])
def test_a_plan_of_nothing_is_refused(sizes: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="compare nothing"):
        plan(*sizes)


@given(st.integers(1, 8).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n), st.integers(1, n))))
def test_reliability_is_the_share_of_all_choices_of_runs(case: tuple[int, int, int]) -> None:
    """At least one, and all, of k runs chosen from those that there are."""
    solved, runs, k = case
    chosen = list(combinations([1] * solved + [0] * (runs - solved), k))
    assert len(chosen) == comb(runs, k)
    assert pass_at_k(solved, runs, k) == pytest.approx(sum(map(any, chosen)) / len(chosen))
    assert pass_hat_k(solved, runs, k) == pytest.approx(sum(map(all, chosen)) / len(chosen))


@pytest.mark.parametrize("case", [(1, 3, 4), (4, 3, 1), (1, 3, 0)])
def test_reliability_without_enough_runs_is_refused(case: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="runs"):
        pass_at_k(*case)


def test_flaky_families_are_those_whose_runs_disagree() -> None:
    """A family with one graded run cannot disagree, and is not in the denominator."""
    outcomes = {"a": ["solved", "failed", "solved"], "b": ["solved"] * 3, "c": ["failed"], "d": []}
    assert flaky(outcomes) == (1, 2)
