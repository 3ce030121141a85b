"""One row out of one sample, or the reason why it is none."""

from pathlib import Path
from typing import Any

from inspect_ai.log import EvalSample

from inspect_agentbench.compare.rows import EpisodeRow, LogFacts
from inspect_agentbench.errors import AgentbenchError
from inspect_agentbench.grading import GradeReport, MatchKind
from inspect_agentbench.logs import SCORE_NAME, Episode
from inspect_agentbench.outcome import Outcome
from inspect_agentbench.redacting import MARK
from inspect_agentbench.submission import from_data

_EFFORT = ("turns", "tool_calls", "tokens_per_second", "agent_seconds", "first_green_diff_lines")


class NotInTable(ValueError):
    """An episode that stays out; `code` says why in a word, the text in a sentence."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code = code


def read_row(facts: LogFacts, sample: EvalSample) -> EpisodeRow:
    """The row of a sample. Raises NotInTable for one that was edited or is of another format."""
    episode = Episode(Path(facts.log), facts.model, sample)
    metadata = sample.metadata or {}
    if "family" not in metadata:
        raise NotInTable("foreign", "it names no family")
    common: dict[str, Any] = {
        "log": facts.log,
        "sample": str(sample.id),
        "run": sample.epoch,
        "epoch": sample.epoch,
        "arm": facts.arm,
        "family": str(metadata["family"]),
        "variant": str(metadata.get("variant")),
        "label": str(metadata.get("label")),
        "why": episode.explanation.partition("\n")[0],
    }
    try:
        outcome = episode.outcome
    except ValueError:
        raise NotInTable("manual", "its score is no outcome; somebody edited it") from None
    if outcome is Outcome.ERRORED:
        return EpisodeRow(**common, outcome=outcome)
    report = episode.report
    if report is None:
        raise NotInTable(
            "older", "its grade report is not of this version's form; use the version that wrote it"
        )
    _check_untouched(sample, report, episode)
    score = (sample.scores or {})[SCORE_NAME].metadata or {}
    return EpisodeRow(**common, **_graded(report), **_told(score))


def _check_untouched(sample: EvalSample, report: GradeReport, episode: Episode) -> None:
    score = (sample.scores or {})[SCORE_NAME]
    if score.history:
        raise NotInTable("manual", "its score was edited by hand, by its own edit history")
    if episode.outcome is not report.outcome:
        raise NotInTable(
            "manual",
            f"its score says {episode.outcome}, its own grade report {report.outcome}: edited by hand",
        )
    saved = episode.submission
    if saved is None:
        raise NotInTable("manual", "it was graded, but its submission is not in the log")
    if saved.get(MARK):
        if saved.get("sha256") != report.submission_hash:
            raise NotInTable("manual", "its redacted submission is not the one that was graded")
        return
    try:
        given = from_data(saved, episode.name).hash
    except AgentbenchError as error:
        raise NotInTable("manual", f"its submission does not give its hash: {error}") from None
    if given != report.submission_hash:
        raise NotInTable("manual", "its submission is not the one that was graded")


def _graded(report: GradeReport) -> dict[str, Any]:
    signature = report.signature
    shown = report.visible.green and signature.kind is not MatchKind.NONE
    return {
        "outcome": report.outcome,
        "verdict": report.verdict,
        "visible_green": report.visible.green,
        "visible_passed": report.visible.passed,
        "visible_total": report.visible.total,
        "trials_wrong": len(report.trials.disagreeing),
        "trials_total": report.trials.total,
        "score": report.score.mean if report.score else None,
        "oracle_untouched": report.integrity.oracle_untouched,
        "invariant_hold": report.invariant_hold,
        "unstable": report.unstable,
        "evidence": tuple(map(str, report.integrity.evidence)),
        "signature": signature.kind.value if shown else None,
        "signature_names": tuple(signature.names) if shown else (),
        "files_touched": report.files_touched,
        "diff_lines": report.diff_lines,
        "submission": report.submission_hash,
    }


def _told(score: dict[str, Any]) -> dict[str, Any]:
    """What the episode itself recorded; an older log, or one of another solver, knows less."""
    ledger, effort = score.get("ledger") or {}, score.get("effort") or {}
    return {
        "incomplete": bool(score.get("incomplete")),
        "ceiling": score.get("ceiling"),
        **{key: ledger.get(key) for key in ("ending", "claim", "cause")},
        **{key: effort.get(key) for key in _EFFORT},
        "output_tokens": (effort.get("tokens") or {}).get("output"),
    }
