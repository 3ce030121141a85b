"""`agentbench demo`: the main job on a small scale, with embedded models or a real one."""

import sys
import time
from pathlib import Path

import click
from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog

from inspect_agentbench.bank import default_bank
from inspect_agentbench.engine import connect, ensure_image
from inspect_agentbench.errors import AgentbenchError
from inspect_agentbench.logs import Episode, episodes
from inspect_agentbench.outcome import Outcome

from .output import print_table, say

EMBEDDED = ("replay/correct", "replay/lazy", "replay/wrong", "replay/idle", "replay/claim", "replay/blocked")


@click.command()
@click.option("--model", default="", help="A model as Inspect names it (default: the embedded models).")
@click.option("--log-dir", type=click.Path(path_type=Path), help="Log folder (default: logs/demo-TIME).")
def demo(model: str, log_dir: Path | None) -> None:
    """Run the whole bank with the embedded models, or with --model, and show what came out."""
    connect()
    ensure_image(say)
    bank = default_bank()
    models = [model] if model else list(EMBEDDED)
    folder = log_dir or Path("logs") / time.strftime("demo-%Y%m%dT%H%M%S")
    say(f"{len(models)} models on {', '.join(bank.families)}; logs go to {folder}")
    logs = _run(models, folder)
    found = [episode for log in logs for episode in episodes(Path(log.location.removeprefix("file://")))]
    _print(found, list(bank.families))
    click.echo(f"\nLogs: {folder}\nLook at them: inspect view --log-dir {folder}")
    broken = [log for log in logs if log.status != "success"]
    sys.exit(1 if broken or any(episode.outcome is Outcome.ERRORED for episode in found) else 0)


def _run(models: list[str], folder: Path) -> list[EvalLog]:
    logs = inspect_eval("inspect_agentbench/bank", model=models, log_dir=str(folder), display="plain")
    if not logs:
        raise AgentbenchError("the demo did not start; see the message above")
    return logs


def _print(found: list[Episode], families: list[str]) -> None:
    rows = []
    for model in dict.fromkeys(episode.model for episode in found):
        for episode in (e for e in found if e.model == model):
            first_line = episode.explanation.splitlines()[0] if episode.explanation else ""
            rows.append([model, episode.sample.id, episode.outcome, first_line.partition("; first:")[0]])
    click.echo()
    print_table(("model", "episode", "outcome", "why"), rows)
