"""`agentbench demo`: the main job on a small scale, with embedded models or a real one."""

import sys
import time
from pathlib import Path

import click
from inspect_ai import eval as inspect_eval
from inspect_ai.hooks import Hooks, SampleEnd, hooks
from inspect_ai.log import EvalLog

from inspect_agentbench.bank import default_bank
from inspect_agentbench.engine import connect, ensure_image
from inspect_agentbench.errors import AgentbenchError
from inspect_agentbench.logs import Episode, episodes, local_path
from inspect_agentbench.outcome import Outcome

from .models import usable_model
from .output import print_table, say

EMBEDDED = ("replay/correct", "replay/lazy", "replay/wrong", "replay/idle", "replay/claim", "replay/blocked")

_COUNTED = (Outcome.DISQUALIFIED, Outcome.ERRORED, Outcome.SOLVED, Outcome.ILLUSORY, Outcome.FAILED)


@click.command()
@click.option("--model", default="", help="A model as Inspect names it (default: the embedded models).")
@click.option("--log-dir", type=click.Path(path_type=Path), help="Log folder (default: logs/demo-TIME).")
def demo(model: str, log_dir: Path | None) -> None:
    """Run the whole bank with the embedded models, or with --model, and show what came out.

    Exit code 1 if an episode errored or a run did not end.
    """
    models = [model] if model else list(EMBEDDED)
    for name in models:
        usable_model(name)
    connect()
    ensure_image(say)
    families = list(default_bank().families)
    folder = log_dir or Path("logs") / time.strftime("demo-%Y%m%dT%H%M%S")
    _make(folder)
    say(f"{', '.join(models)} on {', '.join(families)}; logs go to {folder}")
    logs = _run(models, folder, len(models) * len(families))
    found = [episode for log in logs for episode in episodes(local_path(log.location))]
    _print(found)
    click.echo(f"\nLogs: {folder}\nLook at them: inspect view --log-dir {folder}")
    if any(log.status == "cancelled" for log in logs):
        raise KeyboardInterrupt
    broken = [log for log in logs if log.status != "success"]
    sys.exit(1 if broken or any(episode.outcome is Outcome.ERRORED for episode in found) else 0)


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise AgentbenchError(
            f"{folder} cannot be made ({error.strerror}); name another --log-dir"
        ) from error


def _run(models: list[str], folder: Path, episodes_planned: int) -> list[EvalLog]:
    _Progress.planned = episodes_planned
    try:
        logs = inspect_eval("inspect_agentbench/bank", model=models, log_dir=str(folder), display="log")
    finally:
        _Progress.planned = 0
    if not logs:  # Inspect gives none back when it was interrupted
        raise KeyboardInterrupt
    return logs


@hooks(name="agentbench_demo_progress", description="Prints a line for each episode of the demo.")
class _Progress(Hooks):
    planned = 0
    ended = 0

    def enabled(self) -> bool:
        return _Progress.planned > 0

    async def on_sample_end(self, data: SampleEnd) -> None:
        if data.sample.error is not None and "Cancelled" in data.sample.error.message:
            return  # interrupted, not errored
        _Progress.ended += 1
        scores = (data.sample.scores or {}).values()
        outcome = next((str(score.value) for score in scores), Outcome.ERRORED.value)
        model = next((event.model for event in data.sample.events if event.event == "model"), "?")
        say(f"{_Progress.ended} of {_Progress.planned}: {model} on {data.sample.id}: {outcome}")


def _print(found: list[Episode]) -> None:
    rows = []
    models = list(dict.fromkeys(episode.model for episode in found))
    for model in models:
        for episode in (e for e in found if e.model == model):
            first_line = episode.explanation.splitlines()[0] if episode.explanation else ""
            rows.append([model, episode.sample.id, episode.outcome, first_line.partition("; first:")[0]])
    click.echo()
    print_table(("model", "episode", "outcome", "why"), rows)
    click.echo()
    print_table(("model", "episodes", *_COUNTED), [_counts(found, model) for model in models])


def _counts(found: list[Episode], model: str) -> list[object]:
    """How often each outcome came of a model; counts, since a few families make no rate."""
    own = [episode.outcome for episode in found if episode.model == model]
    return [model, len(own), *(own.count(outcome) for outcome in _COUNTED)]
