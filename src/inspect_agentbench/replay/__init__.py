"""The embedded models: scripts that play through the real tools, with no server and no weights."""

from .model import ReplayAPI
from .scripts import SCRIPTS, check_script

__all__ = ["SCRIPTS", "ReplayAPI", "check_script"]
