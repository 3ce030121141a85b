"""Ctrl-C: whoever interrupts is left with no container of ours."""

import signal
from pathlib import Path

import docker
import pytest
from live_runs import containers_of, own_family, started, stop, wait_until
from suite_runs import BANKS

pytestmark = pytest.mark.docker


@pytest.fixture
def family(tmp_path: Path) -> str:
    """A bank of this test alone."""
    return own_family(tmp_path)


@pytest.mark.parametrize("in_grading", [False, True])
def test_an_interrupted_eval_leaves_no_container(
    client: docker.DockerClient, tmp_path: Path, family: str, in_grading: bool
) -> None:
    """In the episode (the agent's container is up) and in the grading (a room is up)."""
    words = ["inspect", "eval", f"inspect_agentbench/{family}", "--model", "replay/correct", "--epochs", "3"]
    process = started([*words, "--display", "plain"], tmp_path)
    wait_until(lambda: containers_of(client, process, "room" if in_grading else "agent"))
    stop(process, signal.SIGINT)
    assert containers_of(client, process, "agent") == []
    assert containers_of(client, process, "room") == []


def test_an_interrupted_grading_leaves_no_container(
    client: docker.DockerClient, tmp_path: Path, family: str
) -> None:
    """`agentbench grade` ends with 130 and takes its rooms with it."""
    (tmp_path / "adder.py").write_bytes((BANKS / "tiny/tasks/tiny/repo/adder.py").read_bytes())
    process = started(["agentbench", "grade", family, str(tmp_path), "--repeat", "200"], tmp_path)
    wait_until(lambda: containers_of(client, process, "room"))
    assert stop(process, signal.SIGINT) == 130
    assert containers_of(client, process, "room") == []


def test_an_interrupted_demo_says_so(client: docker.DockerClient, tmp_path: Path, family: str) -> None:
    """It ends with 130, like every interrupted command."""
    process = started(["agentbench", "demo", "--model", "replay/correct", "--log-dir", "logs"], tmp_path)
    wait_until(lambda: containers_of(client, process, "room"))
    assert stop(process, signal.SIGINT) == 130
    assert containers_of(client, process, "room") == []
