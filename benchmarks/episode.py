"""An episode of `replay/correct` against a stock Inspect sample that makes the same calls."""

from collections.abc import Callable
from typing import Any

from inspect_agentbench.episode import EpisodeRecord
from inspect_agentbench.grading import make_cases
from inspect_agentbench.outcome import Outcome

from .evals import OURS, OneSample, run_one
from .results import Figure, at_most
from .setting import Setting
from .stock import CORRECT, stock_model, stock_task
from .timing import Pairs

NAME = "episode"


def measure(setting: Setting) -> list[Figure]:
    """Ours and stock in turns, in one process; the first of each is not counted."""
    make_cases(setting.client, setting.image, setting.variant)  # the judge's answers are cached in use too
    measured = [(_ours(setting), _stock(setting)) for _ in range(setting.repeat + 1)][1:]
    ours, stock = [pair[0] for pair in measured], [pair[1] for pair in measured]

    def paired(quantity: Callable[[OneSample], float]) -> Pairs:
        return Pairs(tuple(map(quantity, ours)), tuple(map(quantity, stock)))

    samples = paired(lambda one: one.seconds)
    evals = paired(lambda one: one.eval_seconds)
    return [
        Figure(NAME, "sample, ours over stock", "", samples.ratios, at_most(0.75)),
        Figure(NAME, "sample, ours", "s", samples.first),
        Figure(NAME, "sample, stock", "s", samples.second),
        Figure(NAME, "whole eval, ours over stock", "", evals.ratios),
        Figure(NAME, "whole eval, ours", "s", evals.first),
        Figure(NAME, "whole eval, stock", "s", evals.second),
        *_parts(ours),
    ]


def _ours(setting: Setting) -> OneSample:
    one = run_one(OURS, "replay/correct", setting.folder)
    one.require(Outcome.SOLVED)
    return one


def _stock(setting: Setting) -> OneSample:
    one = run_one(stock_task(setting), stock_model(setting), setting.folder)
    one.require(CORRECT)
    return one


def _parts(ours: list[OneSample]) -> list[Figure]:
    """Where the seconds of our sample go."""
    parts = [_parts_of(one) for one in ours]
    return [Figure(NAME, f"of ours: {name}", "s", tuple(part[name] for part in parts)) for name in parts[0]]


def _parts_of(one: OneSample) -> dict[str, float]:
    record = one.sample.store_as(EpisodeRecord)
    grading = _grade(one)["timings"]["total"]
    return {
        "container start": one.seconds - one.working_seconds,
        "placing the tree": record.setup_seconds,
        "the agent": record.agent_seconds,
        "grading": grading,
        "collection, removal, rest": (
            one.working_seconds - record.setup_seconds - record.agent_seconds - grading
        ),
    }


def _grade(one: OneSample) -> dict[str, Any]:
    score = next(iter((one.sample.scores or {}).values()))
    return dict((score.metadata or {})["grade"])
