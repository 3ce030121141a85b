"""A real small model, through both local providers, from its server to a grade."""

from pathlib import Path

import pytest
from inspect_ai.log import read_eval_log
from models.small_server import SmallServer, small_server
from suite_runs import BANKS, command

from inspect_agentbench.logs import Episode, local_path
from inspect_agentbench.outcome import Outcome

pytestmark = [pytest.mark.docker, pytest.mark.model]


@pytest.fixture(scope="module")
def server() -> SmallServer:  # type: ignore[misc]
    with small_server() as running:
        yield running


@pytest.mark.parametrize("model", ["ollama/gemma3", "openai-api/small/gemma3"])
def test_an_episode_of_a_real_model_ends_in_a_grade(server: SmallServer, tmp_path: Path, model: str) -> None:
    """The model solves nothing; its episode is graded, and the log says who served it."""
    words = ["inspect", "eval", "inspect_agentbench/bank", "--model", model, "--max-tokens", "64"]
    words += ["-T", f"bank={BANKS / 'tiny'}", "-T", "family=tiny", "-T", "turns=2", "--temperature", "0"]
    done = command(*words, "--log-dir", tmp_path, "--display", "plain", seconds=400, **server.environment)
    assert done.returncode == 0, done.stderr
    (path,) = tmp_path.glob("*.eval")
    log = read_eval_log(str(path), resolve_attachments=True)
    (sample,) = log.samples or []
    episode = Episode(local_path(log.location), log.eval.model, sample)
    assert episode.outcome is Outcome.FAILED, episode.explanation
    served = (log.eval.metadata or {})["agentbench"]["model_server"]
    assert served["server"] == "llama.cpp"
    assert served["address"] == "loopback"
    assert served["context_tokens"] > 0
