"""What a service will see of its environment files."""

from .layers import merge
from .reading import EnvFileError

__all__ = ["EnvFileError", "merge"]
