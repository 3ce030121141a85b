"""Ctrl-C: whoever interrupts is left with no container of ours."""

import os
import signal
import subprocess
import time
from pathlib import Path

import docker
import pytest
from suite_runs import BANKS, clean_environment, program

pytestmark = pytest.mark.docker

SECONDS = 90


def started(words: list[str], cwd: Path) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [str(program(words[0])), *words[1:]],
        cwd=cwd,
        env=clean_environment({"AGENTBENCH_BANK": str(BANKS / "tiny")}),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def containers(client: docker.DockerClient, part: str) -> set[str]:
    """Names of the engine's containers that hold `part`."""
    listed = client.api.containers(all=True)
    return {name for entry in listed for name in entry["Names"] if part in name}


def wait_for_new(client: docker.DockerClient, part: str, before: set[str], process: object) -> set[str]:
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        new = containers(client, part) - before
        if new:
            return new
        time.sleep(0.02)
    raise AssertionError(f"no container with {part!r} in its name came up: {process}")


def interrupt(process: "subprocess.Popen[bytes]") -> int:
    os.killpg(process.pid, signal.SIGINT)
    return process.wait(SECONDS)


def of_run(client: docker.DockerClient, room: str) -> set[str]:
    """The rooms and judges of the process that made this one; other processes may be at work."""
    return containers(client, room.rpartition("-")[0].rpartition("-")[2])


@pytest.mark.parametrize("part", ["inspect-tiny", "agentbench-room"])
def test_an_interrupted_eval_leaves_no_container(
    client: docker.DockerClient, tmp_path: Path, part: str
) -> None:
    """In the episode (the agent's container is up) and in the grading (a room is up)."""
    before = containers(client, "")
    words = ["inspect", "eval", "inspect_agentbench/tiny", "--model", "replay/correct", "--epochs", "3"]
    process = started([*words, "--display", "plain"], tmp_path)
    new = wait_for_new(client, part, before, process)
    interrupt(process)
    assert containers(client, "inspect-tiny") - before == set()
    if part == "agentbench-room":
        assert of_run(client, new.pop()) == set()


def test_an_interrupted_grading_leaves_no_container(client: docker.DockerClient, tmp_path: Path) -> None:
    """`agentbench grade` ends with 130 and takes its rooms with it."""
    (tmp_path / "adder.py").write_bytes((BANKS / "tiny/tasks/tiny/repo/adder.py").read_bytes())
    before = containers(client, "agentbench-")
    process = started(["agentbench", "grade", "tiny", str(tmp_path), "--repeat", "200"], tmp_path)
    new = wait_for_new(client, "agentbench-room", before, process)
    assert interrupt(process) == 130
    assert of_run(client, new.pop()) == set()
