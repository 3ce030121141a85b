"""Looking through a frozen container: the path log, and what the agent left."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import docker

from inspect_agentbench.submission.archive import read_archive

from .evidence import printable
from .hidden import Hidden
from .left import files_left
from .pathlog import COMMAND_BYTES, EPISODE_BYTES, LOG_FOLDER, PathLog, read_states, unavailable
from .paths import Paths, probing, summary
from .report import IntegrityReport, PathCount, PathLogReport, integrity_report

_MARGIN = 4096


class Watched(NamedTuple):
    """What the episode says of its own path log."""

    commands: int
    """Commands started, each with a log of its own."""
    state: str
    """`on`, `unused` or `unavailable`; see EpisodeRecord."""
    reason: str = ""


class Examined(NamedTuple):
    """The report, and the paths, which are too many for it."""

    report: IntegrityReport
    paths: dict[str, Paths]


def examine(
    client: docker.DockerClient,
    container: str,
    watched: Watched,
    hidden: Hidden,
    transcript: Iterable[tuple[str, str]],
    running: tuple[str, ...] = (),
) -> Examined:
    """All that path log, container and transcript show, before anything was graded.

    `transcript` gives texts with the place where they stand; `running` is what ran when the container was
    stopped. Raises HarnessFault if the container cannot be read.
    """
    log = _path_log(client, container, watched)
    evidence = [piece for where, text in transcript for piece in hidden.evidence(where, text)]
    evidence += hidden.reached(log.reached())
    paths = summary(log)
    left = (*running, *files_left(client, container))
    report = integrity_report(_described(log, watched, paths), evidence, probing(log), left)
    return Examined(report, paths)


def _path_log(client: docker.DockerClient, container: str, watched: Watched) -> PathLog:
    if watched.state == "unavailable":
        return unavailable(watched.reason)
    if watched.state == "unused":
        return unavailable("another solver worked, whose commands are not traced")
    archive = read_archive(
        client, container, LOG_FOLDER, COMMAND_BYTES + _MARGIN, max_stream_bytes=2 * EPISODE_BYTES
    )
    if archive is None:
        return unavailable(f"{LOG_FOLDER} is not there")
    return read_states(archive.files, watched.commands)


def _described(log: PathLog, watched: Watched, paths: Mapping[str, Paths]) -> PathLogReport:
    counts = {kind: PathCount(total=found.total, system=found.system) for kind, found in paths.items()}
    return PathLogReport(
        state=log.state, reason=printable(log.reason), commands=watched.commands, paths=counts
    )
