"""Real runs for tests of several modules: in this process, or as a command where that matters."""

import gc
import os
import subprocess
import sys
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog, read_eval_log

from inspect_agentbench.logs import Episode

ROOT = Path(__file__).parents[1]
BANKS = Path(__file__).parent / "banks"
COMMAND_SECONDS = 120


def run_eval(tasks: Any, models: str | list[str], folder: Path, **settings: Any) -> list[EvalLog]:
    """One eval in this process; its logs are read back from disk, as whoever looks at them does."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Inspect's own: deprecated calls, streams left to the collector
        logs = inspect_eval(
            tasks, model=models, display="none", log_dir=str(folder), log_level="error", **settings
        )
        gc.collect()
    return [read_eval_log(log.location, resolve_attachments=True) for log in logs]


def episodes_of(logs: Sequence[EvalLog]) -> dict[tuple[str, str], list[Episode]]:
    """Episodes by model (without its provider) and family, in the order of their runs."""
    found: dict[tuple[str, str], list[Episode]] = {}
    for log in logs:
        for sample in sorted(log.samples or [], key=lambda sample: sample.epoch):
            key = log.eval.model.partition("/")[2], sample.metadata["family"]
            found.setdefault(key, []).append(Episode(Path(log.location), log.eval.model, sample))
    return found


def command(
    *words: str | Path, cwd: Path | None = None, seconds: float = COMMAND_SECONDS, **environment: str
) -> subprocess.CompletedProcess[str]:
    """A command of this environment (`agentbench`, `inspect`), run to its end."""
    return subprocess.run(
        [str(program(str(words[0]))), *map(str, words[1:])],
        cwd=cwd,
        env=clean_environment(environment),
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )


def program(name: str) -> Path:
    """A program that was installed beside this Python."""
    return Path(sys.executable).parent / name


def clean_environment(added: Mapping[str, str]) -> dict[str, str]:
    """This process's environment without what a user may have set for Inspect or the suite."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("INSPECT_", "AGENTBENCH_BANK"))}
    return kept | {"COLUMNS": "500", "NO_COLOR": "1"} | added
