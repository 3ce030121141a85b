"""The one client of the docker engine, and what the engine must be able to do."""

import functools
import os
import re
import shutil
import socket
import subprocess

import docker
import docker.errors
import requests.exceptions
from docker.context import ContextAPI

from inspect_agentbench.errors import EngineUnavailable

MIN_ENGINE = (24, 0, 6)  # Inspect refuses older ones
MIN_COMPOSE = (2, 21, 0)
CONNECT_SECONDS = 10
REQUEST_SECONDS = 60
WAY_OUT = "start it, or run scripts/ensure-engine.sh as root on Debian"

_FAILURES = (docker.errors.DockerException, requests.exceptions.RequestException, OSError, ValueError)


def connect() -> docker.DockerClient:
    """The client of this process for the engine that the docker command would use.

    Honours DOCKER_HOST, DOCKER_CONTEXT and the current context. Raises `EngineUnavailable` with one
    line when there is no engine, it does not answer, may not be used, or is too old. A failure is
    not remembered: a daemon that was started in the meantime is found.
    """
    return _connect(_endpoint(), os.getpid())


def require_docker_command() -> None:
    """`EngineUnavailable` unless there is a docker command: Inspect and building an image need it."""
    if shutil.which("docker") is None:
        raise EngineUnavailable(
            "the docker command is not on PATH: install the docker command line and compose"
        )


@functools.cache
def check_compose() -> str:
    """The version of the compose plug-in; `EngineUnavailable` if it is missing or too old."""
    require_docker_command()
    version = _ask_compose()
    if version is None:
        raise EngineUnavailable(
            f"the docker compose plug-in is missing: install compose >= {_text(MIN_COMPOSE)}"
        )
    if _numbers(version) < MIN_COMPOSE:
        raise EngineUnavailable(f"docker compose {version} is too old: update it to >= {_text(MIN_COMPOSE)}")
    return version


@functools.cache
def _connect(endpoint: str, process: int) -> docker.DockerClient:
    # `process` keeps a forked child from sharing its parent's sockets.
    try:
        _probe(endpoint)
        client = docker.from_env(timeout=CONNECT_SECONDS, use_ssh_client=True)
        version = str(client.version()["Version"])
    except _FAILURES as error:
        raise EngineUnavailable(f"docker engine at {endpoint}: {_reason(error)}") from error
    if _numbers(version) < MIN_ENGINE:
        client.close()
        raise EngineUnavailable(
            f"docker engine {version} at {endpoint} is too old: update it to >= {_text(MIN_ENGINE)}"
        )
    client.api.timeout = REQUEST_SECONDS
    return client


def _endpoint() -> str:
    """Where the engine is said to be, for the error line and as the key of the cache."""
    host = os.environ.get("DOCKER_HOST")
    if host:
        return host
    name = os.environ.get("DOCKER_CONTEXT") or None
    context = ContextAPI.get_context(name)
    if context is None:  # the SDK would silently take the default socket
        named = f'"{name}"' if name else "the current one"
        raise EngineUnavailable(f"docker context {named} does not exist: see `docker context ls`")
    return str(context.Host or "the default socket")


def _probe(endpoint: str) -> None:
    """Open a local socket once ourselves: the SDK wraps its failure four times over, and leaks the socket."""
    if endpoint.startswith("unix://"):
        with socket.socket(socket.AF_UNIX) as probe:
            probe.settimeout(CONNECT_SECONDS)
            probe.connect(endpoint.removeprefix("unix://"))


def _reason(error: Exception) -> str:
    if isinstance(error, PermissionError):
        return "permission denied: join the group docker, or run as a user who may use it"
    if isinstance(error, FileNotFoundError):
        return f"its socket does not exist, so no engine runs there: {WAY_OUT}"
    return f"it does not answer: {WAY_OUT}"


def _ask_compose() -> str | None:
    command = ["docker", "compose", "version", "--short"]
    try:
        answer = subprocess.run(command, capture_output=True, text=True, timeout=CONNECT_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return answer.stdout.strip().removeprefix("v") if answer.returncode == 0 else None


def _numbers(version: str) -> tuple[int, ...]:
    """`26.1.5+dfsg1` as (26, 1, 5); what has no number is older than everything."""
    found = re.match(r"\d+(\.\d+)*", version)
    return tuple(int(part) for part in found.group().split(".")) if found else ()


def _text(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))
