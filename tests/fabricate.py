"""Rows, facts and real log files that nobody played: what a comparison is made of, to order."""

import uuid
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from inspect_ai.log import (
    EvalConfig,
    EvalDataset,
    EvalLog,
    EvalPlan,
    EvalSample,
    EvalSpec,
    write_eval_log,
)
from inspect_ai.model import GenerateConfig
from inspect_ai.scorer import Score

from inspect_agentbench.compare.rows import EpisodeRow, LogFacts
from inspect_agentbench.grading.report import (
    GradeReport,
    Hashes,
    RegradeReport,
    Timings,
    TrialsReport,
    VisibleReport,
)
from inspect_agentbench.grading.signature import MatchKind, SignatureMatch
from inspect_agentbench.outcome import Outcome
from inspect_agentbench.submission import Submission, to_data

TRIALS = 80
BEGUN = datetime(2026, 11, 1, tzinfo=UTC)
SUBMISSION = Submission({"app.py": b"VALUE = 1\n"})
LETTERS = {"s": Outcome.SOLVED, "i": Outcome.ILLUSORY, "f": Outcome.FAILED, "d": Outcome.DISQUALIFIED}
LETTERS |= {"e": Outcome.ERRORED}


def row(arm: str, family: str, run: int, outcome: Outcome, **other: Any) -> EpisodeRow:
    """One row; what is graded has numbers."""
    graded = outcome is not Outcome.ERRORED
    base: dict[str, Any] = {
        "log": f"{arm}.eval",
        "sample": f"{family}-plain",
        "run": run,
        "arm": arm,
        "family": family,
        "variant": "plain",
        "label": "scored",
        "outcome": outcome,
    }
    if graded:
        solved = outcome is Outcome.SOLVED
        base |= {
            "verdict": outcome,
            "visible_green": outcome is not Outcome.FAILED,
            "visible_passed": 5,
            "visible_total": 5,
            "trials_wrong": 0 if solved else 7,
            "trials_total": TRIALS,
            "invariant_hold": True,
            "oracle_untouched": True,
            "ending": "done",
            "claim": "true" if solved else "false_visible_green",
            "tool_calls": 6,
        }
    return EpisodeRow(**(base | other))


def rows_of(table: Mapping[str, Mapping[str, str]], **other: Any) -> list[EpisodeRow]:
    """Rows by arm and family; each letter of a word is one run (s, i, f, d, e)."""
    return [
        row(arm, family, number, LETTERS[letter], **other)
        for arm, families in table.items()
        for family, word in families.items()
        for number, letter in enumerate(word, 1)
    ]


def facts_of(rows: Iterable[EpisodeRow], **other: Any) -> list[LogFacts]:
    """One log for each arm, as large as its rows are many."""
    counts: dict[str, int] = {}
    for one in rows:
        counts[one.arm] = counts.get(one.arm, 0) + 1
    return [log_facts(arm, count, **other) for arm, count in counts.items()]


def log_facts(arm: str, planned: int, **other: Any) -> LogFacts:
    base: dict[str, Any] = {
        "log": f"{arm}.eval",
        "arm": arm,
        "model": arm,
        "solver": "coding_agent",
        "controls": {"turns": 40},
        "dataset": "d",
        "oracle": "o",
        "grader": "g",
        "image": "i",
        "package": "0.1.0",
        "frozen": True,
        "planned": planned,
        "status": "success",
    }
    return LogFacts(**(base | other))


def report(family: str, outcome: Outcome, submission: Submission = SUBMISSION) -> GradeReport:
    """A grade report that fits the outcome."""
    wrong = () if outcome is Outcome.SOLVED else (1, 2, 3)
    return GradeReport(
        family=family,
        family_version=1,
        variant="plain",
        outcome=outcome,
        verdict=outcome,
        visible=VisibleReport(green=outcome is not Outcome.FAILED, passed=5, total=5),
        trials=TrialsReport(total=TRIALS, disagreeing=wrong),
        invariant_hold=True,
        unstable=False,
        signature=SignatureMatch(kind=MatchKind.UNKNOWN if wrong else MatchKind.NONE, names=(), overlap=0.0),
        submission_hash=submission.hash,
        files_touched=("app.py",),
        diff_lines=3,
        regrade=RegradeReport(equal=True),
        hashes=Hashes(visible="v", oracle="o", grader="g", image="i", image_id="x", package="0.1.0"),
        timings=Timings(judge=0, gradings=1, total=1),
    )


def sample(family: str, run: int, outcome: Outcome, label: str = "scored") -> EvalSample:
    """A sample as the scorer leaves it."""
    graded = report(family, outcome)
    score = Score(
        value=outcome.value,
        answer="done",
        explanation=graded.explanation(),
        metadata={
            "grade": graded.model_dump(mode="json"),
            "ledger": {
                "ending": "done",
                "claim": "true" if outcome is Outcome.SOLVED else "false_visible_green",
            },
            "effort": {"tool_calls": 6, "turns": 7, "agent_seconds": 3.5, "tokens": {"output": 500}},
            "ceiling": None,
            "incomplete": False,
        },
    )
    return EvalSample(
        id=f"{family}-plain",
        epoch=run,
        input="mend it",
        target="",
        metadata={"family": family, "variant": "plain", "label": label, "bank": None},
        scores={"oracle_grade": score},
        store={"SavedSubmission:saved": to_data(SUBMISSION)},
    )


def header(families: Iterable[str], **other: Any) -> dict[str, Any]:
    """The task's metadata, as tasks.py writes it."""
    base: dict[str, Any] = {
        "package": "0.1.0",
        "grader": "g",
        "versions": {"prompt": 1, "tools": 1},
        "bank": {"frozen": True, "differences": [], "dataset": "d", "oracle": "o"},
        "controls": {"turns": 40, "seconds": 1200, "prompt": "original", "allow_unfrozen": False},
        "image": {"fingerprint": "i"},
        "families": {
            name: {"variant": "plain", "calibration": "none", "assistance": []} for name in families
        },
        "model_server": None,
    }
    return {"agentbench": base | other}


def log(
    model: str,
    table: Mapping[str, str],
    number: int = 0,
    metadata: dict[str, Any] | None = None,
    config: GenerateConfig | None = None,
    status: str = "success",
) -> EvalLog:
    """A log by family; each letter of a word is one run."""
    samples = [
        sample(family, run, LETTERS[letter])
        for family, word in table.items()
        for run, letter in enumerate(word, 1)
    ]
    created = (BEGUN + timedelta(minutes=number)).isoformat()
    spec = EvalSpec(
        created=created,
        task="bank",
        task_id=uuid.uuid4().hex[:22],
        eval_id=uuid.uuid4().hex[:22],
        run_id=uuid.uuid4().hex[:22],
        model=model,
        dataset=EvalDataset(name="bank", samples=len(table), sample_ids=[f"{name}-plain" for name in table]),
        config=EvalConfig(epochs=max(map(len, table.values()), default=1)),
        metadata=metadata or header(table),
    )
    plan = EvalPlan(config=config or GenerateConfig())
    return EvalLog(status=status, eval=spec, plan=plan, samples=samples)  # type: ignore[arg-type]


def write(folder: Path, *logs: EvalLog) -> list[Path]:
    """The logs as files."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for one in logs:
        path = folder / f"{one.eval.created[:16].replace(':', '-')}_{one.eval.eval_id}.eval"
        write_eval_log(one, str(path))
        paths.append(path)
    return paths
