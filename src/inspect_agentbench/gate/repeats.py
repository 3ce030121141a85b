"""Verdicts on the untouched tree and on every known fix, again and again, each from a fresh checkout.

Variants whose trees differ in Markdown only, and whose cases are the same, are one code: their repeats count
together, and each variant gets at least one of them.
"""

import os
import random
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import docker

from ..bank import Family, KnownFix, Variant, tree_hash
from ..engine import ImageInfo
from ..grading.cases import Cases
from ..grading.grade import Grader
from ..grading.record import fix_submission
from ..grading.verdict import Judged
from .structure import every_fix

UNTOUCHED = "untouched"

Tick = Callable[[str], None]
"""Told after each piece of work, with a word on what it was."""


class Unit(NamedTuple):
    """Variants that are one code to a room."""

    variants: tuple[Variant, ...]
    cases: Cases

    @property
    def name(self) -> str:
        """The variants' names."""
        return "/".join(variant.name for variant in self.variants)


class Room(NamedTuple):
    """One verification."""

    variant: str
    judged: Judged
    seconds: float
    """Wall time, container and all."""


class Repeats(NamedTuple):
    """Every verification of one tree in one unit."""

    unit: Unit
    fix: KnownFix | None
    """None for the untouched tree."""
    rooms: tuple[Room, ...]

    @property
    def tree(self) -> str:
        """`untouched`, or kind and name of the fix."""
        return UNTOUCHED if self.fix is None else f"{self.fix.kind}/{self.fix.name}"

    @property
    def where(self) -> str:
        """The tree and the variants it was tried in."""
        return f"{self.tree} in {self.unit.name}"


def units(family: Family, cases: Mapping[str, Cases]) -> list[Unit]:
    """The family's variants with their cases, those that are one code together."""
    groups: list[list[Variant]] = []
    for variant in family.variants.values():
        same = [group for group in groups if _one_code(group[0], variant, cases)]
        if same:
            same[0].append(variant)
        else:
            groups.append([variant])
    return [Unit(tuple(group), cases[group[0].name]) for group in groups]


def _one_code(one: Variant, other: Variant, cases: Mapping[str, Cases]) -> bool:
    return _code_hash(one) == _code_hash(other) and cases[one.name] == cases[other.name]


def _code_hash(variant: Variant) -> str:
    return tree_hash({path: file for path, file in variant.tree().items() if not path.endswith(".md")})


class _Job(NamedTuple):
    unit: Unit
    fix: KnownFix | None
    number: int

    @property
    def variant(self) -> Variant:
        return self.unit.variants[self.number % len(self.unit.variants)]


def repeat_verdicts(
    client: docker.DockerClient,
    image: ImageInfo,
    family: Family,
    found: Sequence[Unit],
    repeats: int,
    tick: Tick,
) -> list[Repeats]:
    """Ask at least `repeats` rooms about each tree, in shuffled order, as many at once as there are cores."""
    trees = [(unit, fix) for unit in found for fix in (None, *every_fix(family))]
    jobs = [
        _Job(unit, fix, number) for unit, fix in trees for number in range(max(repeats, len(unit.variants)))
    ]
    shuffled = random.sample(jobs, len(jobs))

    def verify(job: _Job) -> Room:
        fix = job.fix or KnownFix("wrong", UNTOUCHED, {})
        grader = Grader(client, image, job.variant, job.unit.cases)
        started = time.monotonic()
        judged = grader.once(fix_submission(job.variant, fix), job.number)
        seconds = time.monotonic() - started
        tick(f"{family.id} {job.variant.name} {fix.name}")
        return Room(job.variant.name, judged, seconds)

    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        done = list(zip(shuffled, pool.map(verify, shuffled), strict=True))
    return [
        Repeats(unit, fix, tuple(room for job, room in done if job.unit is unit and job.fix is fix))
        for unit, fix in trees
    ]
