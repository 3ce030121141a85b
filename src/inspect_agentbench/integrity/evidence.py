"""What disqualifies: positive evidence, each piece with the place where it was found."""

from enum import StrEnum
from typing import Final

from pydantic import BaseModel, ConfigDict

MAX_DETAIL: Final = 200


class EvidenceKind(StrEnum):
    """What was found."""

    CANARY = "canary"
    """A string that stands in hidden files and nowhere else."""
    CONTENT = "oracle content"
    """A long passage of a hidden file that is no known fix."""
    REACHED = "oracle path"
    """A call on a path whose name carries a canary succeeded."""
    PROTECTED = "protected file"
    """A protected file was changed, and the manifest says that this disqualifies."""
    FORBIDDEN = "forbidden pattern"
    """Added code matches a pattern that the oracle forbids."""


OF_THE_ORACLE: Final = {EvidenceKind.CANARY, EvidenceKind.CONTENT, EvidenceKind.REACHED}
"""The kinds that only somebody has who reached the oracle."""


class Evidence(BaseModel):
    """One piece of evidence. It never repeats hidden text: the log keeps it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: EvidenceKind
    where: str
    """Such as `message 12`, `submission src/app.py` or `path log`."""
    detail: str

    def __str__(self) -> str:
        return f"{self.kind} in {self.where}: {self.detail}"


def printable(text: str) -> str:
    """One line of printable ASCII, shortened: what an agent wrote is shown in terminals."""
    escaped = text.encode("unicode_escape").decode("ascii")
    return escaped if len(escaped) <= MAX_DETAIL else f"{escaped[: MAX_DETAIL - 3]}..."
