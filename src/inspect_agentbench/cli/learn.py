"""`agentbench learn`: an unknown wrong submission of a log becomes a known lazy fix."""

from pathlib import Path

import click

from inspect_agentbench.bank import default_bank_root, open_bank
from inspect_agentbench.engine import connect, ensure_image
from inspect_agentbench.errors import AgentbenchError
from inspect_agentbench.gate.learning import learn as learn_fix
from inspect_agentbench.logs import Episode, episodes, log_files
from inspect_agentbench.submission import from_data

from .output import bank_option, say


@click.command()
@click.argument("log", type=click.Path(path_type=Path))
@click.argument("sample")
@click.option("--epoch", type=click.IntRange(min=1), help="Which run of the sample, if there are several.")
@click.option("--name", help="Name of the lazy fix (default: learned- and the submission's hash).")
@click.option("--force", is_flag=True, help="Learn it although a lazy fix with its signature is known.")
@bank_option
def learn(
    log: Path, sample: str, epoch: int | None, name: str | None, force: bool, bank: Path | None
) -> None:
    """Add the submission of SAMPLE in LOG to its family's lazy fixes, and record the signatures anew.

    It is graded first: only what passes the visible suite and disagrees with the oracle, in every variant,
    is a lazy fix.
    """
    episode = _episode(log, sample, epoch)
    metadata = episode.sample.metadata
    opened = open_bank(bank or metadata.get("bank"))
    variant = opened.family(str(metadata["family"])).variant(metadata.get("variant"))
    if episode.submission is None:
        raise AgentbenchError(f"{log}: {episode.name} has no saved submission")
    submission = from_data(episode.submission, f"{log}: {episode.name}")
    chosen = name or f"learned-{submission.hash[:8]}"
    client, image = connect(), ensure_image(say)
    learn_fix(client, image, variant, submission, chosen, force, say)
    family = variant.family
    shown = "" if opened.root == default_bank_root().resolve() else f" --bank {bank or opened.root}"
    click.echo(
        f"{family.hidden_folder / 'lazy' / chosen}: recorded with its signature.\n"
        f"The oracle has changed with it: raise `version` in {family.oracles_folder / 'oracle.toml'} and "
        f"{family.tasks_folder / 'family.toml'},\nsay in the changelog what it does to scores, and run "
        f"`agentbench admit {family.id}{shown}` and `agentbench lock{shown}`."
    )


def _episode(log: Path, sample: str, epoch: int | None) -> Episode:
    if log.is_dir():
        raise AgentbenchError(f"{log} is a folder; name one log in it")
    every = list(episodes(log_files((log,))[0]))
    found = [e for e in every if str(e.sample.id) == sample and epoch in (None, e.sample.epoch)]
    if not found:
        known = ", ".join(dict.fromkeys(e.name for e in every)) or "no sample"
        raise AgentbenchError(f"{log} has no such sample {sample!r}; it has {known}")
    if len(found) > 1:
        raise AgentbenchError(f"{log} has {len(found)} runs of {sample}; choose one with --epoch")
    return found[0]
