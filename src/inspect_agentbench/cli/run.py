"""`agentbench run`: a campaign, from its file to its comparison."""

import sys
from collections.abc import Sequence
from pathlib import Path

import click
from inspect_ai.log import EvalLog

from inspect_agentbench.bank import Variant, open_bank
from inspect_agentbench.campaign import (
    Block,
    Campaign,
    blocks_of,
    check_against_bank,
    expected_time,
    planned_episodes,
    read_campaign,
    run_campaign,
)
from inspect_agentbench.compare.html import render_html
from inspect_agentbench.engine import connect, ensure_image
from inspect_agentbench.errors import AgentbenchError
from inspect_agentbench.freezing import frozen_state
from inspect_agentbench.outcome import Outcome
from inspect_agentbench.reading import collect_logs
from inspect_agentbench.stats import plan, plan_line

from .compare import VIEWER, compared, show
from .models import usable_model
from .output import print_table, say, write_text


@click.command()
@click.argument("campaign", type=click.Path(path_type=Path))
@click.option("--log-dir", type=click.Path(path_type=Path), help="Log folder (default: logs/NAME).")
@click.option("--dry-run", is_flag=True, help="Show plan and blocks, and run nothing.")
def run(campaign: Path, log_dir: Path | None, dry_run: bool) -> None:
    """Run the campaign of a YAML file; the same command again goes on where it stopped.

    Ends in the comparison and a report. Exit code 1 if an episode errored or is missing.
    """
    planned = read_campaign(campaign)
    bank = open_bank(planned.bank)
    variants = check_against_bank(planned, bank)
    if not frozen_state(bank, allow_unfrozen=False)["frozen"]:
        raise AgentbenchError(
            f"the bank {bank.root} is not frozen, so no comparison would take its logs; "
            f"freeze it with `agentbench lock --bank {bank.root}`"
        )
    blocks = blocks_of(planned, variants)
    folder = log_dir or Path("logs") / planned.name
    for line in plan_lines(planned, variants, blocks):
        click.echo(line)
    click.echo(expected_time(planned, planned_episodes(planned, blocks), folder))
    if dry_run:
        _print_blocks(blocks)
        return
    for model in dict.fromkeys(block.model.model for block in blocks):
        usable_model(model)
    sys.exit(0 if carry_out(planned, blocks, folder) else 1)


def plan_lines(campaign: Campaign, variants: Sequence[Variant], blocks: Sequence[Block]) -> list[str]:
    """What the campaign is, and what it can show."""
    scored = [variant for variant in variants if variant.label == "scored"]
    lines = [
        f"{campaign.name}: {len(blocks)} arms x {len(variants)} families x {campaign.runs} runs = "
        f"{planned_episodes(campaign, blocks)} episodes; held controls {campaign.held_hash[:12]}"
    ]
    if campaign.kind == "panel":
        lines.append("a panel: its runs choose variants, and are never evidence in a comparison")
    elif len(blocks) > 1 and scored:
        lines.append(plan_line(plan(len(scored), campaign.runs, len(blocks))))
    return lines


def carry_out(campaign: Campaign, blocks: Sequence[Block], folder: Path) -> bool:
    """Run it and show what came out; whether every episode is there and none errored."""
    connect()
    ensure_image(say)
    say(f"logs go to {folder}")
    logs = run_campaign(campaign, blocks, folder, say)
    stop_if_interrupted(logs)
    found = collect_logs((folder,), panel=campaign.kind == "panel")
    whole = is_whole([row.outcome for row in found.rows], planned_episodes(campaign, blocks))
    if campaign.kind == "panel":
        click.echo(f"\nThe rule of promotion is applied by: agentbench panel {folder}")
    elif len(blocks) > 1:
        compare_folder(folder)
    click.echo(f"\nLogs: {folder}\nLook at them: inspect view --log-dir {folder}")
    return whole


def stop_if_interrupted(logs: Sequence[EvalLog]) -> None:
    """Raise KeyboardInterrupt if the run was: Inspect gives no logs then, or cancelled ones."""
    if not logs or any(log.status == "cancelled" for log in logs):
        raise KeyboardInterrupt


def is_whole(outcomes: Sequence[Outcome], planned: int) -> bool:
    """Whether so many episodes are there, and none errored."""
    return len(outcomes) >= planned and Outcome.ERRORED not in outcomes


def compare_folder(folder: Path) -> None:
    """Print the comparison of a folder, and write the report beside its logs."""
    found = compared((folder,))
    click.echo()
    show(found)
    report = folder / "report.html"
    write_text(report, render_html(found, VIEWER))
    click.echo(f"\nReport: {report}")


def _print_blocks(blocks: Sequence[Block]) -> None:
    click.echo()
    rows = [
        (block.folder, block.model.model, block.solver or "coding_agent", " ".join(block.families))
        for block in blocks
    ]
    print_table(("block", "model", "agent", "families in order"), rows)
