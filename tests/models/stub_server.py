"""A small HTTP server that says what a test tells it to, in place of a model server."""

import contextlib
import json
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Hang:
    """Take the request and never answer."""


@dataclass(frozen=True)
class Trickle:
    """Send headers at once and then one byte of the body at a time, without end."""


Answer = tuple[int, Any] | Hang | Trickle
"""A status with a body (bytes as they are, anything else as JSON), or a way of not answering."""


@dataclass
class Stub:
    """A running stub: its address, and the requests it got."""

    address: str
    asked: list[tuple[str, str]] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)

    @property
    def v1(self) -> str:
        return f"{self.address}/v1"


@contextlib.contextmanager
def stub_server(routes: Mapping[str, Answer]) -> Iterator[Stub]:
    """Serve `routes`, such as {"GET /v1/models": (200, {...})}; everything else is 404."""
    over = threading.Event()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(routes, over))
    stub = Stub(f"http://127.0.0.1:{server.server_address[1]}")
    server.stub = stub  # type: ignore[attr-defined]
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield stub
    finally:
        over.set()
        server.shutdown()
        thread.join()
        server.server_close()


def _handler(routes: Mapping[str, Answer], over: threading.Event) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

        def answer(self) -> None:
            stub: Stub = self.server.stub  # type: ignore[attr-defined]
            stub.asked.append((self.command, self.path))
            stub.headers.append({name.lower(): value for name, value in self.headers.items()})
            stub.bodies.append(self.rfile.read(int(self.headers.get("Content-Length", 0))))
            match routes.get(f"{self.command} {self.path}", (404, {"error": "not found"})):
                case Hang():
                    over.wait()
                case Trickle():
                    self.trickle()
                case (status, body):
                    self.reply(status, body if isinstance(body, bytes) else json.dumps(body).encode())

        do_GET = do_POST = answer

        def reply(self, status: int, raw: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)

        def trickle(self) -> None:
            self.send_response(200)
            self.end_headers()
            with contextlib.suppress(OSError):
                while not over.wait(0.2):
                    self.wfile.write(b" ")

    return Handler
