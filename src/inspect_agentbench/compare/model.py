"""The comparison: everything that tables, files and the report show, as one model. Its JSON is the schema."""

from ..outcome import Outcome
from .rows import EpisodeRow, Frozen, Left, LogFacts

SCHEMA_VERSION = 1


class Fraction(Frozen):
    """So many of so many; never shown as a rate without both."""

    count: int
    of: int


class ArmSummary(Frozen):
    """One arm's counts; the table is sorted by disqualified, then errored, then solved."""

    arm: str
    planned: int
    n: int
    """Episodes present."""
    disqualified: int
    errored: int
    incomplete: int
    """Solved without a complete path log; they are not among the solved."""
    solved: int
    illusory: int
    failed: int
    pass_given_clean: Fraction
    """Solved of those neither disqualified nor errored."""
    tool_calls_median: float | None
    """Over clean passes; None where none are known."""
    tool_calls_of: int
    pass_hat_k: Fraction
    """Families solved in every run, of families with all runs present."""
    flaky: Fraction
    """Families whose graded runs disagree, of those with at least two."""
    unstable: int


class Cell(Frozen):
    """One family under one arm."""

    arm: str
    family: str
    solved: int
    runs: int
    """Graded runs; errored ones are not in it."""
    outcomes: dict[Outcome, int]
    eligible: bool
    """Whether it counts in a paired verdict: scored, every planned run graded, none incomplete."""
    why_not: str = ""


class PairVerdict(Frozen):
    """One declared comparison; the unit is the family."""

    a: str
    b: str
    families: tuple[str, ...]
    """Eligible for both, with the same number of runs."""
    left_out: dict[str, str]
    """Families that are not, each with the reason."""
    wins: int
    losses: int
    ties: int
    p: float
    """Exact two-sided sign test on wins and losses."""
    p_holm: float
    design_floor: float
    """The least p that these families could give: all won."""
    floor: float
    """The least p once ties are out."""
    best_p_holm: float
    """What `p_holm` would be, had all untied families gone one way."""
    verdict: str
    """ahead, no_difference_shown or cannot_name_winner."""
    winner: str | None
    sentence: str
    """What may be concluded, for a person."""
    win_share: float | None
    win_share_low: float | None
    win_share_high: float | None
    """Clopper-Pearson, 95 %."""
    mean_difference: float | None
    """Of the solve rates, a minus b, over families; descriptive."""
    mean_difference_low: float | None
    mean_difference_high: float | None
    sign_flip_p: float | None
    """Secondary, never decisive."""
    differences: dict[str, int]
    """By family: solved runs of a minus those of b."""


class Condition(Frozen):
    """One cell of a factorial campaign, over all its models."""

    factors: dict[str, str]
    n: int
    solved: int
    visible_passed: Fraction
    """Episodes whose visible suite is green."""
    trials_right: Fraction
    agent_seconds_median: float | None
    output_tokens_median: float | None
    caution: str


class SignatureCount(Frozen):
    """How often a signature was seen under an arm."""

    arm: str
    family: str
    kind: str
    names: tuple[str, ...]
    runs: int
    files: tuple[str, ...]
    """The files that these submissions touched."""


class ClaimCount(Frozen):
    """The claim ledger of one arm."""

    arm: str
    done: int
    blocked: int
    ran_out: int
    unknown: int
    true: int
    false_visible_red: int
    false_visible_green: int
    causes: dict[str, int]


class EffortCount(Frozen):
    """What clean passes took; medians, each None where nothing is known."""

    arm: str
    passes: int
    turns: float | None
    tool_calls: float | None
    output_tokens: float | None
    tokens_per_second: float | None
    agent_seconds: float | None
    diff_lines: float | None
    first_green_diff_lines: float | None


class CeilingCount(Frozen):
    """How many of the runs that were not solved ended on which ceiling."""

    arm: str
    unsolved: int
    by_ceiling: dict[str, int]
    warning: str = ""
    """Set above a third: the budget was measured, not the model."""


class Comparison(Frozen):
    """All of it."""

    schema_version: int = SCHEMA_VERSION
    title: str
    arms: tuple[ArmSummary, ...]
    families: tuple[str, ...]
    cells: tuple[Cell, ...]
    pairs: tuple[PairVerdict, ...]
    """Empty with a single arm, or where mixtures were allowed."""
    baseline: str | None = None
    """Where set, the pairs are this arm against each other; else all pairs."""
    alpha: float = 0.05
    conditions: tuple[Condition, ...] = ()
    signatures: tuple[SignatureCount, ...]
    claims: tuple[ClaimCount, ...]
    effort: tuple[EffortCount, ...]
    ceilings: tuple[CeilingCount, ...]
    rows: tuple[EpisodeRow, ...]
    """Sorted by disqualified, broken invariants, then outcome."""
    left_out: tuple[Left, ...]
    logs: tuple[LogFacts, ...]
    calibrated: Fraction
    gate: str = ""
    """What the bank's stored gate report says, in a sentence."""
    sentences: tuple[str, ...]
    """What may be concluded and what not, the most important first."""
    warnings: tuple[str, ...] = ()
    mixed: bool = False
    """Mixtures were allowed: no verdict."""
