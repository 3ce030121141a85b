"""Paired counts of families: wins, win share, mean difference, sign flips, and what is refused."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import permutation_test

from inspect_agentbench.stats import (
    FamilyCounts,
    WinsLosses,
    mean_difference,
    sign_flip,
    sign_test,
    win_share,
    wins_losses,
)

families = st.integers(1, 5).flatmap(
    lambda runs: st.lists(st.tuples(st.integers(0, runs), st.integers(0, runs)), min_size=1, max_size=9).map(
        lambda pairs: [FamilyCounts(f"f{n}", a, b, runs) for n, (a, b) in enumerate(pairs)]
    )
)


def swapped(counts: list[FamilyCounts]) -> list[FamilyCounts]:
    return [FamilyCounts(c.family, c.solved_b, c.solved_a, c.runs) for c in counts]


@given(families)
def test_swapping_the_arms_swaps_everything(counts: list[FamilyCounts]) -> None:
    """Wins become losses, the mean changes its sign, and no p moves."""
    wins, losses = wins_losses(counts)
    assert wins_losses(swapped(counts)) == (losses, wins)
    assert sign_flip(swapped(counts)) == pytest.approx(sign_flip(counts))
    one, other = mean_difference(counts), mean_difference(swapped(counts))
    assert one is not None
    assert other is not None
    assert one.mean == pytest.approx(-other.mean)


@given(families)
def test_a_tied_family_changes_nothing_but_the_ties(counts: list[FamilyCounts]) -> None:
    """Dropping ties is exact, so adding one leaves wins, share and p alone."""
    more = [*counts, FamilyCounts("tied", 1, 1, counts[0].runs)]
    assert wins_losses(more) == wins_losses(counts)
    assert win_share(wins_losses(more)) == win_share(wins_losses(counts))
    assert sign_flip(more) == pytest.approx(sign_flip(counts))


@given(families, st.integers(2, 5))
def test_copies_of_a_run_prove_nothing(counts: list[FamilyCounts], copies: int) -> None:
    """The same runs counted several times move no p: the family is the unit."""
    copied = [
        FamilyCounts(c.family, c.solved_a * copies, c.solved_b * copies, c.runs * copies) for c in counts
    ]
    assert sign_test(*wins_losses(copied)) == sign_test(*wins_losses(counts))
    assert sign_flip(copied) == pytest.approx(sign_flip(counts))


@given(families)
def test_the_sign_flip_test_is_the_exact_permutation_test(counts: list[FamilyCounts]) -> None:
    """As scipy gives it when it tries every flip."""
    differences = np.array([float(c.difference) for c in counts if c.difference])
    if len(differences) > 1:
        found = permutation_test(
            (differences,), np.sum, permutation_type="samples", n_resamples=np.inf, alternative="two-sided"
        )
        assert sign_flip(counts) == pytest.approx(found.pvalue)


@given(st.integers(0, 8), st.integers(0, 8), st.integers(1, 3))
def test_with_equal_differences_it_is_the_sign_test(wins: int, losses: int, size: int) -> None:
    """Magnitudes that say nothing change nothing."""
    won = [FamilyCounts(f"w{n}", size, 0, 3) for n in range(wins)]
    lost = [FamilyCounts(f"l{n}", 0, size, 3) for n in range(losses)]
    assert sign_flip(won + lost) == pytest.approx(sign_test(wins, losses))


def test_t_can_say_more_than_the_families_do() -> None:
    """Four wins and three ties: t excludes zero although no exact test can reach 0.05. Hence descriptive."""
    counts = [FamilyCounts(f"f{n}", 1 if n < 4 else 0, 0, 1) for n in range(7)]
    found = mean_difference(counts)
    assert found is not None
    assert found.interval is not None
    assert found.interval.low > 0
    assert sign_test(*wins_losses(counts)) == 0.125


def test_equal_differences_have_no_interval() -> None:
    """Its width would be zero, which looks like certainty."""
    found = mean_difference([FamilyCounts(f"f{n}", 2, 1, 3) for n in range(7)])
    assert found is not None
    assert (found.mean, found.interval) == (pytest.approx(1 / 3), None)
    assert mean_difference([]) is None
    assert win_share(WinsLosses(0, 0)) is None


REFUSED: dict[str, list[Any]] = {
    "a rate": [FamilyCounts("f", 0.5, 0, 1)],  # type: ignore[arg-type]
    "a single run": [FamilyCounts("f", True, False, 1)],
    "more than there are": [FamilyCounts("f", 4, 0, 3)],
    "no run": [FamilyCounts("f", 0, 0, 0)],
    "a negative": [FamilyCounts("f", -1, 0, 3)],
    "a family twice": [FamilyCounts("f", 1, 0, 1), FamilyCounts("f", 0, 0, 1)],
}


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("function", [wins_losses, sign_flip, mean_difference])
def test_what_is_no_count_of_families_is_refused(function: Any, name: str) -> None:
    """Nobody can feed single runs, rates or repeated families by mistake."""
    with pytest.raises(ValueError, match="famil"):
        function(REFUSED[name])
