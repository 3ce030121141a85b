"""Hands over what was written to the harbour's logs since the last time somebody asked."""

__version__ = "0.5.1"
