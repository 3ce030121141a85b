"""Grading a submission: twice, in two rooms, against the judge's answers."""

import random
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import docker

from .. import __version__
from ..bank import Variant
from ..engine import ImageInfo
from ..integrity import NO_EPISODE, IntegrityReport, submission_evidence
from ..outcome import Outcome
from ..submission import Diff, Submission, diff
from . import regrade
from .again import again
from .cases import Case, Cases
from .judge import accepted, make_cases
from .plan import Control, room_plan
from .preload import standard_imports
from .report import GradeReport, Hashes, RegradeReport, Timings
from .room import RoomRequest, ask_room
from .signature import match, read_signatures
from .sources import grader_hash
from .verdict import Judged, group_score, judge_room


class Grading(NamedTuple):
    """What grading gives: the report, and what is too large for it."""

    report: GradeReport
    diff: Diff


class Grader:
    """Asks rooms about submissions to one variant; holds what all its rooms have in common."""

    def __init__(self, client: docker.DockerClient, image: ImageInfo, variant: Variant, cases: Cases) -> None:
        self._client = client
        self._image = image
        self._variant = variant
        self._cases = cases
        self._preload = standard_imports(variant)

    def twice(self, submission: Submission) -> tuple[Judged, Judged]:
        """Two rooms side by side, in two orders, under two hash seeds."""
        with ThreadPoolExecutor(2) as pool:
            first, second = (pool.submit(self.once, submission, number) for number in (0, 1))
            return first.result(), second.result()

    def once(self, submission: Submission, number: int) -> Judged:
        """One fresh room; `number`, from 0, gives it an order of trials and a hash seed of its own.

        Only what the harness broke is tried again, a fixed number of times.
        """
        return again(lambda: self._once(submission, number))

    def _once(self, submission: Submission, number: int) -> Judged:
        control = Control(self._variant)
        ordered = (*self._cases.fixed, *_shuffled(self._cases.trials, number))
        tree = self._variant.with_submission(submission.files)
        plan = room_plan(self._variant, tree, ordered, control, self._preload)
        result = ask_room(self._client, self._image.id, RoomRequest(plan, ordered, number + 1))
        return judge_room(self._cases, result, self._variant.family.oracle, control.test, self._accept)

    def _accept(self, items: Sequence[tuple[Case, Sequence[str]]]) -> list[list[bool]]:
        return accepted(self._client, self._image, self._variant, items)


def _shuffled(trials: Sequence[Case], number: int) -> list[Case]:
    """The trials in an order of this room's own; the first room has the judge's."""
    ordered = list(trials)
    if number:
        random.Random(number).shuffle(ordered)
    return ordered


def grade(
    client: docker.DockerClient,
    image: ImageInfo,
    variant: Variant,
    submission: Submission,
    cases: Cases | None = None,
    integrity: IntegrityReport = NO_EPISODE,
) -> Grading:
    """Grade a submission. Raises HarnessFault when the harness fails; nothing a submission does raises.

    `integrity` tells of the episode; what disqualifies in the submission itself is looked for here.
    """
    started = time.monotonic()
    cases = cases or make_cases(client, image, variant)
    judged = time.monotonic()
    grader = Grader(client, image, variant, cases)
    first, second = grader.twice(submission)
    decided, comparison = regrade.decide(first, second, lambda: grader.once(submission, 2))
    done = time.monotonic()
    timings = Timings(
        judge=round(judged - started, 3), gradings=round(done - judged, 3), total=round(done - started, 3)
    )
    integrity = integrity.with_evidence(submission_evidence(variant, submission))
    return _grading(variant, image, submission, decided, comparison, timings, integrity)


def _grading(
    variant: Variant,
    image: ImageInfo,
    submission: Submission,
    judged: Judged,
    comparison: RegradeReport,
    timings: Timings,
    integrity: IntegrityReport,
) -> Grading:
    family = variant.family
    changes = diff(variant.editable_files(variant.tree()), submission.files)
    verdict = judged.verdict
    if not comparison.equal and verdict is Outcome.SOLVED:
        verdict = Outcome.ILLUSORY  # different answers that are both accepted: never solved
    report = GradeReport(
        family=family.id,
        family_version=family.manifest.version,
        variant=variant.name,
        outcome=Outcome.DISQUALIFIED if integrity.evidence else verdict,
        verdict=verdict,
        visible=judged.visible,
        trials=judged.trials,
        score=group_score(judged.trials, family.oracle),
        invariant_hold=judged.invariant_hold,
        unstable=not comparison.equal,
        signature=match(judged.trials.disagreeing, read_signatures(family, variant.name)),
        submission_hash=submission.hash,
        files_touched=changes.files,
        diff_lines=changes.lines,
        integrity=integrity,
        facts=submission.facts,
        regrade=comparison,
        hashes=_hashes(variant, image),
        timings=timings,
    )
    return Grading(report, changes)


def _hashes(variant: Variant, image: ImageInfo) -> Hashes:
    return Hashes(
        visible=variant.visible_hash(),
        oracle=variant.family.oracle_hash(),
        grader=grader_hash(),
        image=image.fingerprint.short,
        image_id=image.id,
        package=__version__,
    )
