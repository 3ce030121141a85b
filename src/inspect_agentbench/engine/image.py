"""The one image of agents, judges and rooms: its name, and building it when it is missing."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import docker
import docker.errors
import filelock

from inspect_agentbench.bank.hashing import TreeFile, tree_hash
from inspect_agentbench.bank.locate import data_root
from inspect_agentbench.engine.build import build
from inspect_agentbench.engine.cache import cache_folder
from inspect_agentbench.engine.client import connect
from inspect_agentbench.engine.fingerprint import Fingerprint, fingerprint_of
from inspect_agentbench.errors import AgentbenchError

REPOSITORY = "agentbench-sandbox"
_MADE_FROM = ("Dockerfile", "make-base-image.sh")

Say = Callable[[str], None]


@dataclass(frozen=True)
class ImageInfo:
    """The sandbox image on this engine."""

    tag: str
    id: str
    fingerprint: Fingerprint


def sandboxes_folder() -> Path:
    """Where the Dockerfile, the compose file and the base image script are."""
    return data_root() / "sandboxes"


def image_tag() -> str:
    """The image's name; its tag hashes what it is made from: a changed Dockerfile is a new image."""
    folder = sandboxes_folder()
    made_from = {name: TreeFile((folder / name).read_bytes()) for name in _MADE_FROM}
    return f"{REPOSITORY}:{tree_hash(made_from)[:12]}"


def ensure_image(say: Say) -> ImageInfo:
    """The sandbox image, built now if this engine does not hold it; `say` gets a line before and after.

    Of several processes one builds, the others wait for it. Raises `EngineUnavailable` without an engine
    and `AgentbenchError` with the way out if the image cannot be built.
    """
    client, tag = connect(), image_tag()
    image_id = _id_of(client, tag) or _build_alone(client, tag, say)
    return ImageInfo(tag, image_id, fingerprint_of(client, image_id))


def _id_of(client: docker.DockerClient, tag: str) -> str | None:
    try:
        return str(client.images.get(tag).id)
    except docker.errors.ImageNotFound:
        return None


def _build_alone(client: docker.DockerClient, tag: str, say: Say) -> str:
    lock = filelock.FileLock(cache_folder("locks") / f"{tag.replace(':', '-')}.lock")
    try:
        lock.acquire(timeout=0)
    except filelock.Timeout:
        say(f"waiting for another process that is building {tag}")
        lock.acquire()
    try:
        return _id_of(client, tag) or _build_and_tell(client, tag, say)
    finally:
        lock.release()


def _build_and_tell(client: docker.DockerClient, tag: str, say: Say) -> str:
    say(f"building the sandbox image {tag}, once per machine; this takes one or two minutes")
    started = time.monotonic()
    build(client, sandboxes_folder(), tag)
    image_id = _id_of(client, tag)
    if image_id is None:
        raise AgentbenchError(
            f"{tag} was built, but not into this engine: choose its builder (docker buildx ls)"
        )
    say(f"built {tag} in {time.monotonic() - started:.0f} s")
    return image_id
