"""Requests to a model's server that end in time, whatever the server does."""

import logging
import queue
import threading
import time
import urllib.request
from dataclasses import dataclass
from types import TracebackType
from typing import Self

import httpx

from inspect_agentbench.errors import AgentbenchError
from inspect_agentbench.models import foreign
from inspect_agentbench.models.endpoint import Endpoint

logger = logging.getLogger(__name__)

TOTAL_SECONDS = 5.0
CONNECT_SECONDS = 2.0
LARGEST_BODY_BYTES = 8_000_000


@dataclass(frozen=True)
class Reply:
    """What came of one request: a status and a body, or the reason why there is none."""

    status: int | None = None
    raw: bytes = b""
    failure: str | None = None
    slow: bool = False
    """The server took the connection, but did not finish its answer in time."""

    @property
    def ok(self) -> bool:
        """Whether the server answered, and well."""
        return self.status is not None and 200 <= self.status < 300

    @property
    def json(self) -> object:
        """The body as JSON; None when the answer is not a good one or holds none."""
        return foreign.parse(self.raw) if self.ok else None


class Asker:
    """Asks one server; all requests together take at most `seconds`.

    The time-outs of an HTTP client are per read: a server that sends a byte a second, or a name server
    that hangs, would outlast them. So each request runs in a thread that is left behind when its time is up.
    """

    def __init__(self, endpoint: Endpoint, seconds: float = TOTAL_SECONDS) -> None:
        self._deadline = time.monotonic() + seconds
        self._client = _client(endpoint)
        warn_of_diverting_proxy(endpoint)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._client.close()

    @property
    def seconds_left(self) -> float:
        """The time that remains for all further requests."""
        return max(0.0, self._deadline - time.monotonic())

    def get(self, url: str) -> Reply:
        """The reply to a GET of `url`."""
        return self._ask("GET", url, None)

    def post(self, url: str, body: dict[str, object]) -> Reply:
        """The reply to a POST of `body` as JSON to `url`."""
        return self._ask("POST", url, body)

    def _ask(self, method: str, url: str, body: dict[str, object] | None) -> Reply:
        replies: queue.SimpleQueue[Reply] = queue.SimpleQueue()

        def run() -> None:
            replies.put(self._exchange(method, url, body))

        seconds = self.seconds_left
        if seconds:
            threading.Thread(target=run, name="agentbench-preflight", daemon=True).start()
        try:
            return replies.get(timeout=seconds)
        except queue.Empty:
            return Reply(failure="no answer in time", slow=True)

    def _exchange(self, method: str, url: str, body: dict[str, object] | None) -> Reply:
        timeout = httpx.Timeout(self.seconds_left, connect=min(CONNECT_SECONDS, self.seconds_left))
        try:
            with self._client.stream(method, url, json=body, timeout=timeout) as response:
                return Reply(response.status_code, self._body(response))
        except httpx.ConnectTimeout:
            return Reply(failure=f"no connection within {CONNECT_SECONDS:g} s")
        except httpx.TimeoutException:
            return Reply(failure="no answer in time", slow=True)
        except Exception as error:  # a foreign server and a foreign address can break the client in many ways
            return Reply(failure=_reason(error))

    def _body(self, response: httpx.Response) -> bytes:
        raw = b""
        for chunk in response.iter_bytes():
            raw += chunk
            if len(raw) > LARGEST_BODY_BYTES or not self.seconds_left:
                break
        return raw


def _client(endpoint: Endpoint) -> httpx.Client:
    # With a transport of its own the client ignores the proxy variables, but not those for certificates.
    transport = httpx.HTTPTransport() if endpoint.address == "loopback" else None
    try:
        return httpx.Client(headers=endpoint.headers, transport=transport, follow_redirects=True)
    except (ImportError, ValueError) as error:  # a SOCKS proxy without its package, a key that is no header
        raise AgentbenchError(
            f"{endpoint.title}: the proxy or the key set in the environment cannot be used: {error}"
        ) from error


def _reason(error: Exception) -> str:
    """The failure in a few words: the system's own where there are any."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, OSError) and cause.strerror:
            return cause.strerror.lower()
        cause = cause.__cause__ or cause.__context__
    return foreign.excerpt(str(error).encode("utf-8", "replace")) or type(error).__name__


def warn_of_diverting_proxy(endpoint: Endpoint) -> None:
    """Warn when the model's own requests to this machine would go to a proxy; the preflight's do not."""
    try:
        url = httpx.URL(endpoint.base_url)
        proxies = urllib.request.getproxies()
        diverted = bool(proxies.get(url.scheme) or proxies.get("all")) and not urllib.request.proxy_bypass(
            url.host
        )
    except (httpx.InvalidURL, OSError):
        return
    if diverted and endpoint.address == "loopback":
        logger.warning(
            "%s is on this machine, but a proxy is set for %s: requests to the model will go there. "
            "Add %s to NO_PROXY.",
            endpoint.shown_url,
            url.scheme,
            url.host,
        )
