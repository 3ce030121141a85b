"""Reading logs for a comparison: rows and facts, and what is left out, each with its reason."""

from .collection import Collection, collect_logs
from .contradicted import without_contradicted
from .mixture import check_alike

__all__ = ["Collection", "check_alike", "collect_logs", "without_contradicted"]
