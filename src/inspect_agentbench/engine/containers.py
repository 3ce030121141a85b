"""Names, labels and certain removal of the containers of this package's runs.

The containers of agents are Inspect's: it names and removes them, and whoever asks it to keep them keeps
them. All carry a run id, and cleaning up touches only containers of one run id, never everything on the
engine.
"""

import atexit
import functools
import os
import socket
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from enum import StrEnum
from http import HTTPStatus
from typing import Any

import docker
import docker.errors
import requests.exceptions

from inspect_agentbench.engine.client import connect
from inspect_agentbench.errors import AgentbenchError, EngineUnavailable, HarnessFault

LABEL = "inspect_agentbench"
RUN_LABEL = f"{LABEL}.run"
KIND_LABEL = f"{LABEL}.kind"
PROCESS_LABEL = f"{LABEL}.process"
HOST_LABEL = f"{LABEL}.host"
REMOVAL_SECONDS = 20.0
_POLL_SECONDS = 0.02


class Kind(StrEnum):
    """What a container of ours is for."""

    ROOM = "room"
    JUDGE = "judge"
    PROBE = "probe"
    AGENT = "agent"
    """Made and removed by Inspect; only a killed run leaves it."""


@dataclass(frozen=True)
class Leftover:
    """A container of some run of this package, as the engine lists it."""

    id: str
    name: str
    run: str
    kind: str
    status: str
    created: str
    at_work: bool
    """Its process still runs on this machine; of another machine's nobody can say."""


def run_id() -> str:
    """The id of this process; from its first use on, leaving the interpreter removes what carries it."""
    return _run_id_of(os.getpid())


def labels(kind: Kind) -> dict[str, str]:
    """The labels of a new container; without them nothing would find it again."""
    process, host = str(os.getpid()), socket.gethostname()
    return {
        LABEL: "1",
        RUN_LABEL: run_id(),
        KIND_LABEL: kind.value,
        PROCESS_LABEL: process,
        HOST_LABEL: host,
    }


def new_name(kind: Kind) -> str:
    """A container name that no other container has."""
    return f"agentbench-{kind}-{run_id()}-{uuid.uuid4().hex[:8]}"


def remove(client: docker.DockerClient, container: str) -> None:
    """Kill and remove a container, and see that it is gone; `HarnessFault` if it stays.

    A container that is not there is gone. Whoever is attached to it must have let go before: the engine
    waits for readers.
    """
    deadline = time.monotonic() + REMOVAL_SECONDS
    try:
        while not _gone(client, container):
            if time.monotonic() > deadline:
                raise HarnessFault(
                    f"container {container} is still there after {REMOVAL_SECONDS:.0f} s of removing it"
                )
    except (docker.errors.APIError, requests.exceptions.RequestException) as error:
        raise HarnessFault(f"container {container} could not be removed: {error}") from error


class _Door:
    """Lets threads make containers until the process ends; then it waits for who is inside."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._inside = 0
        self._closed = False

    @contextmanager
    def passing(self) -> Iterator[None]:
        with self._changed:
            if self._closed:
                raise HarnessFault("no container is made any more: this process is ending")
            self._inside += 1
        try:
            yield
        finally:
            with self._changed:
                self._inside -= 1
                self._changed.notify_all()

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.wait_for(lambda: self._inside == 0, REMOVAL_SECONDS)


_DOOR = _Door()


def making_a_container() -> AbstractContextManager[None]:
    """Around a container's creation, so that none is made behind the back of the removal at the end.

    Entering raises `HarnessFault` once the process is ending.
    """
    return _DOOR.passing()


def remove_all_of_this_process(ending: bool = False) -> None:
    """Remove every room, judge and probe of this run id; an engine that is gone has nothing left to remove.

    With `ending`, threads that are still grading can make no new ones.
    """
    if ending:
        _DOOR.close()
    try:
        client = connect()
        for leftover in _listed(client, run_id()):
            if leftover.kind != Kind.AGENT:
                remove(client, leftover.id)
    except (
        EngineUnavailable,
        HarnessFault,
        docker.errors.DockerException,
        requests.exceptions.RequestException,
    ):
        return  # `doctor` finds by label what could not be removed now


def list_leftovers(client: docker.DockerClient) -> list[Leftover]:
    """The containers of all other runs, oldest first. One of them may still be at work."""
    mine = run_id()
    return [leftover for leftover in _listed(client) if leftover.run != mine]


def clean(client: docker.DockerClient, run: str) -> list[str]:
    """Remove the containers of one run and give their names; `AgentbenchError` if it has none."""
    found = _listed(client, run)
    if not found:
        raise AgentbenchError(
            f"run {run}: the engine holds no container of that run; see `agentbench doctor`"
        )
    for leftover in found:
        remove(client, leftover.id)
    return [leftover.name for leftover in found]


@functools.cache
def _run_id_of(process: int) -> str:
    # Keyed by process: a forked child must not remove its parent's containers when it ends.
    atexit.register(_remove_at_exit, process)
    return uuid.uuid4().hex[:12]


def _remove_at_exit(process: int) -> None:
    if process == os.getpid():
        remove_all_of_this_process(ending=True)


def _gone(client: docker.DockerClient, container: str) -> bool:
    """Ask for the removal once; only the engine's "not found" is the proof that it is done."""
    try:
        client.api.remove_container(container, force=True, v=True)
    except docker.errors.NotFound:
        return True
    except docker.errors.APIError as error:
        if error.status_code != HTTPStatus.CONFLICT:
            raise
        time.sleep(_POLL_SECONDS)  # another removal is at work
    return False


def _listed(client: docker.DockerClient, run: str | None = None) -> list[Leftover]:
    wanted = f"{RUN_LABEL}={run}" if run else RUN_LABEL
    found = client.api.containers(all=True, filters={"label": [f"{LABEL}=1", wanted]})
    return [_leftover(entry) for entry in sorted(found, key=lambda entry: entry["Created"])]


def _leftover(entry: dict[str, Any]) -> Leftover:
    return Leftover(
        id=entry["Id"],
        name=entry["Names"][0].removeprefix("/"),
        run=entry["Labels"][RUN_LABEL],
        kind=entry["Labels"].get(KIND_LABEL, "unknown"),
        status=entry["Status"],
        created=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(entry["Created"])),
        at_work=_is_at_work(entry["Labels"]),
    )


def _is_at_work(found: dict[str, str]) -> bool:
    process = found.get(PROCESS_LABEL, "")
    if found.get(HOST_LABEL) != socket.gethostname() or not process.isdecimal():
        return False
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
