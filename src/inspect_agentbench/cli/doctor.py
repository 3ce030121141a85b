"""`agentbench doctor`: is everything there that an episode needs, and what did killed runs leave?"""

import sys
from collections.abc import Callable, Iterator
from typing import NamedTuple

import click
import docker

from inspect_agentbench.bank import default_bank
from inspect_agentbench.engine import (
    check_compose,
    clean,
    connect,
    ensure_image,
    list_leftovers,
)
from inspect_agentbench.errors import AgentbenchError, HarnessFault
from inspect_agentbench.integrity.probe import why_not_traced

from .models import usable_model
from .output import json_option, print_json, print_table, say


class Finding(NamedTuple):
    """What one check found."""

    check: str
    ok: bool
    detail: str


@click.command()
@click.option("--model", default="", help="Also ask the server of this model, as Inspect names it.")
@click.option("--clean", "run", metavar="RUN", help="Remove what the run of this id left, and nothing else.")
@json_option
def doctor(model: str, run: str | None, as_json: bool) -> None:
    """Check docker, compose, the sandbox image, tracing and the bank; say what to do.

    Exit code 1 if a check fails.
    """
    if run is not None:
        names = clean(connect(), run)
        say(f"removed {', '.join(names)}")
        return
    findings = list(_findings(model))
    if as_json:
        print_json([finding._asdict() for finding in findings])
    else:
        print_table(("check", "", "detail"), [[f.check, "ok" if f.ok else "NO", f.detail] for f in findings])
    sys.exit(0 if all(finding.ok for finding in findings) else 1)


def _findings(model: str) -> Iterator[Finding]:
    engine = _try("docker engine", _engine)
    yield engine
    yield _try("docker compose", lambda: f"version {check_compose()}")
    if engine.ok:
        yield _try("sandbox image", _image)
        yield _try("path log", _tracing)
        yield _try("left by killed runs", _leftovers)
    yield _try("bank", _bank)
    if model:
        yield _try(f"model {model}", lambda: _model(model))


def _try(check: str, work: Callable[[], str]) -> Finding:
    try:
        return Finding(check, True, work())
    except (AgentbenchError, HarnessFault) as error:
        return Finding(check, False, str(error))


def _engine() -> str:
    version = connect().version()
    return f"version {version['Version']} ({version['Os']}/{version['Arch']})"


def _image() -> str:
    image = ensure_image(say)
    return f"{image.tag}, Python {image.fingerprint.python}, fingerprint {image.fingerprint.short}"


def _tracing() -> str:
    reason = why_not_traced(connect(), ensure_image(say).id)
    if reason:
        raise AgentbenchError(
            f"commands cannot be traced ({reason}); episodes run, but passes are incomplete"
        )
    return "commands can be traced"


def _leftovers() -> str:
    client: docker.DockerClient = connect()
    left = [container for container in list_leftovers(client) if not container.at_work]
    if not left:
        return "nothing"
    listed = "; ".join(f"{c.name} ({c.status})" for c in left)
    runs = " ".join(dict.fromkeys(c.run for c in left))
    return (
        f"{listed}; remove what a run left with `agentbench doctor --clean RUN`, after a look at whether it "
        f"is at work on another machine (runs: {runs})"
    )


def _bank() -> str:
    bank = default_bank()
    return f"{bank.root}: {', '.join(bank.families)}"


def _model(name: str) -> str:
    identity = usable_model(name)
    return "no server to ask" if identity is None else str(identity)
