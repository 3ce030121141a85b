"""Submissions: collecting them from a frozen agent, saving them, showing what they changed."""

from .collect import collect, freeze
from .diff import Diff, diff
from .model import (
    MAX_FILE_BYTES,
    MAX_FILES,
    MAX_TOTAL_BYTES,
    Submission,
    from_data,
    from_folder,
    to_data,
)

__all__ = [
    "MAX_FILES",
    "MAX_FILE_BYTES",
    "MAX_TOTAL_BYTES",
    "Diff",
    "Submission",
    "collect",
    "diff",
    "freeze",
    "from_data",
    "from_folder",
    "to_data",
]
