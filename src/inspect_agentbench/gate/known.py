"""Known code on many trials, without a room for each tree: for fresh trials and for mutants.

Known fixes belong to the bank and are trusted. What an agent made never comes here.
"""

import base64
import os
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import docker

from ..bank import OracleSettings, Tolerance, TreeFile, Variant
from ..engine import ImageInfo, RoomLimits
from ..grading.compare import close
from ..grading.judge import ask_judge
from ..grading.preload import standard_imports
from ..grading.shorten import show_pair
from ..grading.sources import known_program

_LIMITS = RoomLimits(memory_mib=3072, cpus=float(min(2, os.cpu_count() or 1)), processes=256)
TREE_SECONDS = 240.0
"""Wall time of one tree."""
RUN_SECONDS = 1800.0
"""Wall time of one call, whatever the trees."""


class KnownTree(NamedTuple):
    """A whole tree, by POSIX path."""

    name: str
    files: Mapping[str, TreeFile]


class Shown(NamedTuple):
    """One disagreement, shortened for a reader."""

    expected: str
    got: str


class KnownRun(NamedTuple):
    """One tree on all trials."""

    name: str
    trials: int
    disagreeing: tuple[tuple[int, int], ...]
    """Seed and number of the trials."""
    timed_out: int
    """Steps whose time was up."""
    first: Shown | None
    visible_green: bool | None
    """None if the visible suite was not asked for."""
    seconds: float
    ended: str = ""
    """Why the tree was not tried to the end, if so; then nothing else is known."""


class KnownResult(NamedTuple):
    """All trees."""

    runs: tuple[KnownRun, ...]
    making_seconds: float
    """Making the trials and their right answers, once for all trees."""


def run_known(
    client: docker.DockerClient,
    image: ImageInfo,
    variant: Variant,
    trees: Sequence[KnownTree],
    *,
    seeds: Sequence[int],
    trials_per_seed: int,
    stop_at_first: bool = False,
    visible: bool = False,
    step_seconds: float | None = None,
    tree_seconds: float = TREE_SECONDS,
) -> KnownResult:
    """Run each tree on `trials_per_seed` trials of each seed, two trees at a time, each in one process.

    Raises OracleFault if a trial cannot be made; the text names seed and trial.
    """
    family = variant.family
    request = {
        "oracle": family.oracle_source,
        "driver": family.driver_source,
        "variant": variant.name,
        "import_root": family.manifest.import_root,
        "preload": list(standard_imports(variant)),
        "seeds": list(seeds),
        "trials": trials_per_seed,
        "step_seconds": step_seconds or family.oracle.step_seconds,
        "tree_seconds": tree_seconds,
        "property": family.oracle.comparison == "property",
        "tolerance": isinstance(family.oracle.comparison, Tolerance),
        "stop_at_first": stop_at_first,
        "visible": list(family.manifest.test_paths) if visible else None,
        "trees": [[tree.name, _spelled(tree.files)] for tree in trees],
    }
    reply = ask_judge(client, image, family.id, known_program(), request, seconds=RUN_SECONDS, limits=_LIMITS)
    runs = tuple(_run(tree.name, run, family.oracle) for tree, run in zip(trees, reply["runs"], strict=True))
    return KnownResult(runs, float(reply["making"]))


def _spelled(files: Mapping[str, TreeFile]) -> list[list[Any]]:
    return [
        [path, file.executable, base64.b64encode(file.content).decode("ascii")]
        for path, file in sorted(files.items())
    ]


def _run(name: str, run: Mapping[str, Any], oracle: OracleSettings) -> KnownRun:
    if "ended" in run:
        return KnownRun(name, 0, (), 0, None, None, 0.0, str(run["ended"]))
    wrong = [item for item in run["mismatches"] if not _tolerated(item[3], item[4], oracle)]
    first = Shown(*show_pair(wrong[0][3], wrong[0][4] or "no answer")) if wrong else None
    return KnownRun(
        name=name,
        trials=int(run["trials"]),
        disagreeing=tuple((seed, number) for seed, number, *_ in wrong),
        timed_out=int(run["timed_out"]),
        first=first,
        visible_green=run["visible"],
        seconds=float(run["seconds"]),
    )


def _tolerated(expected: str, got: str | None, oracle: OracleSettings) -> bool:
    tolerance = oracle.comparison
    return isinstance(tolerance, Tolerance) and got is not None and close(expected, got, tolerance)
