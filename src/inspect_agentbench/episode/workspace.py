"""Laying down what the agent works on: the tree as a git repository, and the issue beside it."""

import io
import tarfile
import time
from typing import Final

from ..bank import Variant
from ..errors import HarnessFault
from ..integrity.pathlog import LOG_FOLDER, tracer
from .container import NoReply, run_inside
from .layout import AGENT, ENVIRONMENT, HOME, ISSUE_PATH, WORKSPACE
from .record import EpisodeRecord

_DATE: Final = 1767603600  # 2026-01-05T09:00:00Z, of the commit and of every file
_SECONDS: Final = 120


async def place(variant: Variant, record: EpisodeRecord) -> None:
    """Fill the agent's container in one exec, and note whether commands can be traced there.

    Raises HarnessFault: at this point nothing of the agent has run.
    """
    started = time.monotonic()
    request = {
        "user": AGENT,
        "home": HOME,
        "workspace": WORKSPACE,
        "environment": ENVIRONMENT,
        "date": f"@{_DATE} +0000",
        "log_folder": LOG_FOLDER,
        "tracer": tracer(AGENT),
    }
    try:
        reply = await run_inside(
            "place", request, user="root", seconds=_SECONDS, attachment=workspace_tar(variant)
        )
    except NoReply as error:
        raise HarnessFault(f"the workspace could not be laid down: {error}") from error
    record.path_log_reason = str(reply["tracer"])
    record.path_log = "unavailable" if reply["tracer"] else "unused"
    record.setup_seconds = time.monotonic() - started


def workspace_tar(variant: Variant) -> bytes:
    """All that enters the container, relative to the agent's home."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as archive:
        _add_folder(archive, _below_home(WORKSPACE))
        for path, (content, executable) in variant.tree().items():
            _add_file(archive, f"{_below_home(WORKSPACE)}/{path}", content, 0o755 if executable else 0o644)
        _add_file(archive, _below_home(ISSUE_PATH), variant.issue_text.encode(), 0o644)
    return stream.getvalue()


def _below_home(path: str) -> str:
    return path.removeprefix(f"{HOME}/")


def _add_folder(archive: tarfile.TarFile, name: str) -> None:
    info = tarfile.TarInfo(name)
    info.type, info.mode, info.mtime = tarfile.DIRTYPE, 0o755, _DATE
    archive.addfile(info)


def _add_file(archive: tarfile.TarFile, name: str, content: bytes, mode: int) -> None:
    info = tarfile.TarInfo(name)
    info.size, info.mode, info.mtime = len(content), mode, _DATE
    archive.addfile(info, io.BytesIO(content))
