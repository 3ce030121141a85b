import logging
import socket
import time

import pytest
from inspect_ai.model import get_model

from inspect_agentbench.errors import AgentbenchError
from inspect_agentbench.models import check_model

from .conftest import model_at
from .stub_server import Answer, Hang, Trickle, stub_server

pytestmark = pytest.mark.usefixtures("no_proxy")

VLLM_ENTRY = {"id": "Qwen/Qwen3-14B", "owned_by": "vllm", "max_model_len": 32768}
VLLM: dict[str, Answer] = {
    "GET /v1/models": (200, {"data": [VLLM_ENTRY]}),
    "GET /version": (200, {"version": "0.9.1"}),
}
OLLAMA: dict[str, Answer] = {
    "GET /api/tags": (200, {"models": [{"name": "qwen3:latest", "model": "qwen3:latest", "digest": "abc"}]}),
    "GET /api/version": (200, {"version": "0.13.0"}),
}
GENERIC: dict[str, Answer] = {"GET /v1/models": (200, {"data": [{"id": f"m{i}"} for i in range(8)]})}
NO_SUCH_MODEL: Answer = (
    404,
    {"error": {"message": "The model `x` does not exist.", "code": "model_not_found"}},
)
CHAT = "POST /v1/chat/completions"

PRESENT = [
    ("ollama/qwen3", OLLAMA),
    ("ollama/QWEN3:latest", OLLAMA),
    ("vllm/Qwen/Qwen3-14B", VLLM),
    ("vllm/Qwen/Qwen3-14B:my-adapter", VLLM),
    ("openai-api/some-service/m3", GENERIC),
]
PROVIDERS = [
    ("ollama/qwen3", "OLLAMA_BASE_URL", "ollama serve"),
    ("vllm/Qwen/Qwen3-14B", "VLLM_BASE_URL", "vllm serve"),
    ("openai-api/some-service/m3", "SOME_SERVICE_BASE_URL", "start it"),
]
FIRST_QUESTION = {"ollama": "GET /api/tags", "vllm": "GET /v1/models", "openai-api": "GET /v1/models"}


def closed_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def refusal(name: str, base_url: str) -> str:
    with pytest.raises(AgentbenchError) as raised:
        check_model(model_at(name, base_url))
    assert "\n" not in str(raised.value)
    return str(raised.value)


@pytest.mark.parametrize(("name", "routes"), PRESENT)
def test_a_model_that_is_there_is_identified(name: str, routes: dict[str, Answer]) -> None:
    """A server that lists the model is accepted, without a token asked of the model."""
    with stub_server(routes) as stub:
        identity = check_model(model_at(name, stub.v1))
    assert identity is not None
    assert identity.address == "loopback"
    assert ("POST", "/v1/chat/completions") not in stub.asked


@pytest.mark.parametrize(("name", "variable", "remedy"), PROVIDERS)
def test_an_absent_server_is_one_clear_line_at_once(name: str, variable: str, remedy: str) -> None:
    """With nobody listening the error names address, remedy and variable, and comes well within the bound."""
    url = f"http://127.0.0.1:{closed_port()}/v1"
    started = time.monotonic()
    message = refusal(name, url)
    assert time.monotonic() - started < 3
    assert url in message
    assert "refused" in message
    assert variable in message
    assert remedy in message


@pytest.mark.parametrize(
    ("name", "way"),
    [("ollama/qwen3", Hang()), ("vllm/Qwen/Qwen3-14B", Trickle()), ("openai-api/some-service/m3", Hang())],
)
def test_a_server_that_does_not_finish_its_answer_is_given_up(name: str, way: Answer) -> None:
    """Neither silence nor a byte now and then holds the preflight beyond its five seconds."""
    with stub_server({FIRST_QUESTION[name.split("/")[0]]: way}) as stub:
        started = time.monotonic()
        assert "did not answer within 5 s" in refusal(name, stub.v1)
        assert 4.5 < time.monotonic() - started < 8


def test_a_model_that_ollama_lacks_is_named_with_those_it_has() -> None:
    """The error says how to get the model and names at most five that are there."""
    models = [{"model": f"m{i}:latest"} for i in range(7)]
    with stub_server({"GET /api/tags": (200, {"models": models})}) as stub:
        message = refusal("ollama/qwen3", stub.v1)
    assert "ollama pull qwen3" in message
    assert "m4:latest and 2 more" in message
    assert "m5:latest" not in message


def test_ollama_itself_decides_about_a_name_that_its_list_spells_otherwise() -> None:
    """A name that /api/show resolves is there, whatever the list says."""
    with stub_server(OLLAMA | {"POST /api/show": (200, {"details": {}})}) as stub:
        assert check_model(model_at("ollama/alias-of-qwen3", stub.v1)) is not None


@pytest.mark.parametrize("name", ["vllm/other", "openai-api/some-service/other"])
@pytest.mark.parametrize(
    "said", [NO_SUCH_MODEL, (400, {"message": "Invalid model name passed: model=other"})]
)
def test_a_model_that_the_server_denies_is_refused(name: str, said: Answer) -> None:
    """An unlisted model that the server also denies when asked for a token is refused with the list."""
    with stub_server(GENERIC | {CHAT: said}) as stub:
        message = refusal(name, stub.v1)
    assert "does not have other" in message
    assert "m0, m1, m2, m3, m4 and 3 more" in message


@pytest.mark.parametrize(
    "routes",
    [
        GENERIC | {CHAT: (200, {"choices": []})},
        {"GET /v1/models": (200, {"data": []}), CHAT: (200, {})},
        {"GET /v1/models": (200, b"<html>\xff not json"), CHAT: (200, {})},
        {"GET /v1/models": (200, b"[" * 100_000), CHAT: (200, {})},
        {"GET /v1/models": (404, b""), CHAT: (200, {})},
        {"GET /v1/models": (404, b""), CHAT: (400, {"error": "max_tokens is too small"})},
        {"GET /v1/models": (404, b""), CHAT: (429, {"error": "slow down"})},
        {"GET /v1/models": (500, b"oops"), CHAT: (200, {})},
        {"GET /v1/models": (401, {"error": "Invalid API key"})},
        {"GET /v1/models": (403, b"")},
        {"GET /v1/models": (503, {"error": {"message": "Loading model"}})},
    ],
)
@pytest.mark.parametrize("name", ["vllm/other", "openai-api/some-service/other", "ollama/other"])
def test_what_cannot_be_known_is_accepted(name: str, routes: dict[str, Answer]) -> None:
    """No list, a short list, garbage or a wish for a key never refuse a model that may well work."""
    with stub_server(routes) as stub:
        identity = check_model(model_at(name, stub.v1))
    assert identity is not None
    assert identity.served_name is None
    assert identity.file_digest is None


def test_a_slow_first_token_is_no_reason_to_refuse() -> None:
    """A model that loads for longer than the preflight lasts is accepted, within the bound."""
    with stub_server({"GET /v1/models": (200, {"data": []}), CHAT: Hang()}) as stub:
        started = time.monotonic()
        assert check_model(model_at("openai-api/some-service/m", stub.v1)) is not None
        assert time.monotonic() - started < 8


def test_a_server_without_the_protocol_is_refused_with_what_came_back() -> None:
    """Any other web server on that port is told apart from a model server."""
    with stub_server({}) as stub:
        message = refusal("openai-api/some-service/m", stub.v1)
    assert f"{stub.v1}/chat/completions answered HTTP 404" in message


def test_a_gateway_with_nothing_behind_it_counts_as_absent() -> None:
    """HTTP 502 from a proxy in front of the server is an absent server."""
    with stub_server({"GET /v1/models": (502, b"Bad Gateway")}) as stub:
        assert "HTTP 502" in refusal("vllm/m", stub.v1)


@pytest.mark.parametrize(("name", "routes"), PRESENT)
def test_a_base_address_without_v1_is_refused_where_inspect_would_fail(
    name: str, routes: dict[str, Answer]
) -> None:
    """Ollama and vLLM have their chat route under /v1 only: the error gives the right setting."""
    with stub_server(routes) as stub:
        assert f"_BASE_URL={stub.v1}" in refusal(name, stub.address)


def test_a_base_address_without_v1_is_accepted_where_it_works() -> None:
    """llama.cpp serves its routes at the root too."""
    entry = {"id": "gemma3", "owned_by": "llamacpp"}
    with stub_server({"GET /models": (200, {"data": [entry]})}) as stub:
        identity = check_model(model_at("ollama/gemma3", stub.address))
    assert identity is not None
    assert identity.server == "llama.cpp"


def test_a_list_under_ollamas_path_does_not_make_an_ollama() -> None:
    """llama.cpp may answer /api/tags with its own list; it is still asked as llama.cpp."""
    both = {"models": [{"name": "g", "model": "g"}], "data": [{"id": "g", "owned_by": "llamacpp"}]}
    with stub_server({"GET /api/tags": (200, both), "GET /v1/models": (200, both)}) as stub:
        identity = check_model(model_at("ollama/g", stub.v1))
    assert identity is not None
    assert identity.server == "llama.cpp"


@pytest.mark.parametrize("name", ["mockllm/model", "vllm/Qwen/Qwen3-14B"])
def test_nobody_is_asked_about_models_without_a_server(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other providers, and a vLLM that Inspect is going to start itself, give None."""
    monkeypatch.delenv("VLLM_BASE_URL", raising=False)
    assert check_model(get_model(name, memoize=False)) is None


def test_the_environment_says_where_servers_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """VLLM_BASE_URL and <SERVICE>_BASE_URL lead to the server, and the key goes with the question."""
    with stub_server(VLLM) as stub:
        monkeypatch.setenv("VLLM_BASE_URL", stub.v1)
        monkeypatch.setenv("MY_SERVICE_BASE_URL", stub.v1)
        monkeypatch.setenv("MY_SERVICE_API_KEY", "sesame")
        for name in ("vllm/Qwen/Qwen3-14B", "openai-api/my-service/Qwen/Qwen3-14B"):
            assert check_model(get_model(name, memoize=False)) is not None
    assert stub.headers[-1]["authorization"] == "Bearer sesame"


def test_a_proxy_does_not_divert_questions_to_this_machine(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A loopback server is asked directly, with a warning that the model's own requests will not be."""
    monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{closed_port()}")
    # An eval in this process has let Inspect take the package's log records for itself.
    monkeypatch.setattr(logging.getLogger("inspect_agentbench"), "propagate", True)
    caplog.set_level(logging.WARNING, logger="inspect_agentbench")
    with stub_server(OLLAMA) as stub:
        assert check_model(model_at("ollama/qwen3", stub.v1)) is not None
    assert "NO_PROXY" in caplog.text


def test_credentials_in_the_address_are_not_shown() -> None:
    """A password in the base address stays out of the message."""
    message = refusal("ollama/qwen3", f"http://me:secret@127.0.0.1:{closed_port()}/v1")
    assert "secret" not in message


@pytest.mark.parametrize("url", ["localhost:11434/v1", "http://", "ftp://localhost/v1"])
def test_an_address_that_is_none_is_one_clear_line(url: str) -> None:
    """A misspelt base address is an error that names the variable."""
    assert "OLLAMA_BASE_URL" in refusal("ollama/qwen3", url)
