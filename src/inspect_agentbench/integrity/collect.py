"""Taking the path log out of a frozen container."""

from typing import Any

import docker

from inspect_agentbench.submission.archive import read_archive

from .pathlog import COMMAND_BYTES, LOG_FOLDER, PathLog, read_states, unavailable

_MARGIN = 4096


def collect_path_log(
    client: docker.DockerClient, container: str, commands: int, state: str, reason: str
) -> dict[str, Any]:
    """State, reason and counts of the path log of an episode with so many commands."""
    return _summary(_read(client, container, commands, state, reason), commands)


def _read(client: docker.DockerClient, container: str, commands: int, state: str, reason: str) -> PathLog:
    if state == "unavailable":
        return unavailable(reason)
    if state == "unused":
        return unavailable("another solver worked, whose commands are not traced")
    archive = read_archive(client, container, LOG_FOLDER, COMMAND_BYTES + _MARGIN)
    if archive is None:
        return unavailable(f"{LOG_FOLDER} is not there")
    return read_states(archive.files, commands)


def _summary(log: PathLog, commands: int) -> dict[str, Any]:
    names = ("opened", "missed", "created", "renamed", "linked", "removed", "executed")
    counts = {name: len(getattr(log, name)) for name in names}
    return {"state": log.state, "reason": log.reason, "commands": commands, "paths": counts}
