"""Where the server of a model is: the part of Inspect's provider settings that the preflight needs."""

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import urlsplit

from inspect_ai.model import Model, ModelName

Address = Literal["loopback", "private", "public"]


@dataclass(frozen=True)
class Endpoint:
    """The server behind one model, as Inspect will address it."""

    provider: str
    """`ollama`, `vllm` or `openai-api`."""
    model: str
    """The model's name as the server is asked for it."""
    base_url: str
    """Without a slash at its end; Inspect appends `/chat/completions`."""
    url_variable: str
    """The environment variable that sets `base_url`."""
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    """What authorises a request."""
    chat_route: bool = True
    """Whether Inspect will use `/chat/completions`; False with `-M responses_api=true`."""

    @property
    def title(self) -> str:
        """The model as the user wrote it, near enough to be recognised."""
        return f"{self.provider}/{self.model}"

    @property
    def root_url(self) -> str:
        """The base address without the `/v1` of the OpenAI protocol: where servers keep their own routes."""
        return self.base_url.removesuffix("/v1")

    @property
    def shown_url(self) -> str:
        """The base address for messages: without a user name or password that may be in it."""
        return hide_credentials(self.base_url)

    @property
    def address(self) -> Address:
        """How far away the server is."""
        return address_kind(self.base_url)


def endpoint_of(model: Model) -> Endpoint | None:
    """The server to ask about `model`; None for providers without one that could be asked.

    `vllm/` without a base address is None too: Inspect starts that server itself, later.
    """
    name = ModelName(model)
    if name.api == "ollama":
        return _endpoint(model, name.api, name.name, model.api.base_url, "OLLAMA_BASE_URL")
    if name.api == "vllm":
        # The provider keeps its address to itself until the first request; with a server of its own to
        # start, the connection key is the model's name. A name "base:adapter" is served by "base".
        return _endpoint(model, name.api, name.name.split(":")[0], _url(model), "VLLM_BASE_URL")
    if name.api == "openai-api":
        service, _, served = name.name.partition("/")
        variable = service.upper().replace("-", "_") + "_BASE_URL"
        return _endpoint(model, name.api, served, model.api.base_url, variable)
    return None


def _url(model: Model) -> str | None:
    key = model.api.connection_key()
    return key if "://" in key else None


def _endpoint(model: Model, provider: str, name: str, url: str | None, variable: str) -> Endpoint | None:
    if not url:
        return None
    headers = dict(model.config.extra_headers or {})
    if model.api.api_key:
        headers = {"Authorization": f"Bearer {model.api.api_key}"} | headers
    chat_route = not getattr(model.api, "responses_api", None)
    return Endpoint(provider, name, url.rstrip("/"), variable, headers, chat_route)


def hide_credentials(url: str) -> str:
    """The address without `user:password@`, which must not reach a terminal or a log."""
    scheme, separator, rest = url.partition("://")
    if not separator:
        return url.rpartition("@")[2]
    authority, slash, path = rest.partition("/")
    return scheme + separator + authority.rpartition("@")[2] + slash + path


def address_kind(url: str) -> Address:
    """Loopback, private or public, by the spelling of the host alone: nothing is looked up.

    A name with a dot counts as public unless it ends like a local one, so an inner server with a full
    name is called public.
    """
    try:
        host = (urlsplit(url).hostname or "").rstrip(".")
    except ValueError:
        return "public"
    if host == "localhost" or host.endswith(".localhost"):
        return "loopback"
    try:
        ip = ipaddress.ip_address(host)
    except ValueError:
        local = "." not in host or host.endswith((".local", ".lan", ".internal", ".home.arpa"))
        return "private" if local else "public"
    if ip.is_loopback or ip.is_unspecified:  # connecting to 0.0.0.0 reaches this machine
        return "loopback"
    return "public" if ip.is_global else "private"
