"""Evidence about an episode: transcript, submission, path log, and what was left in the container."""

from .evidence import Evidence, EvidenceKind
from .hidden import Hidden, hidden_of
from .report import NO_EPISODE, IntegrityReport, PathCount, PathLogReport, integrity_report
from .submitted import submission_evidence

__all__ = [
    "NO_EPISODE",
    "Evidence",
    "EvidenceKind",
    "Hidden",
    "IntegrityReport",
    "PathCount",
    "PathLogReport",
    "hidden_of",
    "integrity_report",
    "submission_evidence",
]
