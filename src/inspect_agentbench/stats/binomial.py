"""Exact bounds of a proportion, by Clopper and Pearson (Biometrika 26, 1934, 404-413)."""

from typing import NamedTuple

from scipy.stats import beta

CONFIDENCE = 0.95


class Interval(NamedTuple):
    """Two-sided, both ends included; from 0 to 1."""

    low: float
    high: float


def interval(count: int, of: int, confidence: float = CONFIDENCE) -> Interval:
    """The two-sided interval of a proportion seen `count` times in `of`; (0, 1) when nothing was tried.

    It excludes one half exactly where the two-sided sign test on `count` and `of - count` rejects, so that
    a plot of it never contradicts the test. Raises as `upper_bound` does.
    """
    tail = 1 - (1 - confidence) / 2
    return Interval(lower_bound(count, of, tail), upper_bound(count, of, tail))


def upper_bound(count: int, of: int, confidence: float = CONFIDENCE) -> float:
    """The one-sided upper bound of a proportion seen `count` times in `of`; 1 when nothing was tried.

    Raises ValueError unless 0 <= count <= of and 0 < confidence < 1.
    """
    _check(count, of, confidence)
    return 1.0 if count == of else float(beta.ppf(confidence, count + 1, of - count))


def lower_bound(count: int, of: int, confidence: float = CONFIDENCE) -> float:
    """The one-sided lower bound; 0 when nothing was tried. Raises as `upper_bound` does."""
    _check(count, of, confidence)
    return 0.0 if count == 0 else float(beta.ppf(1 - confidence, count, of - count + 1))


def _check(count: int, of: int, confidence: float) -> None:
    if not 0 <= count <= of:
        raise ValueError(f"{count} of {of} is no count")
    if not 0 < confidence < 1:
        raise ValueError(f"a confidence of {confidence} is not between 0 and 1")
