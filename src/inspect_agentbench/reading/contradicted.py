"""Episodes that a later grading of the same bytes contradicts."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from inspect_agentbench.compare.rows import EpisodeRow, Left
from inspect_agentbench.errors import AgentbenchError

from .collection import Collection

_OTHER_HASH = " hash was "
"""How `agentbench regrade` says that oracle, image or grader is another: then it contradicts nothing."""


def without_contradicted(found: Collection, report: Path) -> Collection:
    """The collection without what `agentbench regrade --json` graded otherwise under the same hashes.

    Raises AgentbenchError if the file is no such report.
    """
    try:
        graded = json.loads(report.read_text(encoding="utf-8"))
        against = {key: entry for entry in graded if (key := _contradiction(entry))}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise AgentbenchError(
            f"{report} is no report of `agentbench regrade --json` ({type(error).__name__}); "
            "make it by that command"
        ) from None
    out = [row for row in found.rows if _key(row) in against]
    left = [_left(row, against[_key(row)]) for row in out]
    return Collection([row for row in found.rows if row not in out], found.facts, [*found.left_out, *left])


def _contradiction(entry: dict[str, Any]) -> tuple[str, str] | None:
    differences: Sequence[str] = entry["differences"]
    same_hashes = not any(_OTHER_HASH in text for text in differences)
    if differences and same_hashes and entry["now"] is not None:
        return Path(entry["log"]).name, str(entry["episode"])
    return None


def _key(row: EpisodeRow) -> tuple[str, str]:
    return Path(row.log).name, f"{row.sample} run {row.epoch}"


def _left(row: EpisodeRow, entry: dict[str, Any]) -> Left:
    said = "; ".join(entry["differences"])
    return Left(
        where=f"{row.log}, {row.sample} run {row.epoch}",
        code="contradicted",
        reason=f"graded again under the same oracle, image and grader it comes out otherwise: {said}",
    )
