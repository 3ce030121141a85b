"""`agentbench redact`: copies of logs that can be published without giving the oracle away."""

from collections.abc import Sequence
from pathlib import Path

import click

from inspect_agentbench.bank import Bank, open_bank
from inspect_agentbench.errors import AgentbenchError
from inspect_agentbench.logs import log_files
from inspect_agentbench.redacting import Redacted, redact_log

from .output import bank_option, json_option, print_json, print_table, say


@click.command()
@click.argument("logs", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--to",
    "folder",
    required=True,
    type=click.Path(path_type=Path),
    help="Folder for the copies; made if it is missing.",
)
@bank_option
@json_option
def redact(logs: tuple[Path, ...], folder: Path, bank: Path | None, as_json: bool) -> None:
    """Copy LOGS (files or folders) without the oracle's inputs, answers and text.

    The signature's name and the numbers of the trials that disagree stay, and so do the submissions. Of an
    episode that reached the oracle only its verdict stays. Each copy is read again before it gets its name:
    if anything hidden is left in it, it is not kept.
    """
    sources = log_files(logs)
    targets = _targets(sources, folder)
    opened = open_bank(bank) if bank else None
    done = [_one(source, targets[source], opened) for source in sources]
    if as_json:
        print_json([{**d._asdict(), "source": str(d.source), "target": str(d.target)} for d in done])
        return
    columns = (
        "copy",
        "episodes",
        "disagreements taken out",
        "texts covered",
        "submissions left out",
        "transcripts left out",
    )
    print_table(columns, [(d.target.name, *d[2:]) for d in done])
    click.echo(f"\nCopies: {folder}")


def _one(source: Path, target: Path, bank: Bank | None) -> Redacted:
    say(f"redacting {source}")
    return redact_log(source, target, bank)


def _targets(sources: Sequence[Path], folder: Path) -> dict[Path, Path]:
    targets = {source: folder / f"{source.stem}.eval" for source in sources}
    if len(set(targets.values())) < len(sources):
        raise AgentbenchError("two of the logs have the same name, and so would their copies; rename one")
    if there := next((target for target in targets.values() if target.exists()), None):
        raise AgentbenchError(f"{there} exists; name another folder by --to, or remove it")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise AgentbenchError(f"{folder} cannot be made ({error.strerror}); name another --to") from error
    return targets
