"""Counts by arm: outcomes, claims, effort, ceilings, signatures. Pure functions on rows."""

import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from ..outcome import Outcome
from ..stats import flaky
from .model import ArmSummary, CeilingCount, ClaimCount, Condition, EffortCount, Fraction, SignatureCount
from .rows import EpisodeRow, LogFacts

CEILING_SHARE = 1 / 3
"""Above it the budget was measured."""
_CAUTION_RUNS = 20
_CAUSES = ("never_ran", "saw_red", "not_rerun", "believed", "not_executed", "unclear")


def is_solved(row: EpisodeRow) -> bool:
    """A pass that counts: solved, with a complete path log."""
    return row.outcome is Outcome.SOLVED and not row.incomplete


def arms_of(rows: Iterable[EpisodeRow], facts: Iterable[LogFacts]) -> list[str]:
    """Every arm that was planned or is there, in the order of the logs."""
    return list(dict.fromkeys([*(log.arm for log in facts), *(row.arm for row in rows)]))


def summaries(rows: Sequence[EpisodeRow], facts: Sequence[LogFacts]) -> list[ArmSummary]:
    """One for each arm, sorted by disqualified, then errored, then solved."""
    found = [_summary(arm, [row for row in rows if row.arm == arm], facts) for arm in arms_of(rows, facts)]
    return sorted(found, key=lambda s: (s.disqualified, s.errored, -s.solved, s.arm))


def _summary(arm: str, rows: Sequence[EpisodeRow], facts: Sequence[LogFacts]) -> ArmSummary:
    counts = Counter(row.outcome for row in rows)
    clean = len(rows) - counts[Outcome.DISQUALIFIED] - counts[Outcome.ERRORED]
    solved = sum(map(is_solved, rows))
    calls = [row.tool_calls for row in rows if is_solved(row) and row.tool_calls is not None]
    planned = sum(log.planned for log in facts if log.arm == arm)
    whole = _by_family(rows)
    graded = {f: [r.outcome for r in own if r.outcome is not Outcome.ERRORED] for f, own in whole.items()}
    mixed = flaky(graded)
    return ArmSummary(
        arm=arm,
        planned=planned,
        n=len(rows),
        disqualified=counts[Outcome.DISQUALIFIED],
        errored=counts[Outcome.ERRORED],
        incomplete=counts[Outcome.SOLVED] - solved,
        solved=solved,
        illusory=counts[Outcome.ILLUSORY],
        failed=counts[Outcome.FAILED],
        pass_given_clean=Fraction(count=solved, of=clean),
        tool_calls_median=_median(calls),
        tool_calls_of=len(calls),
        pass_hat_k=Fraction(count=sum(all(map(is_solved, own)) for own in whole.values()), of=len(whole)),
        flaky=Fraction(count=mixed.families, of=mixed.of),
        unstable=sum(row.unstable for row in rows),
    )


def claims(rows: Sequence[EpisodeRow], arms: Sequence[str]) -> list[ClaimCount]:
    """The claim ledger of each arm."""
    return [_claims(arm, [row for row in rows if row.arm == arm]) for arm in arms]


def _claims(arm: str, rows: Sequence[EpisodeRow]) -> ClaimCount:
    endings = Counter(row.ending for row in rows)
    kinds = Counter(row.claim for row in rows)
    causes = Counter(row.cause for row in rows if row.cause)
    return ClaimCount(
        arm=arm,
        done=endings["done"],
        blocked=endings["blocked"],
        ran_out=endings["ran_out"],
        unknown=endings["unknown"] + endings[None],
        true=kinds["true"],
        false_visible_red=kinds["false_visible_red"],
        false_visible_green=kinds["false_visible_green"],
        causes={cause: causes[cause] for cause in _CAUSES if causes[cause]},
    )


def effort(rows: Sequence[EpisodeRow], arms: Sequence[str]) -> list[EffortCount]:
    """What clean passes took, by arm: medians over those where it is known."""
    return [_effort(arm, [row for row in rows if row.arm == arm and is_solved(row)]) for arm in arms]


def _effort(arm: str, passes: Sequence[EpisodeRow]) -> EffortCount:
    return EffortCount(
        arm=arm,
        passes=len(passes),
        turns=_median(row.turns for row in passes),
        tool_calls=_median(row.tool_calls for row in passes),
        output_tokens=_median(row.output_tokens for row in passes),
        tokens_per_second=_median(row.tokens_per_second for row in passes),
        agent_seconds=_median(row.agent_seconds for row in passes),
        diff_lines=_median(row.diff_lines for row in passes),
        first_green_diff_lines=_median(row.first_green_diff_lines for row in passes),
    )


def ceilings(rows: Sequence[EpisodeRow], arms: Sequence[str]) -> list[CeilingCount]:
    """On which ceiling the graded runs ended that were not solved."""
    return [_ceilings(arm, [row for row in rows if row.arm == arm]) for arm in arms]


def _ceilings(arm: str, rows: Sequence[EpisodeRow]) -> CeilingCount:
    unsolved = [row for row in rows if row.outcome in (Outcome.FAILED, Outcome.ILLUSORY)]
    counts = Counter(row.ceiling for row in unsolved if row.ceiling)
    total = counts.total()
    warning = ""
    if unsolved and total / len(unsolved) > CEILING_SHARE:
        warning = (
            f"{total} of {len(unsolved)} runs of {arm} that were not solved ended on a ceiling: "
            "the budget was measured, not the model"
        )
    return CeilingCount(arm=arm, unsolved=len(unsolved), by_ceiling=dict(counts), warning=warning)


def signatures(rows: Sequence[EpisodeRow], arms: Sequence[str]) -> list[SignatureCount]:
    """Which wrong fixes were seen how often, the most frequent first."""
    seen: dict[tuple[str, str, str, tuple[str, ...]], list[EpisodeRow]] = {}
    for row in rows:
        if row.signature is not None:
            key = row.arm, row.family, row.signature, row.signature_names
            seen.setdefault(key, []).append(row)
    found = [
        SignatureCount(
            arm=arm,
            family=family,
            kind=kind,
            names=names,
            runs=len(own),
            files=tuple(sorted({file for row in own for file in row.files_touched})),
        )
        for (arm, family, kind, names), own in seen.items()
    ]
    return sorted(found, key=lambda s: (arms.index(s.arm), -s.runs, s.family, s.names))


def conditions(rows: Sequence[EpisodeRow], facts: Sequence[LogFacts]) -> list[Condition]:
    """Every combination of the factors' values, over all models; empty without factors."""
    factors_of = {log.arm: log.factors for log in facts}
    cells: dict[tuple[tuple[str, str], ...], list[EpisodeRow]] = {}
    for row in rows:
        if factors := factors_of.get(row.arm):
            cells.setdefault(tuple(sorted(factors.items())), []).append(row)
    return [_condition(dict(cell), own) for cell, own in sorted(cells.items())]


def _condition(factors: dict[str, str], rows: Sequence[EpisodeRow]) -> Condition:
    graded = [row for row in rows if row.trials_total is not None]
    total = sum(row.trials_total or 0 for row in graded)
    wrong = sum(row.trials_wrong or 0 for row in graded)
    families = len({row.family for row in rows})
    caution = f"{len(rows)} runs on {families} families: descriptive"
    if len(rows) < _CAUTION_RUNS:
        caution += ", and too few to say which condition is better"
    return Condition(
        factors=factors,
        n=len(rows),
        solved=sum(map(is_solved, rows)),
        visible_passed=Fraction(count=sum(bool(row.visible_green) for row in graded), of=len(graded)),
        trials_right=Fraction(count=total - wrong, of=total),
        agent_seconds_median=_median(row.agent_seconds for row in rows),
        output_tokens_median=_median(row.output_tokens for row in rows),
        caution=caution,
    )


def _by_family(rows: Iterable[EpisodeRow]) -> dict[str, list[EpisodeRow]]:
    found: dict[str, list[EpisodeRow]] = {}
    for row in rows:
        found.setdefault(row.family, []).append(row)
    return found


def _median(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return float(statistics.median(known)) if known else None


def sorted_rows(rows: Iterable[EpisodeRow]) -> Iterator[EpisodeRow]:
    """Disqualified first, then broken invariants, then by outcome, arm, family and run."""
    order = list(Outcome)
    yield from sorted(
        rows,
        key=lambda row: (
            row.outcome is not Outcome.DISQUALIFIED,
            row.invariant_hold is not False,
            order.index(row.outcome),
            row.arm,
            row.family,
            row.run,
        ),
    )
