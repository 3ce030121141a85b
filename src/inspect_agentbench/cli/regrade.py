"""`agentbench regrade`: grading the saved submissions of logs again."""

import sys
from pathlib import Path

import click

from inspect_agentbench.bank import Bank, open_bank
from inspect_agentbench.engine import connect, ensure_image
from inspect_agentbench.errors import AgentbenchError
from inspect_agentbench.logs import Episode, episodes, log_files
from inspect_agentbench.outcome import Outcome
from inspect_agentbench.regrading import Regraded, regrade_episode

from .output import bank_option, json_option, print_json, print_table, say


@click.command()
@click.argument("logs", nargs=-1, required=True, type=click.Path(path_type=Path))
@bank_option
@json_option
def regrade(logs: tuple[Path, ...], bank: Path | None, as_json: bool) -> None:
    """Grade the saved submissions of LOGS (files or folders) again and say what differs.

    Exit code 0 if everything is as recorded, 1 if anything differs.
    """
    found = [episode for path in log_files(logs) for episode in episodes(path)]
    if not any(episode.submission for episode in found):
        raise AgentbenchError(
            f"{', '.join(map(str, logs))}: no saved submission in {len(found)} episodes; "
            "name logs of episodes that were graded"
        )
    results = _regrade(found, open_bank(bank) if bank else None)
    _print(results, as_json)
    sys.exit(0 if all(result.matches for result in results) else 1)


def _regrade(found: list[Episode], bank: Bank | None) -> list[Regraded]:
    client, image = connect(), ensure_image(say)
    results = []
    for number, episode in enumerate(found, 1):
        say(f"grading {number} of {len(found)}: {episode.name} by {episode.model}")
        results.append(regrade_episode(client, image, episode, bank))
    return results


def _print(results: list[Regraded], as_json: bool) -> None:
    if as_json:
        print_json([{**result._asdict(), "matches": result.matches} for result in results])
        return
    print_table(("log", "model", "episode", "recorded", "now", "differences"), [_row(r) for r in results])
    graded = [result for result in results if result.recorded is not Outcome.ERRORED]
    same = sum(result.matches for result in graded)
    click.echo(f"\n{same} of {len(graded)} episodes are as recorded")
    if len(graded) < len(results):
        click.echo(f"{len(results) - len(graded)} errored when they ran, so there is no verdict to check")


def _row(result: Regraded) -> list[object]:
    said = "; ".join(result.differences) or ("all as recorded" if result.now else "no verdict to check")
    log = Path(result.log).name
    return [log, result.model, result.episode, result.recorded, result.now or "-", said]
