"""An Inspect AI evaluation suite for coding agents; see README.md and docs/."""

__version__ = "0.1.0"
