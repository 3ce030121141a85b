"""Reading episodes out of logs: what counts as errored, what is no log, what is not of this suite."""

from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import EvalError, EvalLog, EvalSample
from inspect_ai.scorer import Score, Scorer, Target, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver
from suite_runs import run_eval

from inspect_agentbench.errors import AgentbenchError
from inspect_agentbench.logs import SCORE_NAME, Episode, episodes, local_path, log_files, read_log
from inspect_agentbench.outcome import Outcome


def episode(score: Score | None, error: str | None = None, **store: Any) -> Episode:
    sample = EvalSample(
        id="tailer-ascii",
        epoch=2,
        input="x",
        target="",
        scores={SCORE_NAME: score} if score else None,
        error=EvalError(message=error, traceback="", traceback_ansi="") if error else None,
        store=store,
    )
    return Episode(Path("some.eval"), "replay/lazy", sample)


def test_an_outcome_is_the_score_s_value() -> None:
    """The five words of the vocabulary, and no others."""
    assert episode(Score(value="illusory")).outcome is Outcome.ILLUSORY
    with pytest.raises(ValueError, match="perfect"):
        _ = episode(Score(value="perfect")).outcome


@pytest.mark.parametrize("score", [None, Score(value="failed"), Score(value="solved")])
def test_a_sample_with_an_error_is_errored_whatever_its_score(score: Score | None) -> None:
    """`--score-on-error` may leave a score beside the error; it must not count."""
    assert episode(score, error="the engine died").outcome is Outcome.ERRORED
    assert episode(score, error="the engine died").explanation == "the engine died"


def test_a_sample_without_a_score_is_errored() -> None:
    """A run that was killed before grading is never a failure of the agent's."""
    assert episode(None).outcome is Outcome.ERRORED
    assert episode(None).explanation == "no score"


@pytest.mark.parametrize(
    "metadata", [None, {}, {"grade": {}}, {"grade": {"outcome": "solved"}}, {"grade": 7}]
)
def test_a_report_that_cannot_be_read_is_none(metadata: Any) -> None:
    """From another version, or edited by hand."""
    assert episode(Score(value="solved", metadata=metadata)).report is None


def test_a_submission_is_in_the_store_or_nowhere() -> None:
    """Empty before collection counts as none."""
    key = "SavedSubmission:saved"
    assert episode(None).submission is None
    assert episode(None, **{key: {}}).submission is None
    assert episode(None, **{key: {"files": {}}}).submission == {"files": {}}


def test_an_episode_has_a_name() -> None:
    """Sample and run number, as messages and tables show it."""
    assert episode(None).name == "tailer-ascii run 2"


@pytest.fixture(scope="module")
def foreign(tmp_path_factory: pytest.TempPathFactory) -> EvalLog:
    """A log of somebody else's task."""

    @solver
    def nothing() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            return state

        return solve

    @scorer(metrics=[])
    def one() -> Scorer:
        async def score(state: TaskState, target: Target) -> Score:
            return Score(value=1)

        return score

    task = Task(MemoryDataset([Sample(id="q", input="x")]), solver=nothing(), scorer=one())
    (log,) = run_eval(task, "replay/idle", tmp_path_factory.mktemp("foreign"))
    return log


def test_a_log_of_another_task_is_refused(foreign: EvalLog) -> None:
    """Its samples name no family; to count them as errored would be a lie."""
    with pytest.raises(AgentbenchError, match="sample q names no family; it is not a log of this suite"):
        list(episodes(local_path(foreign.location)))


def test_a_truncated_log_is_told(foreign: EvalLog, tmp_path: Path) -> None:
    """What a killed run leaves: one line with the way to recover it."""
    whole = local_path(foreign.location).read_bytes()
    for length in (0, 10, len(whole) // 2):
        (tmp_path / "cut.eval").write_bytes(whole[:length])
        with pytest.raises(
            AgentbenchError, match=r"cut\.eval cannot be read .*`inspect log recover`"
        ) as told:
            read_log(tmp_path / "cut.eval")
        assert "\n" not in str(told.value)


def test_logs_are_found_once_and_in_order(foreign: EvalLog, tmp_path: Path) -> None:
    """Folders are searched, other files in them passed over, and a log named twice counts once."""
    for name in ("b/2.eval", "a/1.eval", "a/notes.txt", "a/old.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"")
    found = log_files((tmp_path, tmp_path / "b" / "2.eval", tmp_path / "a" / "old.json"))
    assert [path.relative_to(tmp_path).as_posix() for path in found] == ["a/1.eval", "b/2.eval", "a/old.json"]


@pytest.mark.parametrize(
    ("name", "told"),
    [("nothing", "does not exist"), ("notes.txt", "is not a log"), ("empty", "holds no .eval log")],
)
def test_what_is_no_log_is_named(tmp_path: Path, name: str, told: str) -> None:
    """The path, what is wrong with it, and what to name instead."""
    (tmp_path / "notes.txt").write_text("x")
    (tmp_path / "empty").mkdir()
    with pytest.raises(AgentbenchError, match=f"{name} {told}.*name a log or a folder with logs"):
        log_files((tmp_path / name,))
