"""The committed record of rejections: the rejected are as telling as the admitted."""

from pathlib import Path

from pydantic import BaseModel, ConfigDict

from ..bank import read_record
from ..engine import write_whole
from .reasons import Reason
from .report import GateReport

REJECTIONS_NAME = "rejections.json"


class Rejection(BaseModel):
    """One family turned away once."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    family: str
    version: int
    reasons: tuple[Reason, ...]
    date: str
    first: str
    """Where and what, of the first reason."""


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    rejections: tuple[Rejection, ...] = ()


def read_rejections(root: Path) -> tuple[Rejection, ...]:
    """The rejections of a bank, oldest first. Raises AgentbenchError if the record cannot be read."""
    path = root / REJECTIONS_NAME
    if not path.exists():
        return ()
    way_out = "restore it from version control"
    return read_record(_Record, path, "a record of rejections", way_out).rejections


def record_rejections(root: Path, report: GateReport) -> int:
    """Add what this report rejects to the bank's record, each state of a family once; how many are new."""
    before = read_rejections(root)
    known = {(r.family, r.version, r.reasons) for r in before}
    new = [
        Rejection(
            family=family.family,
            version=family.version,
            reasons=family.codes,
            date=report.date,
            first=f"{family.reasons[0].where}: {family.reasons[0].detail}",
        )
        for family in report.families
        if family.reasons and (family.family, family.version, family.codes) not in known
    ]
    if new:
        text = _Record(rejections=(*before, *new)).model_dump_json(indent=1)
        write_whole(root / REJECTIONS_NAME, f"{text}\n".encode())
    return len(new)
