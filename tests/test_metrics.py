"""The numbers of a run: right whatever the epochs, the reducer, and the number of scores."""

import gc
import math
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
from inspect_ai import Epochs, Task
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import EvalLog
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver

from inspect_agentbench.metrics import (
    by_family,
    claim_counts,
    disqualified_rate,
    failed_rate,
    illusory_rate,
    median_tool_calls,
    outcome_counts,
    solved_rate,
    tokens_per_second,
)

METRICS = [solved_rate(), illusory_rate(), failed_rate(), disqualified_rate(), outcome_counts(), by_family()]
METRICS += [claim_counts(), median_tool_calls(), tokens_per_second()]
REDUCERS = ["mean", "median", "mode", "max", "at_least_1", "at_least_2", "pass_at_1", "pass_at_2", "pass_k_2"]
OUTCOMES = {
    "tailer": ["solved", "illusory", "failed"],
    "envmerge": ["solved", "solved", "disqualified"],
}
"""By family, one outcome for each of three epochs: no reducer's idea of three strings is right."""


@scorer(metrics=METRICS)
def planned() -> Scorer:
    async def score(state: TaskState, target: Target) -> Score:
        return Score(value=OUTCOMES[state.metadata["family"]][state.epoch - 1])

    return score


@solver
def breaks() -> Solver:
    async def solve(state: TaskState, generate: Generate) -> TaskState:
        raise RuntimeError("the server went away")

    return solve


@solver
def nothing() -> Solver:
    async def solve(state: TaskState, generate: Generate) -> TaskState:
        return state

    return solve


def run(agent: Solver, folder: Path) -> EvalLog:
    samples = [Sample(id=name, input="x", metadata={"family": name}) for name in OUTCOMES]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Inspect's own
        (log,) = inspect_eval(
            Task(MemoryDataset(samples), solver=agent, scorer=planned(), epochs=Epochs(3, REDUCERS)),
            model="replay/idle",
            display="none",
            log_dir=str(folder),
            fail_on_error=False,
            log_level="error",
        )
        gc.collect()
    return log


def values(log: EvalLog) -> Iterator[dict[str, int | float]]:
    """By reducer, the numbers by name."""
    assert log.results
    for result in log.results.scores:
        yield {name: metric.value for name, metric in result.metrics.items()}


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> EvalLog:
    """Two families, three epochs, every built-in reducer."""
    return run(nothing(), tmp_path_factory.mktemp("metrics"))


def test_every_episode_counts_by_itself_under_every_reducer(log: EvalLog) -> None:
    """Six episodes, three solved: one half, however Inspect would reduce three strings to one."""
    found = list(values(log))
    assert found
    for numbers in found:
        assert numbers["solved_rate"] == 3 / 6
        assert numbers["illusory_rate"] == numbers["failed_rate"] == numbers["disqualified_rate"] == 1 / 6
        assert numbers["graded"] == 6
        assert numbers["solved"] == 3
        assert sum(numbers[name] for name in ("solved", "illusory", "failed", "disqualified")) == 6


def test_families_are_told_apart(log: EvalLog) -> None:
    """The family is the unit of every comparison; its counts are in the log's header."""
    for numbers in values(log):
        assert numbers["tailer solved rate"] == 1 / 3
        assert numbers["envmerge solved rate"] == 2 / 3
        assert (numbers["tailer graded"], numbers["envmerge graded"]) == (3, 3)
        assert numbers["envmerge disqualified"] == 1


def test_the_first_number_is_the_solved_rate(log: EvalLog) -> None:
    """Viewer and leaderboards show the first metric as the run's headline."""
    assert all(next(iter(numbers)) == "solved_rate" for numbers in values(log))


def test_a_run_without_any_score_still_ends(tmp_path: Path) -> None:
    """When every sample is errored there is nothing to count, and nothing crashes."""
    log = run(breaks(), tmp_path)
    assert log.status == "success"
    assert [sample.scores or None for sample in log.samples or []] == [None] * 6
    assert log.results is None or not any(numbers.get("graded") for numbers in values(log))


@pytest.mark.parametrize("metric", [solved_rate(), illusory_rate(), failed_rate(), disqualified_rate()])
def test_a_rate_of_nothing_is_not_zero(metric: Metric) -> None:
    """Nothing graded is not the same as nothing solved."""
    assert math.isnan(metric([]))  # type: ignore[call-arg, arg-type]


def test_counts_of_nothing_are_zero() -> None:
    """A table can be made of a run in which nothing was graded."""
    counts = outcome_counts()([])  # type: ignore[call-arg, arg-type]
    assert counts == {"graded": 0, "solved": 0, "illusory": 0, "failed": 0, "disqualified": 0}
    assert by_family()([]) == {}  # type: ignore[call-arg, arg-type]


def test_a_score_without_a_family_is_counted_as_unknown() -> None:
    """A log whose sample metadata was lost still adds up."""
    scores = [SampleScore(score=Score(value="solved"))]
    assert by_family()(scores)["unknown solved"] == 1  # type: ignore[call-arg, arg-type, index]


def noted(value: str, claim: str | None, calls: int | None, tokens: tuple[int, float] | None) -> SampleScore:
    output, seconds = tokens or (None, None)
    metadata = {
        "ledger": {"claim": claim},
        "effort": {"tool_calls": calls, "tokens": {"output": output, "model_seconds": seconds}},
    }
    return SampleScore(score=Score(value=value, metadata=metadata))


def test_claims_calls_and_speed() -> None:
    """Claims are counted by their worth, calls of solved episodes only, and unknowns in none of it."""
    scores = [
        noted("solved", "true", 4, (100, 2.0)),
        noted("solved", None, 9, None),
        noted("solved", "true", None, (300, 6.0)),
        noted("illusory", "false_visible_green", 50, (100, 0.0)),
        noted("failed", "false_visible_red", 70, None),
        SampleScore(score=Score(value="failed")),
    ]
    assert claim_counts()(scores) == {  # type: ignore[call-arg, arg-type]
        "claims true": 2,
        "claims false visible red": 1,
        "claims false visible green": 1,
    }
    assert median_tool_calls()(scores) == 6.5  # type: ignore[call-arg, arg-type]
    assert tokens_per_second()(scores) == 50.0  # type: ignore[call-arg, arg-type]


@pytest.mark.parametrize("metric", [median_tool_calls(), tokens_per_second()])
def test_a_median_or_speed_of_nothing_is_no_number(metric: Metric) -> None:
    """Nothing known is not 0."""
    assert math.isnan(metric([]))  # type: ignore[call-arg, arg-type]
    assert math.isnan(metric([SampleScore(score=Score(value="solved"))]))  # type: ignore[call-arg, arg-type]
