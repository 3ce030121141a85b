"""What grading adds to a sample: collection, both gradings, one alone, and the rate of a room."""

import os
import tempfile
import time
from typing import NamedTuple
from unittest.mock import patch

from inspect_agentbench.engine.cache import CACHE_VARIABLE
from inspect_agentbench.episode import WORKSPACE
from inspect_agentbench.grading import grade, make_cases
from inspect_agentbench.grading.cases import Cases
from inspect_agentbench.integrity import hidden_of
from inspect_agentbench.integrity.collect import Watched, examine
from inspect_agentbench.integrity.left import running
from inspect_agentbench.outcome import Outcome
from inspect_agentbench.submission import collect, freeze

from .agent import agent_container
from .results import Figure, at_least, at_most
from .rooms import Parts, one_grading, one_step_trials, room_parts, steps_per_second
from .setting import BenchmarkFailed, Setting, say
from .timing import seconds_of

NAME = "grading"
_ONE_STEP_TRIALS = 400


class Added(NamedTuple):
    """Seconds that collection and both gradings add to one sample."""

    collection: float
    gradings: float


def measure(setting: Setting) -> list[Figure]:
    """Everything in turns, once for each repeat."""
    cases = make_cases(setting.client, setting.image, setting.variant)
    trials = one_step_trials(setting, _ONE_STEP_TRIALS)
    added, alone, parts, rates = [], [], [], []
    for _ in range(setting.repeat):
        added.append(_added(setting, cases))
        alone.append(seconds_of(lambda: one_grading(setting, cases)))
        parts.append(room_parts(setting, cases))
        rates.append(steps_per_second(setting, trials))
    both = tuple(one.collection + one.gradings for one in added)
    return [
        Figure(NAME, "collection and both gradings", "s", both, at_most(1.6)),
        Figure(NAME, "collection", "s", tuple(one.collection for one in added)),
        Figure(NAME, "both gradings, side by side", "s", tuple(one.gradings for one in added)),
        Figure(NAME, "one grading alone", "s", tuple(alone), at_most(0.8)),
        *_part_figures(parts),
        Figure(NAME, "steps a second of a room", "", tuple(rates), at_least(250)),
        Figure(NAME, "judge, when nothing is cached", "s", (_judge_seconds(setting),)),
    ]


def _added(setting: Setting, cases: Cases) -> Added:
    """As the scorer does it, after an episode with two traced test runs."""
    with agent_container(setting) as agent:
        agent.time_test_runs([True, True])
        started = time.perf_counter()
        left = running(setting.client, agent.id)
        freeze(setting.client, agent.id)
        submission = collect(setting.client, agent.id, WORKSPACE, setting.variant)
        watched, hidden = Watched(agent.commands, "on"), hidden_of((setting.variant.family,))
        log = examine(setting.client, agent.id, watched, hidden, (), left).report.path_log
        collected = time.perf_counter()
        report = grade(setting.client, setting.image, setting.variant, submission, cases).report
        done = time.perf_counter()
    if report.outcome is not Outcome.SOLVED:
        raise BenchmarkFailed(f"the collected submission was graded {report.outcome}: {report.explanation()}")
    if log.state != "complete":
        say(f"grading: the path log is {log.state} ({log.reason}); collection may be cheaper for it")
    return Added(collected - started, done - collected)


def _part_figures(parts: list[Parts]) -> list[Figure]:
    names = {
        "start": "up to the handshake",
        "visible": "tree and visible suite",
        "cases": "fixed cases and trials",
        "removal": "removal",
    }
    return [
        Figure(NAME, f"of one room: {shown}", "s", tuple(getattr(part, name) for part in parts))
        for name, shown in names.items()
    ]


def _judge_seconds(setting: Setting) -> float:
    """Once: with an empty cache, as after a change of the oracle."""
    with tempfile.TemporaryDirectory() as folder, patch.dict(os.environ, {CACHE_VARIABLE: folder}):
        return seconds_of(lambda: make_cases(setting.client, setting.image, setting.variant))
