"""A submission: the agent's editable files as they were when it stopped, by content hash."""

import base64
import binascii
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ..bank import Family, TreeFile, tree_hash
from ..errors import AgentbenchError

MAX_FILES = 500
MAX_FILE_BYTES = 1_000_000
MAX_TOTAL_BYTES = 4_000_000


class Submission(NamedTuple):
    """Legal files by POSIX path, and what was odd about the rest."""

    files: dict[str, bytes]
    facts: tuple[str, ...] = ()
    protected: tuple[str, ...] = ()
    """Protected files that were changed or removed; their pristine copies count."""

    @property
    def hash(self) -> str:
        """SHA-256 (hex) over paths and bytes; facts do not count."""
        return tree_hash({path: TreeFile(content) for path, content in self.files.items()})


def to_data(submission: Submission) -> dict[str, Any]:
    """The submission as JSON data, with its hash."""
    return {
        "sha256": submission.hash,
        "files": {path: _spell(content) for path, content in sorted(submission.files.items())},
        "facts": list(submission.facts),
        "protected": list(submission.protected),
    }


def from_data(data: Any, where: str) -> Submission:
    """The submission that `to_data` wrote. Raises AgentbenchError if it is damaged or was changed."""
    try:
        files = {str(path): _read(spelled) for path, spelled in data["files"].items()}
        facts, protected = (tuple(map(str, data.get(name, ()))) for name in ("facts", "protected"))
        submission = Submission(files, facts, protected)
        recorded, found = data["sha256"], submission.hash
    except (KeyError, TypeError, AttributeError, ValueError, binascii.Error) as error:
        raise AgentbenchError(
            f"{where}: the saved submission is damaged ({type(error).__name__}: {error}); "
            "take an undamaged copy of the log"
        ) from None
    if found != recorded:
        raise AgentbenchError(
            f"{where}: the saved submission was changed: its files hash to {found[:12]}, "
            f"recorded is {str(recorded)[:12]}; take an unchanged copy of the log"
        )
    return submission


def _spell(content: bytes) -> dict[str, str]:
    try:
        return {"text": content.decode("utf-8")}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(content).decode("ascii")}


def _read(spelled: Mapping[str, str]) -> bytes:
    if "text" in spelled:
        return spelled["text"].encode("utf-8")
    return base64.b64decode(spelled["base64"], validate=True)


def from_folder(family: Family, folder: Path) -> Submission:
    """The editable files in a folder; links, and what goes beyond the caps, are facts and are not taken.

    Raises AgentbenchError when there is no such folder or no editable file in it.
    """
    if not folder.is_dir():
        raise AgentbenchError(f"{folder} is not a folder; name a folder with files of family {family.id}")
    files: dict[str, bytes] = {}
    facts: list[str] = []
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if not family.is_editable(name) or path.is_dir():
            continue
        try:
            files[name] = _take(path, files)
        except _Refused as reason:
            facts.append(f"{name}: {reason}, not taken")
    if not files:
        patterns = ", ".join(family.manifest.editable)
        raise AgentbenchError(
            f"{folder} holds none of the editable files of family {family.id} ({patterns}); "
            "paths are relative to the family's repository"
        )
    return Submission(files, tuple(facts))


class _Refused(Exception):
    """Why a file cannot be part of a submission."""


def _take(path: Path, taken: Mapping[str, bytes]) -> bytes:
    if path.is_symlink():
        raise _Refused("a symbolic link")
    if not path.is_file():
        raise _Refused("not a regular file")
    room_bytes = MAX_TOTAL_BYTES - sum(map(len, taken.values()))
    if path.stat().st_size > min(MAX_FILE_BYTES, room_bytes):
        raise _Refused(f"larger than {min(MAX_FILE_BYTES, room_bytes)} bytes")
    if len(taken) >= MAX_FILES:
        raise _Refused(f"after {MAX_FILES} files")
    try:
        return path.read_bytes()
    except OSError as error:
        raise _Refused(f"cannot be read ({error.strerror})") from None
