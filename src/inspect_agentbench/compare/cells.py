"""One cell for each family and arm, and whether it may count in a paired verdict."""

from collections import Counter
from collections.abc import Sequence

from ..outcome import Outcome
from .arms import arms_of, is_solved
from .model import Cell
from .rows import EpisodeRow, LogFacts


def cells(rows: Sequence[EpisodeRow], facts: Sequence[LogFacts]) -> list[Cell]:
    """Every arm by every family, absent ones among them."""
    families = sorted({row.family for row in rows})
    own: dict[tuple[str, str], list[EpisodeRow]] = {}
    for row in rows:
        own.setdefault((row.arm, row.family), []).append(row)
    return [
        _cell(arm, family, own.get((arm, family), []), facts)
        for arm in arms_of(rows, facts)
        for family in families
    ]


def _cell(arm: str, family: str, own: Sequence[EpisodeRow], facts: Sequence[LogFacts]) -> Cell:
    counts = Counter(row.outcome for row in own)
    why = _why_not(arm, family, own, facts)
    return Cell(
        arm=arm,
        family=family,
        solved=sum(map(is_solved, own)),
        runs=len(own) - counts[Outcome.ERRORED],
        outcomes={outcome: counts[outcome] for outcome in Outcome if counts[outcome]},
        eligible=not why,
        why_not=why,
    )


def _why_not(arm: str, family: str, own: Sequence[EpisodeRow], facts: Sequence[LogFacts]) -> str:
    """Why the cell is in no paired verdict, in a few words; empty if it is."""
    if not own:
        return "no run"
    if any(row.label != "scored" for row in own):
        return own[0].label
    errored = sum(row.outcome is Outcome.ERRORED for row in own)
    if errored:
        return f"{errored} of {len(own)} runs errored"
    incomplete = sum(row.incomplete for row in own)
    if incomplete:
        return f"{incomplete} passes without a complete path log"
    helped = {name for log in facts if log.arm == arm for name in _helpers(log, family)}
    return f"{', '.join(sorted(helped))} helped to write it" if helped else ""


def _helpers(log: LogFacts, family: str) -> list[str]:
    """Names in the family's lane that the arm's model carries."""
    model = log.model.lower()
    return [name for name in log.lanes.get(family, ()) if name.lower() in model]
