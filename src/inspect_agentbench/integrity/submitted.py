"""Evidence in a submission itself, whoever hands it in."""

from collections.abc import Iterator

from inspect_agentbench.bank import Variant
from inspect_agentbench.submission import Submission

from .evidence import Evidence, EvidenceKind, printable
from .forbidden import forbidden_code
from .hidden import hidden_of


def submission_evidence(variant: Variant, submission: Submission) -> Iterator[Evidence]:
    """What disqualifies in the files that changed: hidden material, forbidden code, protected files."""
    family = variant.family
    before = variant.editable_files(variant.tree())
    hidden = hidden_of((family,))
    for path, content in sorted(submission.files.items()):
        if before.get(path) != content:
            text = f"{path}\n{content.decode('utf-8', 'replace')}"
            yield from hidden.evidence(f"submission {printable(path)}", text)
    yield from forbidden_code(family.oracle.forbidden, before, submission.files)
    if family.manifest.protected_disqualifies:
        for path in submission.protected:
            yield Evidence(
                kind=EvidenceKind.PROTECTED, where="repository", detail=f"{path} was changed or removed"
            )
