"""Reading files out of a stopped container through the engine, with caps.

No program of the container is used, and no link is followed. The tar stream comes from the engine, its
names and contents from the agent.
"""

import io
import tarfile
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import docker
from docker.errors import DockerException, NotFound
from requests.exceptions import RequestException

from inspect_agentbench.errors import HarnessFault

MAX_ENTRIES = 5_000
MAX_STREAM_BYTES = 16_000_000
STREAM_SECONDS = 30.0
_CHUNK = 1 << 18


class Archive(NamedTuple):
    """What a stream held, up to its caps. Paths are relative to the one asked for; "" is that one itself."""

    files: dict[str, bytes]
    """Regular files, hard links among them."""
    refused: dict[str, str]
    """Everything else but folders, by path, with the reason."""
    capped: str | None
    """Which cap ended the reading, if one did."""


class _CapReached(Exception):
    """The stream holds more than may be read."""


def read_archive(
    client: docker.DockerClient,
    container: str,
    path: str,
    max_file_bytes: int,
    max_stream_bytes: int = MAX_STREAM_BYTES,
) -> Archive | None:
    """The files at and under `path`; None if nothing is there.

    A symbolic link at `path` itself is refused, not followed; whoever asks checks the folders above it.
    Raises HarnessFault when the engine cannot give the stream.
    """
    try:
        stream, stat = client.api.get_archive(container, path, chunk_size=_CHUNK)
    except NotFound as error:
        if _has_container(client, container):
            return None
        raise HarnessFault(f"the agent's container {container} is gone") from error
    except (DockerException, RequestException) as error:
        raise HarnessFault(f"the docker engine gave no {path} of container {container}: {error}") from error
    if stat.get("linkTarget"):
        return Archive({}, {"": "a symbolic link, not followed"}, None)
    try:
        return _read(stream, max_file_bytes, max_stream_bytes)
    except (DockerException, RequestException, OSError) as error:
        raise HarnessFault(f"the docker engine gave no {path} of container {container}: {error}") from error


def _has_container(client: docker.DockerClient, container: str) -> bool:
    try:
        client.api.inspect_container(container)
    except (DockerException, RequestException):
        return False
    return True


def _read(stream: Iterator[bytes], max_file_bytes: int, max_stream_bytes: int) -> Archive:
    archive = Archive({}, {}, None)
    try:
        with tarfile.open(
            fileobj=_Capped(stream, max_stream_bytes), mode="r|", errors="surrogateescape"
        ) as tar:
            for number, member in enumerate(tar):
                if number >= MAX_ENTRIES:
                    raise _CapReached(f"more than {MAX_ENTRIES} files and folders")
                _take(archive, tar, member, max_file_bytes)
    except _CapReached as reached:
        return archive._replace(capped=str(reached))
    except tarfile.TarError as error:
        return archive._replace(capped=f"the stream ended early ({error})")
    return archive


def _take(archive: Archive, tar: tarfile.TarFile, member: tarfile.TarInfo, max_file_bytes: int) -> None:
    path = member.name.partition("/")[2]
    if member.isdir():
        return
    if member.islnk():
        _take_hard_link(archive, path, member.linkname.partition("/")[2])
    elif not member.isreg():
        archive.refused[path] = _kind(member)
    elif member.size > max_file_bytes:
        archive.refused[path] = f"{member.size} bytes, more than {max_file_bytes}, not taken"
    else:
        content: Any = tar.extractfile(member)
        archive.files[path] = content.read()


def _take_hard_link(archive: Archive, path: str, target: str) -> None:
    if target in archive.files:
        archive.files[path] = archive.files[target]
    else:
        archive.refused[path] = "a hard link to a file that was not taken"


def _kind(member: tarfile.TarInfo) -> str:
    if member.issym():
        return "a symbolic link, not followed"
    return "a fifo, not taken" if member.isfifo() else "a special file, not taken"


class _Capped(io.RawIOBase):
    """The engine's chunks as a file that ends in an exception at its caps."""

    def __init__(self, chunks: Iterator[bytes], max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._chunks = chunks
        self._rest = b""
        self._count = 0
        self._deadline = time.monotonic() + STREAM_SECONDS

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        while not self._rest:
            chunk = next(self._chunks, None)
            if chunk is None:
                return b""
            self._count += len(chunk)
            if self._count > self._max_bytes:
                raise _CapReached(f"more than {self._max_bytes} bytes")
            if time.monotonic() > self._deadline:
                raise _CapReached(f"more than {STREAM_SECONDS:.0f} s")
            self._rest = chunk
        data, self._rest = self._rest[:size], self._rest[size:]
        return data
