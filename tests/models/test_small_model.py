import asyncio
import os
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest
from inspect_ai.model import GenerateConfig, ModelOutput
from inspect_ai.tool import ToolInfo, ToolParams

from inspect_agentbench.models import check_model, is_context_overflow

from . import small_server as module
from .conftest import model_at
from .small_server import SmallServer

pytestmark = [
    pytest.mark.model,
    pytest.mark.usefixtures("no_proxy"),
    # Inspect calls tenacity in a way that tenacity has deprecated.
    pytest.mark.filterwarnings("ignore:The 'initial' parameter is deprecated:DeprecationWarning"),
]

NAMES = ["ollama/gemma3", "openai-api/small/gemma3"]
LIST_FILES = ToolInfo(
    name="list_files",
    description="List the files of a folder.",
    parameters=ToolParams.model_validate(
        {"properties": {"path": {"type": "string", "description": "the folder"}}, "required": ["path"]}
    ),
)


@pytest.mark.parametrize("name", NAMES)
def test_a_real_server_is_identified(name: str, small_model: SmallServer) -> None:
    """llama.cpp tells its file, context and template through either provider."""
    identity = check_model(model_at(name, small_model.base_url))
    assert identity is not None
    assert identity.server == "llama.cpp"
    assert identity.served_name == "gemma3"
    assert identity.address == "loopback"
    assert identity.parameters == 268_098_176
    assert identity.context_tokens == module.CONTEXT_TOKENS
    assert identity.quantisation == "Q4_K - Medium"
    assert identity.chat_template_sha256 is not None


def test_a_real_server_of_one_file_takes_any_name(small_model: SmallServer) -> None:
    """The name asked for is not refused, and the identity says what really answers."""
    identity = check_model(model_at("ollama/qwen3", small_model.base_url))
    assert identity is not None
    assert (identity.requested_name, identity.served_name) == ("qwen3", "gemma3")


async def generate(name: str, server: SmallServer, prompt: str) -> ModelOutput:
    config = GenerateConfig(max_tokens=48, temperature=0.0, max_retries=0)
    async with model_at(name, server.base_url) as model:
        return await model.generate(prompt, tools=[LIST_FILES], config=config)


@pytest.mark.parametrize("name", NAMES)
def test_a_real_server_calls_tools(name: str, small_model: SmallServer) -> None:
    """The server's reply holds a native tool call that Inspect can execute."""
    output = asyncio.run(generate(name, small_model, "Which files are there?"))
    calls = output.message.tool_calls or []
    assert [(call.function, call.parse_error) for call in calls] == [("list_files", None)]
    assert isinstance(calls[0].arguments["path"], str)


@pytest.mark.parametrize("name", NAMES)
def test_a_real_full_context_is_recognised(name: str, small_model: SmallServer) -> None:
    """What llama.cpp says to a prompt that is too long, as Inspect raises it, is a full context."""
    with pytest.raises(Exception, match="exceeds the available context size") as raised:
        asyncio.run(generate(name, small_model, "word " * 2 * module.CONTEXT_TOKENS))
    assert is_context_overflow(raised.value)


def test_the_server_dies_with_its_parent() -> None:
    """Even a parent that is killed leaves no server behind."""
    program = "import threading; from models.small_server import small_server as s\n"
    program += "with s() as it: print(it.address, it.process_id, flush=True); threading.Event().wait()"
    environment = os.environ | {"PYTHONPATH": str(Path(module.__file__).parents[1])}
    parent = subprocess.Popen([sys.executable, "-c", program], env=environment, stdout=subprocess.PIPE)
    assert parent.stdout is not None
    with parent.stdout as output:
        address, process_id = output.readline().decode().split()
        assert httpx.get(f"{address}/health", trust_env=False).status_code == 200
        parent.kill()
        parent.wait()
    assert gone(int(process_id), seconds=10)


def gone(process_id: int, seconds: float) -> bool:
    """Whether the process has ended, or ends in time; one that only waits to be reaped has."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            state = Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return True
        if state == "Z":
            return True
        time.sleep(0.02)
    return False
