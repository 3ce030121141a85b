"""Runs in processes of their own, to be stopped while they are at work, and what they leave on the engine."""

import os
import secrets
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import docker
from suite_runs import BANKS, clean_environment, program

from inspect_agentbench.engine import PROCESS_LABEL

SECONDS = 90


def own_family(folder: Path) -> str:
    """A bank in `folder/bank` whose only family has a name that no other run's containers carry."""
    name = f"t{secrets.token_hex(4)}"
    for half in ("tasks", "oracles"):
        shutil.copytree(BANKS / "tiny" / half / "tiny", folder / "bank" / half / name)
    manifest = folder / "bank/tasks" / name / "family.toml"
    manifest.write_text(manifest.read_text().replace('id = "tiny"', f'id = "{name}"'))
    return name


def started(words: list[str], cwd: Path, **environment: str) -> "subprocess.Popen[bytes]":
    """A command of this environment at work, in a session of its own, with the bank of `cwd`."""
    return subprocess.Popen(
        [str(program(words[0])), *words[1:]],
        cwd=cwd,
        env=clean_environment({"AGENTBENCH_BANK": str(cwd / "bank"), **environment}),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def stop(process: "subprocess.Popen[bytes]", signal: int) -> int:
    """Send a signal to the run and all that it started; its exit code."""
    os.killpg(process.pid, signal)
    return process.wait(SECONDS)


def containers_of(client: docker.DockerClient, process: "subprocess.Popen[bytes]", kind: str) -> list[str]:
    """The containers of one kind (room, judge, agent) that a run of this package made."""
    wanted = [f"{PROCESS_LABEL}={process.pid}", f"inspect_agentbench.kind={kind}"]
    return [entry["Id"] for entry in client.api.containers(all=True, filters={"label": wanted})]


def wait_until(some: Callable[[], object]) -> None:
    """Until it is true; an assertion error if that takes too long."""
    deadline = time.monotonic() + SECONDS
    while not some():
        assert time.monotonic() < deadline, "it did not come so far"
        time.sleep(0.02)
