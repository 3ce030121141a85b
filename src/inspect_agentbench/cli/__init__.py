"""The command line `agentbench`."""

from .main import main

__all__ = ["main"]
