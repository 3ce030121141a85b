import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspect_agentbench.models import ServerIdentity, context_warning, foreign
from inspect_agentbench.models.endpoint import Endpoint, address_kind
from inspect_agentbench.models.identity import ollama_identity, ollama_name, openai_identity

HERE = Endpoint("ollama", "qwen3", "http://127.0.0.1:11434/v1", "OLLAMA_BASE_URL")

TAGS = {
    "models": [
        {"model": "other:latest", "digest": "no"},
        {
            "model": "qwen3:latest",
            "digest": "bdbd181c33f2",
            "size": 9276198565,
            "details": {"quantization_level": "Q4_K_M", "parameter_size": "14.8B"},
        },
    ]
}
SHOW = {
    "template": "{{ .Prompt }}",
    "parameters": 'stop    "x"\nnum_ctx                        16384',
    "model_info": {
        "general.architecture": "qwen3",
        "general.parameter_count": 14768307200,
        "qwen3.context_length": 40960,
    },
}
RUNNING = {"models": [{"model": "qwen3:latest", "context_length": 4096}]}

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
FIELDS = """models model name digest size details quantization_level parameter_size context_length parameters
    template model_info general.architecture general.parameter_count id owned_by meta n_ctx version
    default_generation_settings chat_template max_model_len"""
KEYS = st.sampled_from(FIELDS.split())
NEAR_JSON = st.recursive(
    JSON | st.just("qwen3") | st.just("9" * 30 + "B"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=6),
    max_leaves=20,
)


def test_ollama_tells_everything() -> None:
    """Digest, quantisation, size, template and the context of the loaded model are all taken."""
    identity = ollama_identity(HERE, {"version": "0.13.0"}, TAGS, SHOW, RUNNING)
    assert identity.server == "ollama"
    assert identity.server_version == "0.13.0"
    assert identity.served_name == "qwen3:latest"
    assert identity.file_digest == "bdbd181c33f2"
    assert identity.file_size_bytes == 9276198565
    assert identity.quantisation == "Q4_K_M"
    assert identity.parameters == 14768307200
    assert identity.context_tokens == 4096
    assert identity.trained_context_tokens == 40960
    assert identity.chat_template_sha256 is not None


def test_without_a_loaded_model_the_modelfile_tells_the_context() -> None:
    """num_ctx counts until /api/ps knows better."""
    assert ollama_identity(HERE, None, TAGS, SHOW, None).context_tokens == 16384


def test_a_spelled_parameter_count_is_read() -> None:
    """14.8B is used where no exact count is told."""
    assert ollama_identity(HERE, None, TAGS, None, None).parameters == 14_800_000_000


def test_vllm_tells_its_context_and_version() -> None:
    """max_model_len is the context in force."""
    identity = openai_identity(
        HERE, {"id": "q", "owned_by": "vllm", "max_model_len": 32768}, {"version": "0.9"}
    )
    assert (identity.server, identity.server_version, identity.context_tokens) == ("vllm", "0.9", 32768)


def test_llamacpp_tells_the_context_of_one_slot() -> None:
    """A conversation has a slot's share of the context, not the whole."""
    entry = {"id": "g", "owned_by": "llamacpp", "meta": {"n_ctx": 32768, "n_params": 268098176}}
    props = {"default_generation_settings": {"n_ctx": 8192}, "model_ftype": "Q4_K - Medium"}
    identity = openai_identity(HERE, entry, None, props)
    assert (identity.server, identity.context_tokens) == ("llama.cpp", 8192)
    assert identity.quantisation == "Q4_K - Medium"


@given(NEAR_JSON, NEAR_JSON, NEAR_JSON, NEAR_JSON)
def test_no_json_breaks_the_identity(one: object, two: object, three: object, four: object) -> None:
    """Whatever a server sends, an identity comes out, and it can be written to a log."""
    for identity in (ollama_identity(HERE, one, two, three, four), openai_identity(HERE, one, two, three)):
        identity.model_dump_json().encode()


@given(st.binary())
def test_no_bytes_break_the_parser(raw: bytes) -> None:
    """Bytes are a JSON value or None, and their excerpt is one line of printable ASCII."""
    foreign.parse(raw)
    assert foreign.excerpt(raw).isascii()
    assert "\n" not in foreign.excerpt(raw)


@pytest.mark.parametrize("raw", [b"[" * 100_000, b"9" * 5000, b'"\\ud800"', b"NaN", b"\xff"])
def test_hostile_json_is_parsed_or_nothing(raw: bytes) -> None:
    """Depth, huge numbers and lone surrogates raise nothing."""
    assert foreign.text(foreign.parse(raw)) in (None, "\\ud800")


@pytest.mark.parametrize("value", [True, 0, -1, 0.5, float("nan"), float("inf"), 10**30, "8192", None, [1]])
def test_what_is_no_count_is_none(value: object) -> None:
    """Only positive whole numbers of sane size count."""
    assert foreign.count(value) is None


@pytest.mark.parametrize(
    ("name", "full"),
    [
        ("qwen3", "qwen3:latest"),
        ("qwen3:14b", "qwen3:14b"),
        ("Library/Qwen3", "qwen3:latest"),
        ("registry.ollama.ai/library/qwen3:14b", "qwen3:14b"),
        ("hf.co/me/Some-GGUF:Q4_K_M", "hf.co/me/some-gguf:q4_k_m"),
        ("host:5000/me/model", "host:5000/me/model:latest"),
    ],
)
def test_ollama_names_in_full(name: str, full: str) -> None:
    """A name without a tag means latest; case and the default registry do not count."""
    assert ollama_name(name) == full


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("http://localhost:11434/v1", "loopback"),
        ("http://127.0.0.2/v1", "loopback"),
        ("http://[::1]:8000", "loopback"),
        ("http://0.0.0.0:11434/v1", "loopback"),
        ("http://10.1.2.3/v1", "private"),
        ("http://100.64.0.7/v1", "private"),
        ("http://[fd00::1]/v1", "private"),
        ("http://gpu-box:8000/v1", "private"),
        ("http://gpu.local/v1", "private"),
        ("https://8.8.8.8/v1", "public"),
        ("https://models.example.com/v1", "public"),
        ("http://[::1", "public"),
    ],
)
def test_address_kinds(url: str, kind: str) -> None:
    """The kind follows from the host's spelling."""
    assert address_kind(url) == kind


def test_the_host_is_not_in_the_identity() -> None:
    """An identity goes into published logs: no host name, address or key may be in it."""
    far = Endpoint("vllm", "q", "https://gpu7.example.com:8443/v1", "V", {"Authorization": "Bearer sesame"})
    dumped = openai_identity(far, {"id": "q"}).model_dump_json()
    assert "example.com" not in dumped
    assert "8443" not in dumped
    assert "sesame" not in dumped


def identity_of(server: str, context: int | None) -> ServerIdentity:
    return ServerIdentity(
        provider="ollama", requested_name="q", address="loopback", server=server, context_tokens=context
    )


def test_a_short_or_unknown_ollama_context_is_warned_of() -> None:
    """Too few tokens, or nobody knows how many, gives a line with the number and the remedy."""
    short = context_warning(identity_of("ollama", 4096), 30000) or ""
    assert "4096" in short
    assert "OLLAMA_CONTEXT_LENGTH=30000" in short
    assert "OLLAMA_CONTEXT_LENGTH=30000" in (context_warning(identity_of("ollama", None), 30000) or "")


def test_no_warning_without_need() -> None:
    """A long enough context, another server, or no server at all: nothing to say."""
    assert context_warning(identity_of("ollama", 30000), 30000) is None
    assert context_warning(identity_of("llama.cpp", 4096), 30000) is None
    assert context_warning(None, 30000) is None
