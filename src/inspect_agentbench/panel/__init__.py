"""The panel: which variant of a family is neither too easy nor too hard. Pure functions on counts."""

from .rule import RULE, Decision, Measured, decide, mean_error

__all__ = ["RULE", "Decision", "Measured", "decide", "mean_error"]
