"""Exact bounds of a proportion, against closed forms and against the binomial distribution itself."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspect_agentbench.stats import lower_bound, upper_bound

counts = st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


def cumulative(k: int, n: int, p: float) -> float:
    """P(X <= k) by summing the binomial distribution."""
    return sum(math.comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(k + 1))


@pytest.mark.parametrize("n", [1, 3, 59, 300])
def test_nothing_seen_has_the_closed_form(n: int) -> None:
    """With 0 of n the bound is 1 - 0.05^(1/n); 59 clean repeats show a rate below 5 %."""
    assert upper_bound(0, n) == pytest.approx(1 - 0.05 ** (1 / n))


def test_59_clean_repeats_are_the_fewest_that_show_a_rate_below_5_percent() -> None:
    assert upper_bound(0, 59) < 0.05 < upper_bound(0, 58)


@given(counts)
def test_the_upper_bound_is_where_so_few_become_improbable(count: tuple[int, int]) -> None:
    """At the bound, seeing at most k has probability 5 %: Clopper and Pearson's own condition."""
    k, n = count
    if k < n:
        assert cumulative(k, n, upper_bound(k, n)) == pytest.approx(0.05, abs=1e-6)


@given(counts)
def test_the_bounds_mirror_each_other(count: tuple[int, int]) -> None:
    """What failed is what did not succeed."""
    k, n = count
    assert lower_bound(k, n) == pytest.approx(1 - upper_bound(n - k, n), abs=1e-9)
    assert lower_bound(k, n) <= k / n <= upper_bound(k, n)


def test_nothing_tried_says_nothing() -> None:
    assert (lower_bound(0, 0), upper_bound(0, 0)) == (0.0, 1.0)


@pytest.mark.parametrize(("k", "n"), [(-1, 3), (4, 3)])
def test_what_is_no_count_is_refused(k: int, n: int) -> None:
    with pytest.raises(ValueError, match="is no count"):
        upper_bound(k, n)
    with pytest.raises(ValueError, match="is no count"):
        lower_bound(k, n)


def test_a_confidence_outside_its_range_is_refused() -> None:
    with pytest.raises(ValueError, match="confidence"):
        upper_bound(1, 2, confidence=1.0)
