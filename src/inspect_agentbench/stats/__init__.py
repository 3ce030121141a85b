"""Exact statistics on integer counts. Knows nothing of docker, Inspect or families' files."""

from .binomial import Interval, interval, lower_bound, upper_bound
from .families import (
    FamilyCounts,
    MeanDifference,
    mean_difference,
    sign_flip,
    win_share,
    wins_losses,
)
from .power import Plan, least_families, plan, plan_line, power, smallest_share, wins_needed
from .reliability import flaky, pass_at_k, pass_hat_k
from .signtest import ALPHA, Decision, Verdict, WinsLosses, decide, floor, holm, sign_test

__all__ = [
    "ALPHA",
    "Decision",
    "FamilyCounts",
    "Interval",
    "MeanDifference",
    "Plan",
    "Verdict",
    "WinsLosses",
    "decide",
    "flaky",
    "floor",
    "holm",
    "interval",
    "least_families",
    "lower_bound",
    "mean_difference",
    "pass_at_k",
    "pass_hat_k",
    "plan",
    "plan_line",
    "power",
    "sign_flip",
    "sign_test",
    "smallest_share",
    "upper_bound",
    "win_share",
    "wins_losses",
    "wins_needed",
]
