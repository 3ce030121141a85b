"""Whether a model can be run on some families, found before anything is started."""

import functools
from collections.abc import Callable, Iterable

from inspect_ai.model import Model

from inspect_agentbench.bank import Family
from inspect_agentbench.models import ServerIdentity, check_model
from inspect_agentbench.replay import ReplayAPI, check_script


def check_usable(model: Model, families: Callable[[], Iterable[Family]]) -> ServerIdentity | None:
    """Who serves the model; None if there is no server to ask.

    Raises AgentbenchError for a server that is absent or lacks the model, and for a script that one of
    the families cannot play. Only a script needs the families, so only then is a bank read.
    """
    if isinstance(model.api, ReplayAPI):
        check_script(model.name, families())
    return _asked_server(model, str(model.api.base_url))


@functools.lru_cache(maxsize=32)
def _asked_server(model: Model, address: str) -> ServerIdentity | None:
    """One question for each model, address and process; a failure is not remembered."""
    return check_model(model)
