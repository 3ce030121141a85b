"""Telemetry of the district heating."""

from .digest import digest, heat
from .intake import intake

__all__ = ["digest", "heat", "intake"]
