"""Taking the submission out of the agent's container, after everything in it was stopped."""

from collections.abc import Iterator
from pathlib import PurePosixPath

import docker
from docker.errors import APIError, DockerException, NotFound
from requests.exceptions import RequestException

from inspect_agentbench.bank import Variant
from inspect_agentbench.errors import HarnessFault

from .archive import Archive, read_archive
from .model import MAX_FILE_BYTES, MAX_FILES, MAX_TOTAL_BYTES, Submission

MAX_FACTS = 40
_CACHES = {".git", "__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".hypothesis"}
"""Folders that tools leave; their content is nothing to be told."""
_CONFLICT = 409


def freeze(client: docker.DockerClient, container: str) -> None:
    """Stop every process of the agent by killing its container, which stays and can be read.

    A container that does not run any more is frozen already. Raises HarnessFault if it is gone.
    """
    try:
        client.api.kill(container)
    except NotFound as error:
        raise HarnessFault(f"the agent's container {container} is gone") from error
    except APIError as error:
        if error.status_code != _CONFLICT:
            raise HarnessFault(f"the docker engine did not stop container {container}: {error}") from error
    except (DockerException, RequestException) as error:
        raise HarnessFault(f"the docker engine did not stop container {container}: {error}") from error


def collect(client: docker.DockerClient, container: str, workspace: str, variant: Variant) -> Submission:
    """The editable files of a frozen container, and what was odd about the rest.

    One stream of the workspace. Where it reaches a cap, each file of the starting tree is read by itself,
    so that nothing else in the workspace can crowd it out.
    """
    if _first_link(client, container, PurePosixPath(workspace)):
        return Submission({}, (f"{workspace}: a symbolic link in the path, not followed",))
    archive = read_archive(client, container, workspace, MAX_FILE_BYTES)
    if archive is None:
        return Submission({}, (f"{workspace}: is not there any more",))
    if archive.capped:
        archive = _one_by_one(client, container, workspace, variant, archive.capped)
    return _submission(variant, archive)


def _first_link(client: docker.DockerClient, container: str, path: PurePosixPath) -> PurePosixPath | None:
    """The first of the two last components of `path` that is a link; above them is only root's."""
    for folder in (path.parent, path):
        stat = _stat(client, container, str(folder))
        if stat is not None and stat.get("linkTarget"):
            return folder
    return None


def _stat(client: docker.DockerClient, container: str, path: str) -> dict[str, object] | None:
    try:
        stream, stat = client.api.get_archive(container, path)
    except NotFound:
        return None
    except (DockerException, RequestException) as error:
        raise HarnessFault(f"the docker engine gave no {path} of container {container}: {error}") from error
    stream.close()
    return dict(stat)


def _one_by_one(
    client: docker.DockerClient, container: str, workspace: str, variant: Variant, capped: str
) -> Archive:
    files: dict[str, bytes] = {}
    refused = {"": f"{capped}; only the files of the starting tree were read"}
    for path in variant.tree():
        found = _one(client, container, PurePosixPath(workspace), PurePosixPath(path))
        if isinstance(found, bytes):
            files[path] = found
        elif found is not None:
            refused[path] = found
    return Archive(files, refused, None)


def _one(
    client: docker.DockerClient, container: str, workspace: PurePosixPath, path: PurePosixPath
) -> bytes | str | None:
    """The content of one regular file, or why it was not taken; None if it is not there."""
    for folder in reversed(path.parents[:-1]):
        stat = _stat(client, container, str(workspace / folder))
        if stat is None or stat.get("linkTarget"):
            return None if stat is None else f"{folder} is a symbolic link, not followed"
    archive = read_archive(client, container, str(workspace / path), MAX_FILE_BYTES)
    if archive is None:
        return None
    return archive.files.get("", archive.refused.get("", archive.capped or "not a regular file, not taken"))


def _submission(variant: Variant, archive: Archive) -> Submission:
    """What is taken, and the facts: what weighs most first, since only so many are kept."""
    files: dict[str, bytes] = {}
    left_out: list[str] = []
    total = 0
    for path, content in sorted(archive.files.items()):
        if not variant.family.is_editable(path):
            continue
        total += len(content)
        if not _is_plain(path):
            left_out.append(f"{_shown(path)}: an odd name, not taken")
        elif len(files) >= MAX_FILES or total > MAX_TOTAL_BYTES:
            left_out.append(f"{path}: beyond {MAX_FILES} files or {MAX_TOTAL_BYTES} bytes, not taken")
        else:
            files[path] = content
    empty = [] if files else ["no editable file was left: the submission is empty"]
    return Submission(
        files,
        _first(
            [
                *empty,
                *_changed_facts(variant, archive),
                *(
                    f"{_shown(path) or 'workspace'}: {reason}"
                    for path, reason in sorted(archive.refused.items())
                ),
                *left_out,
                *_new_file_facts(variant, archive),
            ]
        ),
        tuple(path for path in _not_as_before(variant, archive) if variant.family.is_protected(path)),
    )


def _not_as_before(variant: Variant, archive: Archive) -> Iterator[str]:
    """Files of the starting tree that are not editable and are not as they were."""
    for path, file in sorted(variant.tree().items()):
        if not variant.family.is_editable(path) and archive.files.get(path) != file.content:
            yield path


def _changed_facts(variant: Variant, archive: Archive) -> Iterator[str]:
    """Files of the starting tree that are not editable and are not as they were, protected ones first."""
    changed = _not_as_before(variant, archive)
    for path in sorted(changed, key=lambda path: (not variant.family.is_protected(path), path)):
        change = "changed" if path in archive.files else "removed"
        if variant.family.is_protected(path):
            yield f"{path}: protected, {change}; the pristine copy counts"
        else:
            yield f"{path}: not editable, {change}; not taken"


def _new_file_facts(variant: Variant, archive: Archive) -> Iterator[str]:
    """New files that are not taken, but for git's own and what Python and pytest leave by themselves."""
    tree = variant.tree()
    for path in sorted(archive.files):
        usual = not _CACHES.isdisjoint(path.split("/"))
        if path not in tree and not usual and not variant.family.is_editable(path):
            yield f"{_shown(path)}: a new file outside the editable paths, not taken"


def _is_plain(path: str) -> bool:
    return path.isprintable() and path.isascii() and "\\" not in path


def _shown(path: str) -> str:
    """A path on one line of printable ASCII: facts are read in terminals."""
    return path.encode("unicode_escape").decode("ascii")[:120]


def _first(facts: list[str]) -> tuple[str, ...]:
    more = len(facts) - MAX_FACTS
    return (*facts[:MAX_FACTS], f"{more} more") if more > 0 else tuple(facts)
