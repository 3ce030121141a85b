"""How surely a fresh seed finds a lazy fix."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspect_agentbench.gate.power import detection_power
from inspect_agentbench.gate.report import DetectionPower, Fraction
from inspect_agentbench.stats import lower_bound


def power(count: int, of: int, trials: int = 80) -> DetectionPower:
    pinned = Fraction(count=1, of=trials)
    return detection_power("fix", pinned, Fraction(count=count, of=of), trials, 1e-3)


def test_the_probability_is_that_of_every_trial_missing() -> None:
    """(1 - rate)^trials, with the rate's lower bound for the rate."""
    assert power(400, 4000).miss_probability == pytest.approx((1 - lower_bound(400, 4000)) ** 80)


@given(st.integers(1, 3999))
def test_the_trials_needed_are_enough_and_one_fewer_is_not(count: int) -> None:
    """The number that an author is told is the least that would do."""
    needed = power(count, 4000).trials_needed
    rate = lower_bound(count, 4000)
    assert (1 - rate) ** needed < 1e-3
    assert needed == 1 or (1 - rate) ** (needed - 1) >= 1e-3


def test_a_fix_that_never_disagreed_is_never_found() -> None:
    assert power(0, 4000).miss_probability == 1.0
    assert power(0, 4000).trials_needed == 0


@given(st.lists(st.floats(0, 1), min_size=1, max_size=60))
def test_trials_that_differ_only_miss_less(rates: list[float]) -> None:
    """The bound holds for trials of unequal power: the inequality of the means."""
    missed = 1.0
    for rate in rates:
        missed *= 1 - rate
    assert missed <= (1 - sum(rates) / len(rates)) ** len(rates) + 1e-12


def test_the_bound_holds_in_a_simulation() -> None:
    """Of sets with a known mixed rate, no larger share misses than the bound says."""
    rng = random.Random(7)
    rates = [0.0, 0.02, 0.2] * 10
    missed = sum(all(rng.random() >= rate for rate in rates) for _ in range(4000)) / 4000
    seen = sum(rng.random() < rate for _ in range(200) for rate in rates)
    found = detection_power(
        "fix", Fraction(count=1, of=30), Fraction(count=seen, of=200 * 30), len(rates), 1e-3
    )
    assert missed <= found.miss_probability
