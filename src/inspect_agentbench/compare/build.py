"""The whole comparison out of rows and facts."""

from collections.abc import Iterator, Sequence

from ..errors import AgentbenchError
from ..stats import ALPHA
from .arms import ceilings, claims, conditions, effort, signatures, sorted_rows, summaries
from .cells import cells
from .model import ArmSummary, CeilingCount, Comparison, Fraction, PairVerdict
from .pairs import pair_verdicts
from .rows import EpisodeRow, Left, LogFacts


def build(
    rows: Sequence[EpisodeRow],
    facts: Sequence[LogFacts],
    left_out: Sequence[Left] = (),
    *,
    title: str = "Comparison",
    baseline: str | None = None,
    mixed: bool = False,
    gate: str = "",
    alpha: float = ALPHA,
) -> Comparison:
    """Everything that is shown. Raises AgentbenchError for a baseline that is no arm, or for a single arm."""
    arms = summaries(rows, facts)
    names = [arm.arm for arm in arms]
    _check_arms(names, baseline)
    table = cells(rows, facts)
    pairs = [] if mixed else pair_verdicts(table, names, baseline, alpha)
    ended = ceilings(rows, names)
    return Comparison(
        title=title,
        arms=tuple(arms),
        families=tuple(dict.fromkeys(cell.family for cell in table)),
        cells=tuple(table),
        pairs=tuple(pairs),
        baseline=baseline,
        alpha=alpha,
        conditions=tuple(conditions(rows, facts)),
        signatures=tuple(signatures(rows, names)),
        claims=tuple(claims(rows, names)),
        effort=tuple(effort(rows, names)),
        ceilings=tuple(ended),
        rows=tuple(sorted_rows(rows)),
        left_out=tuple(left_out),
        logs=tuple(facts),
        calibrated=_calibrated(facts),
        gate=gate,
        sentences=tuple(_sentences(arms, pairs, mixed)),
        warnings=tuple(_warnings(arms, ended, facts, left_out)),
        mixed=mixed,
    )


def _check_arms(arms: Sequence[str], baseline: str | None) -> None:
    if baseline is not None and baseline not in arms:
        raise AgentbenchError(f"--baseline {baseline} is no arm of these logs; they hold {', '.join(arms)}")
    if len(arms) < 2:
        only = arms[0] if arms else "nothing"
        raise AgentbenchError(
            f"these logs hold a single arm ({only}), so there is nothing to compare; "
            "name logs of at least two models, or read one by `inspect view`"
        )


def _calibrated(facts: Sequence[LogFacts]) -> Fraction:
    families = {family: done for log in facts for family, done in log.calibrated.items()}
    return Fraction(count=sum(families.values()), of=len(families))


def _sentences(arms: Sequence[ArmSummary], pairs: Sequence[PairVerdict], mixed: bool) -> Iterator[str]:
    if mixed:
        yield "These logs were not run alike, so nothing can be concluded from setting them side by side."
        return
    ahead = [pair for pair in pairs if pair.winner]
    if not ahead:
        yield (
            "No winner can be named." if _hopeless(pairs) else "No difference is shown between any two arms."
        )
    yield from (f"{pair.sentence}." for pair in sorted(pairs, key=lambda pair: pair.p_holm))
    cheats = [arm for arm in arms if arm.disqualified]
    for arm in cheats:
        yield f"{arm.arm} was disqualified in {arm.disqualified} of {arm.n} episodes; the evidence is listed."
    yield (
        "The unit of every verdict is the family; runs of one family are one observation. "
        "A mean difference is descriptive, and a tie says that the family does not separate the two."
    )


def _hopeless(pairs: Sequence[PairVerdict]) -> bool:
    return all(pair.verdict == "cannot_name_winner" for pair in pairs)


def _warnings(
    arms: Sequence[ArmSummary],
    ended: Sequence[CeilingCount],
    facts: Sequence[LogFacts],
    left_out: Sequence[Left],
) -> Iterator[str]:
    yield from (count.warning for count in ended if count.warning)
    for arm in arms:
        if arm.n < arm.planned:
            yield f"{arm.arm}: {arm.planned - arm.n} of {arm.planned} planned episodes are not in the table"
        if arm.incomplete:
            yield f"{arm.arm}: {arm.incomplete} passes have no complete path log, and count as none"
        if arm.unstable:
            yield f"{arm.arm}: {arm.unstable} submissions were graded differently the second time"
    yield from _identity_warnings(facts)
    if any(left.code in ("manual", "contradicted") for left in left_out):
        yield "Some episodes were edited or contradicted; they are out of the table and listed"
    calibrated = _calibrated(facts)
    if calibrated.count < calibrated.of:
        yield f"{calibrated.count} of {calibrated.of} families are calibrated by a panel"


def _identity_warnings(facts: Sequence[LogFacts]) -> Iterator[str]:
    digests: dict[str, set[str]] = {}
    for log in facts:
        digest = (log.identity.get("server") or {}).get("file_digest")
        if digest:
            digests.setdefault(log.model, set()).add(str(digest))
    for model, found in digests.items():
        if len(found) > 1:
            shown = ", ".join(sorted(one[:19] for one in found))
            yield f"{model} is the name of {len(found)} different files: {shown}"
