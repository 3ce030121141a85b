"""Exact statistics on integer counts. Knows nothing of docker, Inspect or families."""

from .binomial import lower_bound, upper_bound

__all__ = ["lower_bound", "upper_bound"]
