"""Talking to the process in a container over its attached standard input and output.

Bytes only, every wait bounded by the host's clock and every read by a cap. Used for rooms, whose
process may have been taken over by a hostile submission: nothing here trusts what comes back.
"""

import contextlib
import os
import select
import socket
import struct
import time
from types import TracebackType
from typing import Any

import docker
from docker.errors import APIError, DockerException
from requests.exceptions import RequestException

from ..errors import HarnessFault
from . import containers

_HEADER = struct.Struct(">BxxxI")
_STDOUT = 1
_CHUNK = 1 << 16
STATE_SECONDS = 5.0
"""How long an ended process may still be called running."""
_POLL_SECONDS = 0.02


class ExchangeEnded(Exception):
    """The other side closed, was too slow, or sent too much. The message says which."""


class Exchange:
    """A container with its process attached, for the length of a `with` block.

    Whatever happens, the client is dropped before the container is removed (an engine hangs on
    removal while an attached client does not read), and the removal is confirmed.
    Raises HarnessFault when the container cannot be made or started.
    """

    def __init__(self, client: docker.DockerClient, options: dict[str, Any], max_bytes: int) -> None:
        self._client = client
        self._options = options
        self._max_bytes = max_bytes
        self._buffer = bytearray()
        self._pending = bytearray()
        self._received = 0
        self._ended = False

    def __enter__(self) -> "Exchange":
        self.id = ""
        try:
            with containers.making_a_container():
                self.id = self._client.api.create_container(**self._options)["Id"]
            wanted = {"stdin": 1, "stdout": 1, "stream": 1}
            self._stream = self._client.api.attach_socket(self.id, wanted)
            self._client.api.start(self.id)
        except (DockerException, RequestException, OSError) as error:
            self._close()
            raise HarnessFault(f"the docker engine started no container: {error}") from error
        self._fd = self._stream.fileno()
        os.set_blocking(self._fd, False)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()

    def _close(self) -> None:
        stream = getattr(self, "_stream", None)
        if stream is not None:
            _hang_up(stream.fileno())
            stream._response.close()  # closing the stream alone leaves the socket to the garbage collector
            stream.close()
        if self.id:
            containers.remove(self._client, self.id)

    def send(self, data: bytes, deadline: float) -> None:
        """Write all of `data` before `deadline` (time.monotonic)."""
        view = memoryview(data)
        while view:
            self._wait(deadline, write=True)
            try:
                view = view[os.write(self._fd, view[:_CHUNK]) :]
            except BlockingIOError:
                continue
            except OSError as error:
                self._ended = True
                raise ExchangeEnded(f"closed while being written to ({error.strerror})") from None

    def receive(self, count: int, deadline: float) -> bytes:
        """Exactly `count` bytes of standard output, before `deadline` (time.monotonic)."""
        while len(self._buffer) < count:
            self._read_some(deadline)
        data = bytes(self._buffer[:count])
        del self._buffer[:count]
        return data

    def _read_some(self, deadline: float) -> None:
        self._wait(deadline)
        try:
            chunk = os.read(self._fd, _CHUNK)
        except BlockingIOError:
            return
        except OSError as error:
            self._ended = True
            raise ExchangeEnded(f"closed ({error.strerror})") from None
        if not chunk:
            self._ended = True
            raise ExchangeEnded("closed")
        self._received += len(chunk)
        if self._received > self._max_bytes:
            raise ExchangeEnded(f"more than {self._max_bytes} bytes of output")
        self._pending += chunk
        self._demultiplex()

    def _demultiplex(self) -> None:
        while len(self._pending) >= _HEADER.size:
            stream, length = _HEADER.unpack_from(self._pending)
            end = _HEADER.size + length
            if len(self._pending) < end:
                return
            if stream == _STDOUT:
                self._buffer += self._pending[_HEADER.size : end]
            del self._pending[:end]

    def _wait(self, deadline: float, write: bool = False) -> None:
        remaining = deadline - time.monotonic()
        if remaining <= 0:
            raise ExchangeEnded("out of time")
        poller = select.poll()  # select() stops at descriptor 1024, and many samples may run at once
        poller.register(self._fd, select.POLLOUT if write else select.POLLIN)
        if not poller.poll(remaining * 1000):
            raise ExchangeEnded("out of time")

    def is_still_known(self) -> bool:
        """Whether the engine answers and means to keep the container. A submission can change neither.

        A removal that is under way closes the connection before the container is gone, so an ended
        process is waited for: then its state says whether it ended or is being removed.
        """
        deadline = time.monotonic() + STATE_SECONDS
        try:
            while True:
                status = self._client.api.inspect_container(self.id)["State"]["Status"]
                if status in ("removing", "dead"):
                    return False
                if status != "running" or not self._ended or time.monotonic() > deadline:
                    return True
                time.sleep(_POLL_SECONDS)
        except (APIError, DockerException, RequestException, OSError):
            return False


def _hang_up(fd: int) -> None:
    """End the connection itself: closing the SDK's stream leaves its socket open, and the engine waiting."""
    with socket.socket(fileno=os.dup(fd)) as connection, contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
