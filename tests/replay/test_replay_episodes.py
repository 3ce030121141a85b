"""The embedded models in real episodes: what they play is what is left in the container."""

import gc
import warnings
from pathlib import Path

import pytest
from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.agent import react
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import EvalLog
from inspect_ai.scorer import Score, Scorer, Target, scorer
from inspect_ai.solver import Solver, TaskState
from inspect_ai.tool import bash
from inspect_ai.util import sandbox

from inspect_agentbench import engine
from inspect_agentbench.bank import load_bank
from inspect_agentbench.episode import (
    WORKSPACE,
    EpisodeRecord,
    coding_agent,
    sample_messages,
    setup_workspace,
)

pytestmark = pytest.mark.docker

TINY = Path(__file__).parents[1] / "banks" / "tiny"


@scorer(metrics=[])
def leftover() -> Scorer:
    async def score(state: TaskState, target: Target) -> Score:
        return Score(value=1, answer=await sandbox().read_file(f"{WORKSPACE}/adder.py"))

    return score


def run(models: list[str], agent: Solver, folder: Path) -> dict[str, EvalLog]:
    variant = load_bank(TINY).family("tiny").variant()
    engine.ensure_image(print)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Inspect's own
        logs = inspect_eval(
            Task(
                dataset=MemoryDataset([Sample(id="tiny", input=sample_messages(variant, bank=str(TINY)))]),
                setup=setup_workspace(),
                solver=agent,
                scorer=leftover(),
                sandbox=("docker", str(engine.agent_compose_file(engine.image_tag()))),
            ),
            model=[f"replay/{model}" for model in models],
            max_tasks=4,
            display="none",
            log_dir=str(folder),
        )
        gc.collect()
    assert [log.status for log in logs] == ["success"] * len(models)
    return {log.eval.model.removeprefix("replay/"): log for log in logs}


def left(log: EvalLog) -> str | None:
    assert log.samples
    return next(iter((log.samples[0].scores or {}).values())).answer


def record(log: EvalLog) -> EpisodeRecord:
    assert log.samples
    return log.samples[0].store_as(EpisodeRecord)


def test_fixes_arrive_exactly_through_the_real_tools(tmp_path: Path) -> None:
    """Each script leaves its fix's bytes, and claims or stops as it says."""
    family = load_bank(TINY).family("tiny")
    logs = run(["correct:decimal", "lazy", "idle", "blocked"], coding_agent(), tmp_path)
    assert left(logs["correct:decimal"]) == family.fixes("correct")["decimal"].files["adder.py"].decode()
    assert left(logs["lazy"]) == family.fixes("lazy")[family.oracle.obvious].files["adder.py"].decode()
    assert left(logs["idle"]) == family.variant().tree()["adder.py"].content.decode()
    assert [record(log).claim for log in logs.values()] == ["done", "done", "done", "blocked"]
    assert record(logs["lazy"]).results_lost == 0


def test_fixes_arrive_under_another_agent(tmp_path: Path) -> None:
    """An agent of Inspect's with a shell of its own plays the same fix."""
    fix = load_bank(TINY).family("tiny").fixes("correct")["integers"]
    logs = run(["correct:integers"], react(tools=[bash()]), tmp_path)
    assert left(logs["correct:integers"]) == fix.files["adder.py"].decode()
