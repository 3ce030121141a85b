"""The sign test, its floor, Holm's correction and the verdict: known values, properties, other libraries."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.descriptivestats import sign_test as statsmodels_sign_test
from statsmodels.stats.multitest import multipletests

from inspect_agentbench.stats import Verdict, WinsLosses, decide, floor, holm, interval, sign_test

small = st.integers(0, 40)
p_values = st.lists(st.floats(0, 1), min_size=1, max_size=12)


@pytest.mark.parametrize(
    ("wins", "losses", "p"),
    [(7, 0, 0.015625), (6, 0, 0.03125), (5, 0, 0.0625), (9, 1, 0.0215), (8, 2, 0.109), (0, 0, 1.0)],
)
def test_known_values(wins: int, losses: int, p: float) -> None:
    """Five families can never reach 0.05, six only by 6-0."""
    assert sign_test(wins, losses) == pytest.approx(p, abs=5e-4)


@given(small, small)
def test_statsmodels_agrees(wins: int, losses: int) -> None:
    """With its sign test, zeros dropped, and with the exact McNemar test."""
    signs = [1] * wins + [-1] * losses + [0] * 3
    if wins + losses:
        assert sign_test(wins, losses) == pytest.approx(statsmodels_sign_test(signs)[1])
        assert sign_test(wins, losses) == pytest.approx(mcnemar([[0, wins], [losses, 0]], exact=True).pvalue)


@given(st.integers(0, 12), st.integers(0, 12))
def test_counting_all_outcomes_agrees(wins: int, losses: int) -> None:
    """The share of all 2^n ways to win or lose that are at least as lopsided."""
    untied = wins + losses
    lopsided = abs(wins - losses)
    if untied <= 12:
        ways = [abs(sum(signs)) for signs in itertools.product((1, -1), repeat=untied)]
        assert sign_test(wins, losses) == pytest.approx(sum(way >= lopsided for way in ways) / len(ways))


@given(small, small)
def test_p_is_never_below_the_floor_and_does_not_depend_on_the_order(wins: int, losses: int) -> None:
    """The floor that is printed is true, and swapping the arms changes nothing."""
    assert sign_test(wins, losses) >= floor(wins + losses) - 1e-12
    assert sign_test(wins, losses) == sign_test(losses, wins)
    assert sign_test(wins + losses, 0) == pytest.approx(floor(wins + losses))


@given(small, small)
def test_the_interval_excludes_one_half_exactly_where_the_test_rejects(wins: int, losses: int) -> None:
    """A forest plot can never contradict the verdict."""
    low, high = interval(wins, wins + losses)
    assert (low > 0.5 or high < 0.5) == (sign_test(wins, losses) <= 0.05)


@given(p_values)
def test_holm_is_that_of_statsmodels(values: list[float]) -> None:
    """Adjusted values in the order given, none below the raw one."""
    adjusted = holm(values)
    assert adjusted == pytest.approx(list(multipletests(values, method="holm")[1]))
    assert all(after >= before for before, after in zip(values, adjusted, strict=True))


@given(p_values)
def test_holm_keeps_the_order(values: list[float]) -> None:
    """The smaller p-value never gets the larger adjusted one."""
    pairs = sorted(zip(values, holm(values), strict=True))
    assert [after for _, after in pairs] == sorted(after for _, after in pairs)


def test_no_comparison_has_no_verdict() -> None:
    assert holm([]) == []
    assert decide([]) == []


@pytest.mark.parametrize(
    ("counts", "verdict"),
    [
        (WinsLosses(7, 0), Verdict.AHEAD),
        (WinsLosses(0, 6), Verdict.AHEAD),
        (WinsLosses(5, 0), Verdict.CANNOT_NAME_WINNER),
        (WinsLosses(0, 0), Verdict.CANNOT_NAME_WINNER),
        (WinsLosses(6, 1), Verdict.NO_DIFFERENCE_SHOWN),
        (WinsLosses(10, 10), Verdict.NO_DIFFERENCE_SHOWN),
    ],
)
def test_the_verdict_of_one_comparison(counts: WinsLosses, verdict: Verdict) -> None:
    """Cannot name a winner means: not even if all untied families had gone one way."""
    assert decide([counts])[0].verdict is verdict


def test_seven_families_rank_at_most_three_arms() -> None:
    """Three comparisons take p <= 0.0167 at Holm's first step, and 7-0 gives 0.0156."""
    three = decide([WinsLosses(7, 0), WinsLosses(3, 4), WinsLosses(4, 3)])
    assert three[0].verdict is Verdict.AHEAD
    six = decide([WinsLosses(7, 0)] + [WinsLosses(3, 4)] * 5)
    assert six[0].verdict is Verdict.CANNOT_NAME_WINNER


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), min_size=1, max_size=10))
def test_a_verdict_never_contradicts_its_numbers(pairs: list[tuple[int, int]]) -> None:
    """Ahead exactly where the adjusted p reaches the level; never better than the best possible."""
    for decision in decide([WinsLosses(*pair) for pair in pairs]):
        assert (decision.verdict is Verdict.AHEAD) == (decision.p_holm <= 0.05)
        assert decision.best_p_holm <= decision.p_holm + 1e-12
        assert decision.floor <= decision.p + 1e-12


@pytest.mark.parametrize("counts", [(-1, 0), (0, -1)])
def test_what_is_no_count_is_refused(counts: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="are no counts"):
        sign_test(*counts)
