"""Reading back a file that the tool wrote."""

import json
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from ..errors import AgentbenchError

_M = TypeVar("_M", bound=BaseModel)


def read_record(kind: type[_M], path: Path, what: str, way_out: str) -> _M:
    """The model in a JSON file.

    Raises AgentbenchError, `PATH: not WHAT (why); WAY OUT`, if it cannot be read as one.
    """
    try:
        return kind.model_validate(json.loads(path.read_bytes()))
    except (OSError, ValueError, ValidationError) as error:
        raise AgentbenchError(f"{path}: not {what} ({type(error).__name__}); {way_out}") from None
