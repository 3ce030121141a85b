"""Asks a model's server, before any container starts, whether it is there and has the model.

Inspect retries an absent Ollama for ever, and a missing model fails in every sample. What would work is never
refused: where a server's list does not settle it, the model itself is asked for one token, and what still
cannot be known counts as present.
"""

import logging
import re
from collections.abc import Sequence

from inspect_ai.model import Model

from inspect_agentbench.errors import AgentbenchError
from inspect_agentbench.models.asking import TOTAL_SECONDS, Asker, Reply
from inspect_agentbench.models.endpoint import Endpoint, endpoint_of
from inspect_agentbench.models.foreign import dig, excerpt, items, text
from inspect_agentbench.models.identity import (
    ServerIdentity,
    ollama_identity,
    ollama_name,
    ollama_names,
    openai_identity,
)

logger = logging.getLogger(__name__)

NAMES_SHOWN = 5

_NO_SUCH_MODEL = re.compile(
    r"model_not_found|no such model|unknown model|invalid model"
    r"|model\b.{0,120}\b(not found|not exist|isn't available|is not available)",
    re.IGNORECASE | re.DOTALL,
)


def check_model(model: Model) -> ServerIdentity | None:
    """Who serves `model`; None for providers whose server cannot be asked (mockllm, replay, hosted ones).

    Takes at most five seconds. Raises `AgentbenchError` when the server is absent, does not answer, or
    says that it has no such model.
    """
    endpoint = endpoint_of(model)
    if endpoint is None:
        return None
    with Asker(endpoint) as asker:
        return _check(endpoint, asker)


def _check(endpoint: Endpoint, asker: Asker) -> ServerIdentity:
    if endpoint.provider == "ollama":
        tags = _answered(endpoint, asker.get(f"{endpoint.root_url}/api/tags"))
        if _is_ollama(tags.json):
            return _check_ollama(endpoint, asker, tags.json)
    return _check_openai(endpoint, asker)


def _is_ollama(tags: object) -> bool:
    # llama.cpp may serve its own list under Ollama's path too; that one has "data" beside "models".
    return isinstance(dig(tags, "models"), list) and dig(tags, "data") is None


def _check_ollama(endpoint: Endpoint, asker: Asker, tags: object) -> ServerIdentity:
    root, there = endpoint.root_url, ollama_names(tags)
    show = asker.post(f"{root}/api/show", {"model": endpoint.model})
    listed = ollama_name(endpoint.model) in {ollama_name(name) for name in there}
    if not listed and show.status == 404:
        raise _missing(endpoint, there, f"run `ollama pull {endpoint.model}`")
    _require_chat_route(endpoint, asker)
    version, running = asker.get(f"{root}/api/version"), asker.get(f"{root}/api/ps")
    return ollama_identity(endpoint, version.json, tags, show.json, running.json)


def _check_openai(endpoint: Endpoint, asker: Asker) -> ServerIdentity:
    listing = _answered(endpoint, asker.get(f"{endpoint.base_url}/models"))
    if listing.status == 404 and asker.get(f"{endpoint.root_url}/v1/models").ok:
        _require_chat_route(endpoint, asker)
    entries = [entry for entry in items(dig(listing.json, "data")) if text(entry.get("id"))]
    named = [entry for entry in entries if entry.get("id") == endpoint.model]
    if not named:
        _settle_unlisted(endpoint, asker, listing, [str(text(entry.get("id"))) for entry in entries])
    # A server of one file takes any name.
    chosen = named or (entries if len(entries) == 1 else [])
    return _describe_openai(endpoint, asker, chosen[0] if chosen else None)


def _describe_openai(endpoint: Endpoint, asker: Asker, entry: object) -> ServerIdentity:
    owner, version, props = dig(entry, "owned_by"), None, None
    if owner == "vllm":
        version = asker.get(f"{endpoint.root_url}/version").json
    elif owner == "llamacpp":
        props = asker.get(f"{endpoint.root_url}/props").json
    return openai_identity(endpoint, entry, version, props)


def _answered(endpoint: Endpoint, reply: Reply) -> Reply:
    """The reply, if a server gave it."""
    if reply.slow:
        raise AgentbenchError(
            f"{endpoint.title}: the server at {endpoint.shown_url} took the connection but did not answer "
            f"within {TOTAL_SECONDS:g} s; wait until it is idle, or restart it"
        )
    if reply.failure or reply.status in (502, 504):  # a gateway saying that nothing is behind it
        came_back = reply.failure or f"HTTP {reply.status}"
        raise AgentbenchError(
            f"{endpoint.title}: no model server answers at {endpoint.shown_url} ({came_back}); "
            f"{_how_to_start(endpoint)}, or set {endpoint.url_variable} to where it runs"
        )
    return reply


def _how_to_start(endpoint: Endpoint) -> str:
    commands = {"ollama": "ollama serve", "vllm": f"vllm serve {endpoint.model}"}
    command = commands.get(endpoint.provider)
    return f"start it with `{command}`" if command else "start it"


def _settle_unlisted(endpoint: Endpoint, asker: Asker, listing: Reply, there: Sequence[str]) -> None:
    """Decide about a model that the list does not name: some lists are short, some servers take any name."""
    if not endpoint.chat_route:
        return
    if listing.status in (401, 403, 503):  # wants another key than ours, or is still loading
        logger.warning(
            "%s: the server at %s is there, but answered HTTP %s when asked for its models; going on.",
            endpoint.title,
            endpoint.shown_url,
            listing.status,
        )
        return
    tried = _try_one_token(endpoint, asker)
    if not _says_no(tried):
        return
    if there:
        raise _missing(endpoint, there, "correct the name, or start the server with that model")
    raise AgentbenchError(
        f"{endpoint.title}: {endpoint.shown_url}/chat/completions answered HTTP {tried.status} "
        f"({excerpt(tried.raw)}); set {endpoint.url_variable} to a server that has the model"
    )


def _try_one_token(endpoint: Endpoint, asker: Asker) -> Reply:
    body = {"model": endpoint.model, "messages": [{"role": "user", "content": "Hi"}], "max_tokens": 1}
    return asker.post(f"{endpoint.base_url}/chat/completions", body)


def _says_no(reply: Reply) -> bool:
    """Whether the server said that there is no such model or route; other complaints do not count."""
    if reply.status in (404, 405):
        return True
    said = reply.raw[:4000].decode("utf-8", "replace")
    return reply.status in (400, 422) and bool(_NO_SUCH_MODEL.search(said))


def _require_chat_route(endpoint: Endpoint, asker: Asker) -> None:
    """Refuse a base address without /v1 on a server that has its chat route only there."""
    if endpoint.base_url.endswith("/v1") or not endpoint.chat_route:
        return
    if asker.post(f"{endpoint.base_url}/chat/completions", {}).status in (404, 405):
        raise AgentbenchError(
            f"{endpoint.title}: the server at {endpoint.shown_url} has no /chat/completions there; "
            f"set {endpoint.url_variable}={endpoint.shown_url}/v1"
        )


def _missing(endpoint: Endpoint, there: Sequence[str], remedy: str) -> AgentbenchError:
    names = ", ".join(there[:NAMES_SHOWN]) or "none"
    more = f" and {len(there) - NAMES_SHOWN} more" if len(there) > NAMES_SHOWN else ""
    return AgentbenchError(
        f"{endpoint.title}: the server at {endpoint.shown_url} does not have {endpoint.model}; {remedy}; "
        f"models that are there: {names}{more}"
    )
