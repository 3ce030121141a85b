"""Exact bounds of a proportion, by Clopper and Pearson (Biometrika 26, 1934, 404-413)."""

from scipy.stats import beta

CONFIDENCE = 0.95


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
