"""The comparison as tables of words and numbers, for terminal, Markdown and the report alike."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..outcome import Outcome
from .model import Comparison, Fraction, PairVerdict
from .rows import EpisodeRow

VERDICTS = {
    "ahead": "{winner} ahead",
    "no_difference_shown": "no difference shown",
    "cannot_name_winner": "cannot name a winner (best possible p = {best:.2g})",
}


class Shown(NamedTuple):
    """One table."""

    title: str
    columns: tuple[str, ...]
    rows: Sequence[Sequence[str]]
    note: str = ""
    """One line below it; empty if nothing needs saying."""


def tables(found: Comparison, with_rows: bool = False) -> Iterator[Shown]:
    """Every table, in the order in which a reader wants them."""
    yield arms_table(found)
    yield pairs_table(found)
    yield cells_table(found)
    yield conditions_table(found)
    yield signatures_table(found)
    yield claims_table(found)
    yield effort_table(found)
    yield ceilings_table(found)
    if with_rows:
        yield rows_table(found)
    yield left_out_table(found)
    yield foot_table(found)


def arms_table(found: Comparison) -> Shown:
    """Counts by arm; no average quality score."""
    columns = (
        *("arm", "episodes", "disqualified", "errored", "incomplete", "solved", "illusory", "failed"),
        *("pass given clean", "all runs solved", "flaky", "tool calls"),
    )
    rows = [
        (
            arm.arm,
            f"{arm.n} of {arm.planned}",
            *map(str, (arm.disqualified, arm.errored, arm.incomplete, arm.solved, arm.illusory, arm.failed)),
            fraction(arm.pass_given_clean),
            fraction(arm.pass_hat_k),
            fraction(arm.flaky),
            f"{number(arm.tool_calls_median)} ({arm.tool_calls_of})",
        )
        for arm in found.arms
    ]
    note = (
        "all runs solved, flaky: families; tool calls: median over clean passes, with their number; "
        f"calibrated families: {fraction(found.calibrated)}. {found.gate}".rstrip()
    )
    return Shown("Arms", columns, rows, note)


def pairs_table(found: Comparison) -> Shown:
    """One row for each declared comparison."""
    columns = (
        *("A", "B", "won", "lost", "tied", "p", "p (Holm)", "floor", "verdict"),
        *("win share of A", "mean difference"),
    )
    rows = [
        (
            pair.a,
            pair.b,
            *map(str, (pair.wins, pair.losses, pair.ties)),
            *(number(p) for p in (pair.p, pair.p_holm, pair.floor)),
            verdict_text(pair),
            ranged(pair.win_share, pair.win_share_low, pair.win_share_high),
            ranged(pair.mean_difference, pair.mean_difference_low, pair.mean_difference_high),
        )
        for pair in found.pairs
    ]
    note = (
        "Unit: family; exact sign test; win share with 95 % interval (Clopper-Pearson); "
        "mean difference of solve rates is descriptive"
    )
    return Shown("Verdicts", columns, rows, note)


def cells_table(found: Comparison) -> Shown:
    """Solved runs of graded runs, families down, arms across."""
    arms = [arm.arm for arm in found.arms]
    table = {(cell.arm, cell.family): cell for cell in found.cells}
    rows = []
    for family in found.families:
        cells = [table[arm, family] for arm in arms]
        reasons = "; ".join(dict.fromkeys(cell.why_not for cell in cells if cell.why_not))
        rows.append((family, *(f"{cell.solved}/{cell.runs}" for cell in cells), reasons))
    return Shown("Solved runs by family", ("family", *arms, "in no verdict because"), rows)


def conditions_table(found: Comparison) -> Shown:
    """The cells of a factorial campaign."""
    names = sorted({name for condition in found.conditions for name in condition.factors})
    rows = [
        (
            *(condition.factors.get(name, "-") for name in names),
            str(condition.n),
            str(condition.solved),
            fraction(condition.visible_passed),
            fraction(condition.trials_right),
            number(condition.agent_seconds_median),
            number(condition.output_tokens_median),
            condition.caution,
        )
        for condition in found.conditions
    ]
    columns = (
        *(*names, "runs", "solved", "visible passed", "trials right", "agent seconds", "output tokens"),
        "caution",
    )
    return Shown("Conditions", columns, rows)


def signatures_table(found: Comparison) -> Shown:
    """Which wrong fixes were seen."""
    rows = [
        (
            s.arm,
            s.family,
            s.kind,
            ", ".join(s.names) or "nobody predicted it",
            str(s.runs),
            ", ".join(s.files),
        )
        for s in found.signatures
    ]
    note = "exact: the same wrong trials as the known wrong fix; unknown: `agentbench learn` makes it known"
    return Shown(
        "Signatures of illusory fixes", ("arm", "family", "match", "known fix", "runs", "files"), rows, note
    )


def claims_table(found: Comparison) -> Shown:
    """What claims were worth."""
    columns = (
        *("arm", "claimed done", "true", "false, tests red", "false, tests green", "stopped honestly"),
        *("ran out", "not known", "where false ones came from"),
    )
    rows = [
        (
            count.arm,
            *map(str, (count.done, count.true, count.false_visible_red, count.false_visible_green)),
            *map(str, (count.blocked, count.ran_out, count.unknown)),
            ", ".join(f"{cause} {times}" for cause, times in count.causes.items()),
        )
        for count in found.claims
    ]
    return Shown("Claims", columns, rows)


def effort_table(found: Comparison) -> Shown:
    """What clean passes took."""
    columns = (
        *("arm", "clean passes", "turns", "tool calls", "output tokens", "tokens per second"),
        *("agent seconds", "diff lines", "diff lines at first green"),
    )
    rows = [
        (
            count.arm,
            str(count.passes),
            *(number(v) for v in (count.turns, count.tool_calls, count.output_tokens)),
            *(number(v) for v in (count.tokens_per_second, count.agent_seconds)),
            *(number(v) for v in (count.diff_lines, count.first_green_diff_lines)),
        )
        for count in found.effort
        if count.passes
    ]
    return Shown("Effort on clean passes (medians)", columns, rows)


def ceilings_table(found: Comparison) -> Shown:
    """What ended the runs that were not solved."""
    rows = [
        (count.arm, str(count.unsolved), ", ".join(f"{name} {n}" for name, n in count.by_ceiling.items()))
        for count in found.ceilings
        if count.by_ceiling
    ]
    return Shown("Ceilings among runs not solved", ("arm", "not solved", "ended on"), rows)


def rows_table(found: Comparison) -> Shown:
    """One row per episode."""
    columns = (
        *("arm", "episode", "run", "outcome", "visible", "wrong trials", "oracle untouched"),
        *("invariants", "tool calls", "first green diff", "ceiling", "claim"),
    )
    return Shown("Episodes", columns, [_row(row) for row in found.rows])


def _row(row: EpisodeRow) -> tuple[str, ...]:
    graded = row.outcome is not Outcome.ERRORED
    return (
        row.arm,
        row.sample,
        str(row.run),
        row.outcome.value + (" (incomplete)" if row.incomplete else ""),
        f"{row.visible_passed}/{row.visible_total}" if graded else "-",
        f"{row.trials_wrong}/{row.trials_total}" if graded else "-",
        yes_no(row.oracle_untouched),
        {True: "hold", False: "BROKEN", None: "-"}[row.invariant_hold],
        number(row.tool_calls),
        number(row.first_green_diff_lines),
        row.ceiling or "-",
        row.claim or row.ending or "-",
    )


def left_out_table(found: Comparison) -> Shown:
    """What is not in the table, with the reason."""
    rows = [(left.code, left.where, left.reason) for left in found.left_out]
    return Shown("Left out", ("why", "where", "reason"), rows)


def foot_table(found: Comparison) -> Shown:
    """Hashes and controls, which whoever publishes the table publishes with it."""
    first = found.logs[0]
    rows = list(first.hashes.items())
    rows += [(name, str(value)) for name, value in first.controls.items() if value is not None]
    rows += [(f"model of {arm}", text) for arm, text in identities(found).items()]
    note = "A setting that is not listed was not set: the server's default holds" if not found.mixed else ""
    return Shown(
        "Hashes and held controls" + (" of the first log" if found.mixed else ""),
        ("what", "value"),
        rows,
        note,
    )


def identities(found: Comparison) -> dict[str, str]:
    """What is known of each arm's model and host, in a line."""
    shown = {}
    for log in found.logs:
        server, host = log.identity.get("server") or {}, log.identity.get("host") or {}
        known = [f"{key} {value}" for key, value in {**server, **host}.items() if value not in (None, [], {})]
        shown[log.arm] = ", ".join(known) or "no server to ask"
    return shown


def verdict_text(pair: PairVerdict) -> str:
    """The verdict in words."""
    return VERDICTS[pair.verdict].format(winner=pair.winner, best=pair.best_p_holm)


def fraction(value: Fraction) -> str:
    """Never a rate without its numbers."""
    return f"{value.count}/{value.of}"


def number(value: float | None) -> str:
    """Three significant digits; a dash for what is not known."""
    if value is None:
        return "-"
    return f"{value:.0f}" if float(value).is_integer() or abs(value) >= 1000 else f"{value:.3g}"


def ranged(value: float | None, low: float | None, high: float | None) -> str:
    """A number with its interval."""
    if value is None:
        return "-"
    return f"{value:.2f}" + (f" ({low:.2f} to {high:.2f})" if low is not None and high is not None else "")


def yes_no(value: bool | None) -> str:
    """A dash for what is not known."""
    return {True: "yes", False: "NO", None: "-"}[value]
