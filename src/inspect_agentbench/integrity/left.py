"""What an agent left in its container: processes, start-up files, shims. Facts for a reader, never evidence.

None of it has an effect on grading: nothing in the container runs once it was killed, and no program or
setting of it is used. All of it is the agent's doing, so what cannot be listed is a fact as well.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

import docker
from docker.errors import DockerException
from requests.exceptions import RequestException

from .evidence import printable

MAX_NAMED: Final = 10
_ROOT: Final = "0"
_REMOVED: Final = 2

_PROGRAMS: Final = (
    "bash|cat|chmod|cp|docker|env|find|git|grep|head|kill|ls|make|mv|pip3?|ps|py\\.?test|python[0-9.]*|rm|sed|"
    "sh|strace|sudo|tail|tar|timeout"
)
_KINDS: Final = {
    "start-up files": re.compile(
        r"(?s).*/(?:\.bash(?:rc|_profile|_login|_logout)|\.profile|\.inputrc|\.pythonrc(?:\.py)?|\.gitconfig|"
        r"\.config/git/.*|\.git/hooks/.*|(?:site|user)customize\.py|[^/]*\.pth|[^/]*\.dist-info/entry_points\.txt)"
    ),
    "names of system programs": re.compile(rf"(?s)/(?!usr/|bin/|sbin/).*(?<!/lib)/(?:{_PROGRAMS})"),
}
"""Files by what Python, git or a shell would do with them, had the harness used the agent's."""


def running(client: docker.DockerClient, container: str) -> tuple[str, ...]:
    """What of the agent's runs, asked before it is stopped; empty if nothing does."""
    try:
        found = client.api.top(container, ps_args="-eo uid,pid,args")["Processes"]
    except (DockerException, RequestException, KeyError, TypeError):
        return ()  # a container that does not run any more has no process
    commands = [" ".join(process[2:]) for process in found or () if process[0].strip() != _ROOT]
    return _named("still running when it was stopped", commands)


def files_left(client: docker.DockerClient, container: str) -> tuple[str, ...]:
    """Start-up files and shims in a stopped container; other files are nothing to be told."""
    try:
        changes = client.api.diff(container) or ()
    except (DockerException, RequestException) as error:
        return (f"the files it left could not be listed ({type(error).__name__})",)
    paths = sorted(str(change["Path"]) for change in changes if change["Kind"] != _REMOVED)
    return tuple(_classified(paths))


def _classified(paths: list[str]) -> Iterator[str]:
    for kind, pattern in _KINDS.items():
        yield from _named(f"{kind} left", (path for path in paths if pattern.fullmatch(path)))


def _named(what: str, names: Iterable[str]) -> tuple[str, ...]:
    """One fact with the first names; none without names."""
    said = [printable(name) for name in names]
    if not said:
        return ()
    more = f" and {len(said) - MAX_NAMED} more" if len(said) > MAX_NAMED else ""
    return (f"{what}: {', '.join(said[:MAX_NAMED])}{more}",)
