"""Ctrl-C: whoever interrupts is left with no container of ours."""

import os
import secrets
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import docker
import pytest
from suite_runs import BANKS, clean_environment, program

from inspect_agentbench.engine import PROCESS_LABEL

pytestmark = pytest.mark.docker

SECONDS = 90


@pytest.fixture
def family(tmp_path: Path) -> str:
    """A bank of this test alone, whose family has a name that no other run's containers carry."""
    name = f"t{secrets.token_hex(4)}"
    for half in ("tasks", "oracles"):
        shutil.copytree(BANKS / "tiny" / half / "tiny", tmp_path / "bank" / half / name)
    manifest = tmp_path / "bank/tasks" / name / "family.toml"
    manifest.write_text(manifest.read_text().replace('id = "tiny"', f'id = "{name}"'))
    return name


def started(words: list[str], cwd: Path) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [str(program(words[0])), *words[1:]],
        cwd=cwd,
        env=clean_environment({"AGENTBENCH_BANK": str(cwd / "bank")}),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def rooms_of(client: docker.DockerClient, process: "subprocess.Popen[bytes]") -> list[str]:
    label = {"label": f"{PROCESS_LABEL}={process.pid}"}
    return [entry["Id"] for entry in client.api.containers(all=True, filters=label)]


def agents_of(client: docker.DockerClient, task: str) -> list[str]:
    """The containers of agents in a task of that name."""
    return [entry["Id"] for entry in client.api.containers(all=True, filters={"name": f"inspect-{task}"})]


def wait_until(some: Callable[[], list[str]]) -> None:
    deadline = time.monotonic() + SECONDS
    while not some():
        assert time.monotonic() < deadline, "no container came up"
        time.sleep(0.02)


def interrupt(process: "subprocess.Popen[bytes]") -> int:
    os.killpg(process.pid, signal.SIGINT)
    return process.wait(SECONDS)


@pytest.mark.parametrize("in_grading", [False, True])
def test_an_interrupted_eval_leaves_no_container(
    client: docker.DockerClient, tmp_path: Path, family: str, in_grading: bool
) -> None:
    """In the episode (the agent's container is up) and in the grading (a room is up)."""
    words = ["inspect", "eval", f"inspect_agentbench/{family}", "--model", "replay/correct", "--epochs", "3"]
    process = started([*words, "--display", "plain"], tmp_path)
    wait_until(lambda: rooms_of(client, process) if in_grading else agents_of(client, family))
    interrupt(process)
    assert agents_of(client, family) == []
    assert rooms_of(client, process) == []


def test_an_interrupted_grading_leaves_no_container(
    client: docker.DockerClient, tmp_path: Path, family: str
) -> None:
    """`agentbench grade` ends with 130 and takes its rooms with it."""
    (tmp_path / "adder.py").write_bytes((BANKS / "tiny/tasks/tiny/repo/adder.py").read_bytes())
    process = started(["agentbench", "grade", family, str(tmp_path), "--repeat", "200"], tmp_path)
    wait_until(lambda: rooms_of(client, process))
    assert interrupt(process) == 130
    assert rooms_of(client, process) == []


def test_an_interrupted_demo_says_so(client: docker.DockerClient, tmp_path: Path, family: str) -> None:
    """It ends with 130, like every interrupted command."""
    process = started(["agentbench", "demo", "--model", "replay/correct", "--log-dir", "logs"], tmp_path)
    wait_until(lambda: rooms_of(client, process))
    assert interrupt(process) == 130
    assert rooms_of(client, process) == []
