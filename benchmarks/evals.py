"""Running one sample through Inspect and taking its times from the log."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog, EvalSample
from inspect_ai.model import Model

from .setting import FAMILY, BenchmarkFailed

OURS = f"inspect_agentbench/{FAMILY}"
ALLOWED = {"allow_unfrozen": True}
"""A family that is being worked on can be measured too."""


class OneSample(NamedTuple):
    """An eval of one sample."""

    sample: EvalSample
    log_file: Path
    eval_seconds: float
    """Wall time of the whole eval, task set-up and log included."""

    @property
    def seconds(self) -> float:
        """From just before the container is started until it is gone and the sample written."""
        begun = next(event for event in self.sample.events if event.event == "sample_init")
        return (_moment(self.sample.completed_at) - begun.timestamp).total_seconds()

    @property
    def working_seconds(self) -> float:
        """As the log gives it (`total_time`): without the container's start."""
        return self.sample.total_time or 0.0

    def require(self, value: str) -> None:
        """Raise BenchmarkFailed unless the sample was scored so."""
        scores = [score.value for score in (self.sample.scores or {}).values()]
        if scores != [value]:
            error = self.sample.error.message if self.sample.error else "no error"
            raise BenchmarkFailed(
                f"sample {self.sample.id} was scored {scores} instead of {value} ({error}); "
                "run it by `inspect eval` and look at its log"
            )


def run_one(task: Task | str, model: Model | str, folder: Path) -> OneSample:
    """Run an eval of one sample. Raises BenchmarkFailed if it does not come to its end."""
    arguments = ALLOWED if isinstance(task, str) else {}
    started = time.perf_counter()
    with _no_random_wait():
        logs = inspect_eval(
            task,
            model=model,
            task_args=arguments,
            log_dir=str(folder),
            display="none",
            log_level="error",
        )
    seconds = time.perf_counter() - started
    if not logs or not logs[0].samples:
        raise BenchmarkFailed(f"the eval of {task} had no sample: {_reason(logs)}")
    return OneSample(logs[0].samples[0], _local(logs[0]), seconds)


@contextmanager
def _no_random_wait() -> Iterator[None]:
    """Inspect lets each sample wait for up to a second before its container starts, to mix parallel tasks."""
    with patch("inspect_ai._eval.task.sandbox.random", return_value=0.0):
        yield


def _reason(logs: list[EvalLog]) -> str:
    if logs and logs[0].error:
        return logs[0].error.message
    return "it did not start; run it by `inspect eval` to see why"


def _local(log: EvalLog) -> Path:
    return Path(log.location.removeprefix("file://"))


def _moment(text: str | datetime | None) -> datetime:
    if text is None:
        raise BenchmarkFailed("the log does not say when its sample was completed")
    return text if isinstance(text, datetime) else datetime.fromisoformat(text)
