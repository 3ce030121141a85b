"""The rule of promotion: bands, ties, ceilings first, and panels that are not whole."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspect_agentbench.panel import Measured, decide, mean_error

WHOLE = {"small": 3, "middle": 3, "large": 3}


def measured(solved: int, hints: int = 0, ceilings: int = 0, **other: object) -> Measured:
    return Measured(f"v{hints}", hints, WHOLE, solved, ceilings, **other)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("solved", "promoted"), [(0, False), (2, False), (3, True), (4, True), (6, True), (7, False), (9, False)]
)
def test_the_band_is_three_to_six_of_nine(solved: int, promoted: bool) -> None:
    """0.3 to 0.7."""
    assert (decide([measured(solved)]).promoted == "v0") == promoted


def test_of_two_the_closer_to_one_half() -> None:
    """However many hints it gives."""
    found = decide([measured(4, hints=2), measured(3, hints=0)])
    assert found.promoted == "v2"
    assert found.reasons["v0"] == "in the band, but v2 is closer to 0.5"


def test_on_a_tie_the_one_with_fewer_hints() -> None:
    """4 and 5 of 9 are equally far from one half."""
    found = decide([measured(5, hints=1), measured(4, hints=0)])
    assert found.promoted == "v0"
    assert "gives fewer hints" in found.reasons["v1"]


def test_a_budget_that_was_measured_promotes_nothing() -> None:
    """Most unsolved runs ended on a ceiling, although the rate is in the band."""
    found = decide([measured(4, ceilings=3)])
    assert found.promoted is None
    assert found.reasons["v0"] == "3 of 5 unsolved runs ended on a ceiling: the budget was measured"
    assert decide([measured(4, ceilings=2)]).promoted == "v0"


@pytest.mark.parametrize("runs", [{"a": 3, "b": 3}, {"a": 3, "b": 3, "c": 2}, {"a": 9}, {}])
def test_a_panel_that_is_not_whole_decides_nothing(runs: dict[str, int]) -> None:
    """Three models, three runs each; anything else says what is missing."""
    found = decide([Measured("v", 0, runs, 0, 0)])
    assert found.promoted is None
    assert "not a whole panel of 3 models x 3 runs" in found.reasons["v"]


def test_errored_runs_decide_nothing() -> None:
    """They are run again first."""
    assert decide([measured(4, errored=1)]).promoted is None


@given(st.lists(st.integers(0, 9), min_size=1, max_size=5))
def test_what_is_promoted_is_in_the_band_and_has_every_reason(solved: list[int]) -> None:
    """One variant at most, and a reason for each."""
    variants = [measured(count, hints) for hints, count in enumerate(solved)]
    found = decide(variants)
    assert set(found.reasons) == {one.variant for one in variants}
    assert all(found.reasons.values())
    assert sum(reason == "promoted" for reason in found.reasons.values()) == (found.promoted is not None)
    if any(3 <= count <= 6 for count in solved):
        assert found.promoted is not None


def test_predictions_are_measured_too() -> None:
    """The mean of the absolute errors, over variants with a prediction."""
    variants = [measured(9, 0, predicted=0.5), measured(0, 1, predicted=0.25), measured(3, 2)]
    assert mean_error(variants) == pytest.approx(0.375)
    assert mean_error([measured(3)]) is None
