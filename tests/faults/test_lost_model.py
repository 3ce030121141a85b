"""A model's server that dies in the middle of an episode: `errored`, with the files that were there."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from suite_runs import BANKS, run_eval

from inspect_agentbench.logs import Episode
from inspect_agentbench.outcome import Outcome

pytestmark = pytest.mark.docker

WRITES = {"path": "adder.py", "content": "VALUE = 1\n"}


class _OneReply(BaseHTTPRequestHandler):
    """Serves a model that writes a file in its first reply; then its server is gone."""

    def do_GET(self) -> None:
        self._send({"object": "list", "data": [{"id": "frail", "object": "model"}]})

    def do_POST(self) -> None:
        call = {"name": "write_file", "arguments": json.dumps(WRITES)}
        message = {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "c1", "type": "function", "function": call}],
        }
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        choice = {"index": 0, "message": message, "finish_reason": "tool_calls"}
        self._send({"id": "1", "object": "chat.completion", "created": 1, "model": "frail",
                    "choices": [choice], "usage": usage})  # fmt: skip
        threading.Thread(target=self.server.shutdown).start()
        self.server.socket.close()

    def _send(self, data: object) -> None:
        body = json.dumps(data).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        return


@pytest.fixture
def frail_server(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The name of a model whose server answers once."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _OneReply)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("FRAIL_BASE_URL", f"http://127.0.0.1:{server.server_address[1]}/v1")
    monkeypatch.setenv("FRAIL_API_KEY", "none")
    yield "openai-api/frail/frail"
    server.server_close()


def test_a_server_that_dies_is_nobodys_failure(frail_server: str, tmp_path: Path) -> None:
    """The episode ends in bounded time, says that there was no connection, and keeps the agent's file."""
    (log,) = run_eval(
        "inspect_agentbench/bank",
        frail_server,
        tmp_path,
        task_args={"bank": str(BANKS / "tiny")},
        max_retries=0,
        timeout=30,
    )
    (sample,) = log.samples or []
    episode = Episode(Path(log.location), log.eval.model, sample)
    assert episode.outcome is Outcome.ERRORED
    assert not sample.scores
    assert "connection" in episode.explanation.lower()
    assert episode.submission["files"]["adder.py"]["text"] == WRITES["content"]
