"""Building the sandbox image with the docker command, with or without an image registry."""

import os
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

import docker
import docker.errors

from inspect_agentbench.engine.cache import cache_folder
from inspect_agentbench.engine.client import require_docker_command
from inspect_agentbench.errors import AgentbenchError

LOCAL_BASE = "agentbench-base:trixie"
PULL_SECONDS = 300
BUILD_SECONDS = 1200


def build(client: docker.DockerClient, folder: Path, tag: str) -> None:
    """Build the Dockerfile of the folder; `AgentbenchError` with the log's place if that fails."""
    require_docker_command()
    base = choose_base(client, folder)
    options = [*_network(client), *_output(), "--build-arg", f"BASE={base}", "--tag", tag]
    command = ["docker", "build", *options, str(folder)]
    _run(command, BUILD_SECONDS, f"building the sandbox image {tag}")


def choose_base(client: docker.DockerClient, folder: Path) -> str:
    """A base made here before, else the pinned one, else one made now from Debian packages."""
    pinned = pinned_base(folder)
    if _holds(client, LOCAL_BASE):
        return LOCAL_BASE
    if _holds(client, pinned) or _pulled(pinned):
        return pinned
    if _can_make_base():
        _run(["sh", str(folder / "make-base-image.sh")], BUILD_SECONDS, f"making the base image {LOCAL_BASE}")
        return LOCAL_BASE
    raise AgentbenchError(
        f"the base image {pinned} could not be pulled: give this machine access to an image registry, "
        f"or bring {LOCAL_BASE} here, made by sandboxes/make-base-image.sh as root on a Debian machine"
    )


def pinned_base(folder: Path) -> str:
    """The default of the Dockerfile's build argument BASE."""
    text = (folder / "Dockerfile").read_text(encoding="utf-8")
    found = re.search(r"^ARG BASE=(\S+)$", text, re.MULTILINE)
    if found is None:
        raise AgentbenchError(f"{folder / 'Dockerfile'}: no line `ARG BASE=…`; restore the file")
    return found.group(1)


def _holds(client: docker.DockerClient, image: str) -> bool:
    try:
        client.images.get(image)
    except docker.errors.ImageNotFound:
        return False
    return True


def _pulled(image: str) -> bool:
    command = ["docker", "pull", "--quiet", image]
    try:
        return subprocess.run(command, capture_output=True, timeout=PULL_SECONDS, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def _can_make_base() -> bool:
    return os.name == "posix" and os.geteuid() == 0 and Path("/etc/debian_version").exists()


def _network(client: docker.DockerClient) -> Sequence[str]:
    """An engine without a bridge cannot give a build step a network of its own."""
    names = {network.name for network in client.networks.list(names=["bridge"])}
    return [] if "bridge" in names else ["--network", "host"]


def _output() -> Sequence[str]:
    """A builder in a container of its own keeps what it built, unless told to hand it over."""
    buildx = subprocess.run(["docker", "buildx", "version"], capture_output=True, check=False)
    return ["--load"] if buildx.returncode == 0 else []


def _run(command: Sequence[str], seconds: int, what: str) -> None:
    log = cache_folder("logs") / f"{Path(command[0]).name}-{os.getpid()}.log"
    with log.open("wb") as output:
        try:
            ended = subprocess.run(
                command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, timeout=seconds, check=False
            )
        except OSError as error:
            raise AgentbenchError(f"{what} failed: {command[0]}: {error.strerror}; install it") from error
        except subprocess.TimeoutExpired as error:
            raise AgentbenchError(f"{what} took more than {seconds} s: see {log}") from error
    if ended.returncode != 0:
        raise AgentbenchError(f"{what} failed: {_last_line(log)}; all of it is in {log}")
    log.unlink()


def _last_line(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    return lines[-1][:300] if lines else "no output"
