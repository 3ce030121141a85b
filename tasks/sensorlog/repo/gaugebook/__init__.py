"""What the gauges on the moor did, from the file that everybody appends to."""

from gaugebook.series import summarize

__all__ = ["summarize"]
