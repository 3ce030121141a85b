"""The engine goes away in the middle: `errored` with its reason, and done later. Never a verdict."""

from collections.abc import Callable
from pathlib import Path

import docker
import pytest
from cut_engine import CutEngine
from suite_runs import command

from inspect_agentbench import engine
from inspect_agentbench.logs import episodes, log_files
from inspect_agentbench.outcome import Outcome

pytestmark = pytest.mark.docker

AT = {
    "in the episode": b'"User":"agent"',
    "in the collection": b"-default-1/kill",
    "in the judge": b"name=agentbench-judge",
    "in the room": b"name=agentbench-room",
}
"""Where in an episode, by what is asked of the engine there for the first time."""


@pytest.fixture
def engine_socket(client: docker.DockerClient) -> str:
    address = client.api.base_url
    return "/var/run/docker.sock" if address.startswith("http+docker") else address.removeprefix("unix://")


@pytest.fixture
def lose(
    client: docker.DockerClient, tmp_path: Path, short_folder: Path, engine_socket: str, family: str
) -> Callable[[str], Path]:
    """Runs an episode whose engine goes away at that point; gives its log."""

    def run(where: str) -> Path:
        cut = CutEngine(short_folder / "d.sock", engine_socket, AT[where])
        words = ["inspect", "eval", f"inspect_agentbench/{family}", "--model", "replay/correct"]
        words += ["--display", "plain", "--log-dir", str(tmp_path / "logs")]
        done = command(*words, DOCKER_HOST=cut.address, **own(tmp_path))
        assert cut.is_cut.is_set(), done.stdout + done.stderr
        (left,) = {c.run for c in engine.list_leftovers(client) if c.name.startswith(f"inspect-{family}")}
        engine.clean(client, left)
        (log,) = log_files((tmp_path / "logs",))
        return log

    return run


def own(folder: Path) -> dict[str, str]:
    """A bank and an empty cache, so that the judge is asked."""
    return {"AGENTBENCH_BANK": str(folder / "bank"), "AGENTBENCH_CACHE": str(folder / "cache")}


@pytest.mark.parametrize("where", [where for where in AT if where != "in the room"])
def test_an_engine_that_goes_away_is_no_verdict(lose: Callable[[str], Path], where: str) -> None:
    """The episode is errored with a reason, and what was collected before is kept."""
    (episode,) = episodes(lose(where))
    assert episode.outcome is Outcome.ERRORED
    assert not episode.sample.scores
    assert "docker" in episode.explanation.lower(), "the reason names what was lost"
    assert bool(episode.submission) is (where == "in the judge")


def test_what_an_engine_cost_is_done_later(lose: Callable[[str], Path], tmp_path: Path) -> None:
    """`inspect eval-retry` runs the errored episode again, once the engine is back."""
    lost = lose("in the room")
    assert [(e.outcome, bool(e.submission)) for e in episodes(lost)] == [(Outcome.ERRORED, True)]
    words = ["inspect", "eval-retry", lost, "--display", "plain"]
    done = command(*words, "--log-dir", tmp_path / "again", **own(tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr
    (log,) = log_files((tmp_path / "again",))
    assert [episode.outcome for episode in episodes(log)] == [Outcome.SOLVED]
