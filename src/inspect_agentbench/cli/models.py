"""Opening a model by name, with one line where that does not work."""

import contextlib
import re
import sys

from inspect_ai.model import get_model

from inspect_agentbench.bank import default_bank
from inspect_agentbench.errors import AgentbenchError
from inspect_agentbench.models import ServerIdentity
from inspect_agentbench.usable import check_usable

_MARKUP = re.compile(r"\[/?[a-z]+\]")


def usable_model(name: str) -> ServerIdentity | None:
    """Who serves the model; None if there is no server to ask. Raises AgentbenchError."""
    try:
        with contextlib.redirect_stdout(sys.stderr):  # Inspect greets whoever has hooks
            model = get_model(name)
    except Exception as error:  # a provider's own complaint, whatever its class
        said = " ".join(_MARKUP.sub("", str(error)).split())
        raise AgentbenchError(
            f"model {name}: Inspect cannot make it: {said or type(error).__name__}"
        ) from error
    return check_usable(model, lambda: default_bank().families.values())
