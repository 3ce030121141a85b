"""A run that is killed: what had finished is kept, the rest is done later, what it left can be removed."""

import signal
from collections.abc import Iterator
from pathlib import Path

import docker
import pytest
from docker.models.containers import Container
from inspect_ai.log import read_eval_log
from live_runs import SECONDS, containers_of, started, stop, wait_until
from suite_runs import command

from inspect_agentbench import engine
from inspect_agentbench.logs import episodes, log_files
from inspect_agentbench.outcome import Outcome

pytestmark = pytest.mark.docker

RUNS = 4


@pytest.fixture
def bystander(client: docker.DockerClient, image: engine.ImageInfo) -> Iterator[Container]:
    """Somebody else's container, which looks as much like ours as a stranger's can."""
    labels = {
        "inspect_agentbench": "1",
        "inspect_agentbench.kind": "agent",
        "inspect_agentbench.run": "other",
    }
    other = client.containers.create(image.tag, "sleep 600", labels=labels)
    yield other
    other.remove(force=True)


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL], ids=lambda how: how.name)
def test_a_killed_eval_set_is_completed_by_the_same_command(
    client: docker.DockerClient, tmp_path: Path, family: str, bystander: Container, how: signal.Signals
) -> None:
    """Finished episodes keep their scores, none is invented, and `doctor --clean` removes that run only."""
    words = ["inspect", "eval-set", f"inspect_agentbench/{family}", "--log-dir", "logs", "--display", "plain"]
    words += ["--model", "replay/correct,replay/lazy", "--epochs", str(RUNS), "--max-tasks", "1"]
    words += ["--max-samples", "1"]
    process = started(words, tmp_path)
    wait_until(lambda: len(list((tmp_path / "logs").glob("*.eval"))) == 2)  # the second model is at work
    wait_until(lambda: containers_of(client, process, "agent"))
    stop(process, how)
    kept = {log: log.read_bytes() for log in _complete(tmp_path / "logs")}
    assert len(kept) == 1

    left = [c for c in engine.list_leftovers(client) if c.id in containers_of(client, process, "agent")]
    assert [(c.kind, c.at_work) for c in left] == [("agent", False)]
    said = command("agentbench", "doctor")
    assert left[0].run in said.stdout
    assert command("agentbench", "doctor", "--clean", left[0].run).returncode == 0
    assert containers_of(client, process, "agent") == []
    assert client.containers.get(bystander.id).id == bystander.id

    again = started(words, tmp_path)
    assert again.wait(SECONDS) == 0
    found = [e for path in _complete(tmp_path / "logs") for e in episodes(path)]
    outcomes = {(e.model, e.sample.epoch): e.outcome for e in found}
    assert outcomes == {
        (model, run): outcome
        for model, outcome in {
            "replay/correct": Outcome.SOLVED,
            "replay/lazy": Outcome.ILLUSORY,
        }.items()
        for run in range(1, RUNS + 1)
    }
    assert all(log.read_bytes() == content for log, content in kept.items() if log.exists())


def _complete(folder: Path) -> list[Path]:
    """The logs whose run came to its end."""
    return [p for p in log_files((folder,)) if read_eval_log(str(p), header_only=True).status == "success"]
