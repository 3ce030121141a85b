"""Which model answered: what its server tells about the file, the context and itself.

Inspect logs none of this. The functions here take JSON as it came and are total: what a server leaves out
or spells oddly is None.
"""

import hashlib
import re

from pydantic import BaseModel, ConfigDict

from inspect_agentbench.models.endpoint import Address, Endpoint
from inspect_agentbench.models.foreign import count, dig, items, text


class ServerIdentity(BaseModel):
    """One model as its server describes it; None is what the server did not tell."""

    model_config = ConfigDict(frozen=True, protected_namespaces=())

    provider: str
    requested_name: str
    served_name: str | None = None
    """The server's own name for the model; a server of one file answers to any requested name."""
    address: Address
    """How far away the server is. The host's name is left out on purpose."""
    server: str | None = None
    """`ollama`, `vllm`, `llama.cpp`, or what the server calls the model's owner."""
    server_version: str | None = None
    file_digest: str | None = None
    file_size_bytes: int | None = None
    quantisation: str | None = None
    parameters: int | None = None
    context_tokens: int | None = None
    """The context in force for one conversation."""
    trained_context_tokens: int | None = None
    chat_template_sha256: str | None = None


def ollama_name(name: str) -> str:
    """The full form of an Ollama model name, for comparing: `qwen3` is `qwen3:latest`."""
    name = name.casefold().removeprefix("registry.ollama.ai/").removeprefix("library/")
    return name if ":" in name.rpartition("/")[2] else f"{name}:latest"


def ollama_names(tags: object) -> list[str]:
    """The names that an Ollama server lists."""
    return [name for name in (_ollama_listed(item) for item in items(dig(tags, "models"))) if name]


def ollama_identity(
    endpoint: Endpoint, version: object, tags: object, show: object, running: object
) -> ServerIdentity:
    """The identity from Ollama's /api/version, /api/tags, /api/show and /api/ps."""
    listed = _ollama_entry(tags, endpoint.model)
    loaded = _ollama_entry(running, endpoint.model)
    details = dig(show, "details") or dig(listed, "details")
    info = dig(show, "model_info")
    return ServerIdentity(
        provider=endpoint.provider,
        requested_name=endpoint.model,
        served_name=_ollama_listed(listed) or text(endpoint.model),
        address=endpoint.address,
        server="ollama",
        server_version=text(dig(version, "version")),
        file_digest=text(dig(listed, "digest")) or text(dig(loaded, "digest")),
        file_size_bytes=count(dig(listed, "size")),
        quantisation=text(dig(details, "quantization_level")),
        parameters=count(dig(info, "general.parameter_count"))
        or _spelled_count(dig(details, "parameter_size")),
        context_tokens=count(dig(loaded, "context_length")) or _num_ctx(dig(show, "parameters")),
        trained_context_tokens=_trained_context(info),
        chat_template_sha256=_sha256(dig(show, "template")),
    )


def openai_identity(
    endpoint: Endpoint, listed: object, version: object = None, props: object = None
) -> ServerIdentity:
    """The identity from the model's entry in /v1/models, vLLM's /version and llama.cpp's /props."""
    owner = text(dig(listed, "owned_by"))
    meta = dig(listed, "meta")
    return ServerIdentity(
        provider=endpoint.provider,
        requested_name=endpoint.model,
        served_name=text(dig(listed, "id")),
        address=endpoint.address,
        server="llama.cpp" if owner == "llamacpp" else owner,
        server_version=text(dig(version, "version")) or text(dig(props, "build_info")),
        file_size_bytes=count(dig(meta, "size")),
        quantisation=text(dig(props, "model_ftype")) or text(dig(meta, "ftype")),
        parameters=count(dig(meta, "n_params")),
        # llama.cpp divides its context among its slots; a conversation has one slot.
        context_tokens=count(dig(props, "default_generation_settings", "n_ctx"))
        or count(dig(meta, "n_ctx"))
        or _told_context(listed),
        trained_context_tokens=count(dig(meta, "n_ctx_train")),
        chat_template_sha256=_sha256(dig(props, "chat_template")),
    )


def context_warning(identity: ServerIdentity | None, needed_tokens: int) -> str | None:
    """One line when Ollama's context is, or may be, shorter than an episode needs; else None.

    Only Ollama: it cuts the start of a long conversation off without a word, where others refuse.
    """
    if identity is None or identity.server != "ollama":
        return None
    name, context = identity.requested_name, identity.context_tokens
    remedy = (
        f"start it with OLLAMA_CONTEXT_LENGTH={needed_tokens}, or give the model a num_ctx of that size; "
        "Ollama drops the start of a longer conversation silently"
    )
    if context is None:
        return (
            f"{name}: Ollama tells its context only once the model is loaded, and its default may be as "
            f"small as 4096 tokens; an episode needs about {needed_tokens}: {remedy}"
        )
    if context >= needed_tokens:
        return None
    return f"{name}: Ollama's context is {context} tokens, an episode needs about {needed_tokens}: {remedy}"


def _ollama_listed(entry: object) -> str | None:
    return text(dig(entry, "model")) or text(dig(entry, "name"))


def _ollama_entry(listing: object, name: str) -> object:
    wanted = ollama_name(name)
    named = ((_ollama_listed(item), item) for item in items(dig(listing, "models")))
    return next((item for listed, item in named if listed and ollama_name(listed) == wanted), None)


def _num_ctx(parameters: object) -> int | None:
    """The `num_ctx` among the lines of a Modelfile's parameters."""
    found = (
        re.search(r"^\s*num_ctx\s+(\d{1,15})\s*$", parameters, re.M) if isinstance(parameters, str) else None
    )
    return count(int(found[1])) if found else None


def _trained_context(info: object) -> int | None:
    """The length a model was trained for, under `<architecture>.context_length`."""
    architecture = text(dig(info, "general.architecture"))
    return count(dig(info, f"{architecture}.context_length")) if architecture else None


def _told_context(listed: object) -> int | None:
    keys = ("max_model_len", "context_length", "context_window", "max_context_length")
    return next((tokens for key in keys if (tokens := count(dig(listed, key)))), None)


def _spelled_count(value: object) -> int | None:
    """14.8B, 268.10M: a parameter count as Ollama spells it."""
    found = re.fullmatch(r"(\d{1,6}(?:\.\d{1,6})?)\s*([KMBT])", (text(value) or "").upper(), re.A)
    if not found:
        return None
    return count(round(float(found[1]) * {"K": 1e3, "M": 1e6, "B": 1e9, "T": 1e12}[found[2]]))


def _sha256(value: object) -> str | None:
    if not isinstance(value, str) or not value:
        return None
    return hashlib.sha256(value.encode("utf-8", "surrogatepass")).hexdigest()
