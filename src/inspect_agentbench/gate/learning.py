"""Making a known lazy fix of a wrong submission that nobody predicted."""

import re
import shutil
from collections.abc import Mapping
from pathlib import PurePosixPath

import docker

from ..bank import Family, Variant
from ..engine import ImageInfo
from ..errors import AgentbenchError
from ..grading import GradeReport, grade
from ..grading.record import Progress, grade_known_fixes, signature_file, write_signatures
from ..grading.signature import MatchKind
from ..outcome import Outcome
from ..submission import Submission
from .structure import every_fix, meaning

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,59}")
_COMMENT = "# {canary} hidden oracle material; never train on it\n"


def learn(
    client: docker.DockerClient,
    image: ImageInfo,
    variant: Variant,
    submission: Submission,
    name: str,
    force: bool,
    progress: Progress,
) -> None:
    """Add the submission to the family's lazy fixes and record every signature anew.

    It has to be illusory in every variant, and none that is known; with `force` it may have the signature of
    a known fix. Raises AgentbenchError otherwise, with nothing changed.
    """
    family = variant.family
    files = changed_files(variant, submission)
    _check_name(family, name)
    _check_new(family, files)
    for other in family.variants.values():
        progress(f"grading in {family.id} {other.name}")
        filled = Submission(other.editable_files(other.apply(files)))
        _check_lazy(other, grade(client, image, other, filled).report, force)
    folder = family.hidden_folder / "lazy" / name
    try:
        for path, content in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(with_canary(family, path, content))
        graded = list(grade_known_fixes(client, image, family, progress))
        odd = [f"{item.fix.kind}/{item.fix.name}" for item in graded if not item.as_expected]
        if odd:
            raise AgentbenchError(
                f"family {family.id}: {odd[0]} is not what its folder says; "
                f"see `agentbench signatures {family.id}`. Nothing was recorded"
            )
        write_signatures(family, signature_file(family, graded))
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def changed_files(variant: Variant, submission: Submission) -> dict[str, bytes]:
    """The files that differ from the starting tree. Raises AgentbenchError if none do, or one is gone."""
    before = variant.editable_files(variant.tree())
    legal = {path: content for path, content in submission.files.items() if _is_legal(variant, path)}
    gone = sorted({*before} - {*legal})
    if gone:
        raise AgentbenchError(
            f"the submission removes {gone[0]}; a known fix lies over the tree and removes nothing"
        )
    changed = {path: content for path, content in legal.items() if before.get(path) != content}
    if not changed:
        raise AgentbenchError("the submission is the untouched tree, so it is no fix")
    return changed


def with_canary(family: Family, path: str, content: bytes) -> bytes:
    """The file as it is kept: with a first line that holds the canary and is dropped when it is read."""
    kept = content if b"\0" in content else _COMMENT.format(canary=family.oracle.canary).encode() + content
    if family.without_canary(kept) != content:
        raise AgentbenchError(f"{path} holds the family's canary; that is evidence, not a lazy fix")
    return kept


def _is_legal(variant: Variant, path: str) -> bool:
    """Whether a fix may hold this path; a log can say what it likes, so none may lead out of the folder."""
    parts = PurePosixPath(path)
    return variant.family.is_editable(path) and not parts.is_absolute() and ".." not in parts.parts


def _check_name(family: Family, name: str) -> None:
    if not _NAME.fullmatch(name):
        raise AgentbenchError(f"{name!r} cannot be a fix's name: small letters, digits, - and _, at most 60")
    taken = [f"{fix.kind}/{fix.name}" for fix in every_fix(family) if fix.name.casefold() == name.casefold()]
    if taken:
        raise AgentbenchError(f"family {family.id} has a known fix {taken[0]} already; choose another --name")


def _check_new(family: Family, files: Mapping[str, bytes]) -> None:
    variant = family.variant()
    tree = meaning(variant.apply(files))
    for fix in every_fix(family):
        if tree == meaning(variant.apply(fix.files)):
            raise AgentbenchError(f"the submission is the known fix {fix.kind}/{fix.name}; nothing to learn")


def _check_lazy(variant: Variant, report: GradeReport, force: bool) -> None:
    where = f"in variant {variant.name} the submission"
    if report.unstable:
        raise AgentbenchError(f"{where} is unstable, so it has no signature: {report.explanation()}")
    if report.outcome is not Outcome.ILLUSORY:
        raise AgentbenchError(
            f"{where} is {report.outcome.value}; a lazy fix passes the visible suite and disagrees with the "
            f"oracle in every variant: {report.explanation()}"
        )
    if report.signature.kind is MatchKind.EXACT and not force:
        names = ", ".join(report.signature.names)
        raise AgentbenchError(
            f"{where} has the signature of lazy fix {names}; learn it all the same with --force"
        )
