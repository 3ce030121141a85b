"""`agentbench demo`: the main job on a small scale, with embedded models or a real one."""

import sys
import time
from pathlib import Path

import click
from inspect_ai.hooks import Hooks, SampleEnd, hooks

from inspect_agentbench.bank import default_bank
from inspect_agentbench.campaign import (
    Block,
    Campaign,
    blocks_of,
    check_against_bank,
    planned_episodes,
    run_campaign,
)
from inspect_agentbench.engine import connect, ensure_image
from inspect_agentbench.freezing import frozen_state
from inspect_agentbench.logs import Episode, episodes
from inspect_agentbench.outcome import Outcome

from .models import usable_model
from .output import print_table, say
from .run import compare_folder, is_whole, plan_lines, stop_if_interrupted

EMBEDDED = ("replay/correct", "replay/lazy", "replay/wrong", "replay/idle", "replay/claim", "replay/blocked")


@click.command()
@click.option("--model", default="", help="A model as Inspect names it (default: the embedded models).")
@click.option("--log-dir", type=click.Path(path_type=Path), help="Log folder (default: logs/demo-TIME).")
def demo(model: str, log_dir: Path | None) -> None:
    """Run the whole bank with the embedded models, or with --model, and show what came out.

    Ends in the comparison of the arms and a report. Exit code 1 if an episode errored or is missing.
    """
    models = [model] if model else list(EMBEDDED)
    for name in models:
        usable_model(name)
    connect()
    ensure_image(say)
    campaign = Campaign.model_validate({"name": "demo", "models": models, "families": "all", "runs": 1})
    bank = default_bank()
    variants = check_against_bank(campaign, bank)
    blocks = blocks_of(campaign, variants)
    folder = log_dir or Path("logs") / time.strftime("demo-%Y%m%dT%H%M%S")
    for line in plan_lines(campaign, variants, blocks):
        say(line)
    _run(campaign, blocks, folder)
    found = [episode for path in sorted(folder.rglob("*.eval")) for episode in episodes(path)]
    _print(found)
    if len(models) > 1 and frozen_state(bank, allow_unfrozen=False)["frozen"]:
        compare_folder(folder)
    click.echo(f"\nLogs: {folder}\nLook at them: inspect view --log-dir {folder}")
    whole = is_whole([episode.outcome for episode in found], planned_episodes(campaign, blocks))
    sys.exit(0 if whole else 1)


def _run(campaign: Campaign, blocks: list[Block], folder: Path) -> None:
    _Progress.planned = planned_episodes(campaign, blocks)
    try:
        logs = run_campaign(campaign, blocks, folder, say)
    finally:
        _Progress.planned = 0
    stop_if_interrupted(logs)


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
