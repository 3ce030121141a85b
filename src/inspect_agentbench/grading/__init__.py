"""Grading: judge, rooms, wire format, comparison, verdict, signature. Knows docker, not Inspect.

The one rule: candidate code can only send answers, and answers can only be right or wrong.
"""

from .grade import Grading, grade
from .judge import Pins, make_cases
from .report import GradeReport
from .signature import MatchKind, SignatureMatch
from .sources import grader_hash
from .visible import run_visible_suite

__all__ = [
    "GradeReport",
    "Grading",
    "MatchKind",
    "Pins",
    "SignatureMatch",
    "grade",
    "grader_hash",
    "make_cases",
    "run_visible_suite",
]
