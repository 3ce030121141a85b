"""Paired verdicts: the unit is the family, the test is the exact sign test, the correction is Holm's."""

from collections.abc import Sequence
from itertools import combinations

from ..stats import (
    ALPHA,
    Decision,
    FamilyCounts,
    Verdict,
    decide,
    floor,
    mean_difference,
    sign_flip,
    win_share,
    wins_losses,
)
from .model import Cell, PairVerdict

Table = dict[tuple[str, str], Cell]


def pair_verdicts(
    cells: Sequence[Cell], arms: Sequence[str], baseline: str | None = None, alpha: float = ALPHA
) -> list[PairVerdict]:
    """The declared comparisons: all pairs of arms, or the baseline against each other arm."""
    table: Table = {(cell.arm, cell.family): cell for cell in cells}
    families = list(dict.fromkeys(cell.family for cell in cells))
    pairs = [(baseline, arm) for arm in arms if arm != baseline] if baseline else list(combinations(arms, 2))
    left = [{f: why for f in families if (why := _why_not(table, f, a, b))} for a, b in pairs]
    counts = [
        [_counts(table, f, a, b) for f in families if f not in out]
        for (a, b), out in zip(pairs, left, strict=True)
    ]
    decisions = decide([wins_losses(own) for own in counts], alpha)
    return [
        _verdict(a, b, own, out, decision)
        for (a, b), own, out, decision in zip(pairs, counts, left, decisions, strict=True)
    ]


def _why_not(table: Table, family: str, a: str, b: str) -> str:
    """Why the family does not count for this pair; empty if it does."""
    one, two = table[a, family], table[b, family]
    for cell in (one, two):
        if not cell.eligible:
            return cell.why_not if cell.why_not in ("smoke", "retired") else f"{cell.arm}: {cell.why_not}"
    return "" if one.runs == two.runs else f"{one.runs} runs against {two.runs}"


def _counts(table: Table, family: str, a: str, b: str) -> FamilyCounts:
    one, two = table[a, family], table[b, family]
    return FamilyCounts(family, one.solved, two.solved, one.runs)


def _verdict(
    a: str, b: str, counts: Sequence[FamilyCounts], left_out: dict[str, str], decision: Decision
) -> PairVerdict:
    wins, losses = wins_losses(counts)
    share, mean = win_share(wins_losses(counts)), mean_difference(counts)
    winner = None
    if decision.verdict is Verdict.AHEAD:
        winner = a if wins > losses else b
    return PairVerdict(
        a=a,
        b=b,
        families=tuple(one.family for one in counts),
        left_out=left_out,
        wins=wins,
        losses=losses,
        ties=len(counts) - wins - losses,
        p=decision.p,
        p_holm=decision.p_holm,
        design_floor=floor(len(counts)),
        floor=decision.floor,
        best_p_holm=decision.best_p_holm,
        verdict=decision.verdict.value,
        winner=winner,
        sentence=_sentence(a, b, wins, losses, len(counts), decision, winner),
        win_share=share[0] if share else None,
        win_share_low=share[1].low if share else None,
        win_share_high=share[1].high if share else None,
        mean_difference=mean.mean if mean else None,
        mean_difference_low=mean.interval.low if mean and mean.interval else None,
        mean_difference_high=mean.interval.high if mean and mean.interval else None,
        sign_flip_p=sign_flip(counts) if counts else None,
        differences={one.family: one.difference for one in counts},
    )


def _sentence(
    a: str, b: str, wins: int, losses: int, families: int, decision: Decision, winner: str | None
) -> str:
    ties = families - wins - losses
    counted = f"{wins} won, {losses} lost, {ties} tied of {families} families"
    if winner:
        loser = b if winner == a else a
        return f"{winner} is ahead of {loser}: {counted} by {a}; p = {decision.p_holm:.2g} after Holm"
    if decision.verdict is Verdict.NO_DIFFERENCE_SHOWN:
        return (
            f"No difference is shown between {a} and {b}: {counted} by the first; "
            f"p = {decision.p_holm:.2g} after Holm. This does not show that they are alike"
        )
    return (
        f"Between {a} and {b} no winner can be named: {counted} by the first, "
        f"and with {wins + losses} untied the best possible p is {decision.best_p_holm:.2g} after Holm"
    )
