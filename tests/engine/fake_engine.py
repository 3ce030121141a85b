"""A docker engine that gives fixed answers over a unix socket: for versions and faults no real one has."""

import json
import socketserver
import threading
from http.server import BaseHTTPRequestHandler
from pathlib import Path


class FakeEngine:
    """Answers /version, and every removal with one status."""

    def __init__(self, path: Path, version: str = "26.1.5", removal_status: int = 204) -> None:
        self.address = f"unix://{path}"
        self._server = socketserver.ThreadingUnixStreamServer(str(path), _handler(version, removal_status))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def _handler(version: str, removal_status: int) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer(200, {"Version": version, "ApiVersion": "1.45", "MinAPIVersion": "1.24"})

        def do_DELETE(self) -> None:
            self._answer(removal_status, {"message": "as told"})

        def address_string(self) -> str:
            return "unix"

        def log_message(self, *arguments: object) -> None:
            pass

        def _answer(self, status: int, content: object) -> None:
            body = json.dumps(content).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    return Handler
