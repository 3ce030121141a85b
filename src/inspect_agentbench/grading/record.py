"""Recording signatures: grading every known fix, and writing down what its lazy ones get wrong.

Nothing is recorded unless every known fix behaves as its folder says.
"""

import json
from collections.abc import Callable, Iterator
from typing import NamedTuple

import docker

from inspect_agentbench.bank import FIX_KINDS, Family, FixKind, KnownFix, Variant
from inspect_agentbench.engine import ImageInfo, write_whole
from inspect_agentbench.errors import AgentbenchError
from inspect_agentbench.outcome import Outcome
from inspect_agentbench.submission import Submission

from .cases import Cases
from .grade import grade
from .judge import make_cases, remake_cases
from .report import GradeReport
from .signature import RecordedSignature, SignatureFile

EXPECTED: dict[FixKind, Outcome] = {
    "correct": Outcome.SOLVED,
    "lazy": Outcome.ILLUSORY,
    "wrong": Outcome.FAILED,
}

Progress = Callable[[str], None]


class GradedFix(NamedTuple):
    """A known fix and what grading it gave."""

    variant: str
    fix: KnownFix
    report: GradeReport

    @property
    def as_expected(self) -> bool:
        """Whether the fix is what its folder says, in both gradings, and every visible test is mirrored."""
        mirrored = not self.report.visible.unmirrored
        return self.report.outcome is EXPECTED[self.fix.kind] and mirrored and not self.report.unstable


def grade_known_fixes(
    client: docker.DockerClient, image: ImageInfo, family: Family, progress: Progress
) -> Iterator[GradedFix]:
    """Grade every known fix of every variant."""
    for variant in family.variants.values():
        cases = make_cases(client, image, variant)
        if remake_cases(client, image, variant) != cases:
            raise AgentbenchError(
                f"family {family.id}: its oracle makes other trials or answers when it is asked again; "
                f"take all chance from the given generator (oracles/{family.id})"
            )
        for kind in FIX_KINDS:
            for fix in family.fixes(kind).values():
                progress(f"{family.id} {variant.name} {kind}/{fix.name}")
                yield GradedFix(variant.name, fix, _report(client, image, variant, fix, cases))


def _report(
    client: docker.DockerClient, image: ImageInfo, variant: Variant, fix: KnownFix, cases: Cases
) -> GradeReport:
    return grade(client, image, variant, fix_submission(variant, fix), cases).report


def fix_submission(variant: Variant, fix: KnownFix) -> Submission:
    """A known fix as an agent would have left it."""
    return Submission(variant.editable_files(variant.apply(fix.files)))


def signature_file(family: Family, graded: list[GradedFix]) -> SignatureFile:
    """The signatures of the lazy fixes among `graded`."""
    variants: dict[str, dict[str, RecordedSignature]] = {name: {} for name in family.variants}
    for item in graded:
        if item.fix.kind == "lazy":
            trials = RecordedSignature(trials=item.report.trials.disagreeing)
            variants[item.variant][item.fix.name] = trials
    return SignatureFile(canary=family.oracle.canary, oracle_hash=family.oracle_hash(), variants=variants)


def write_signatures(family: Family, signatures: SignatureFile) -> None:
    """Write `signatures.json` whole, sorted, so that a review shows what changed."""
    text = json.dumps(signatures.model_dump(mode="json"), indent=1, sort_keys=True)
    write_whole(family.signatures_path, f"{text}\n".encode())
