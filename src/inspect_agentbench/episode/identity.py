"""Which variant a conversation is about.

The first user message carries it as metadata. Metadata is never sent to a model's server, survives any
solver, and is in the log; so set-up, agent and replay model need nothing else.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from inspect_ai.model import ChatMessage

from ..bank import Bank, Variant, default_bank, load_bank
from ..errors import AgentbenchError

_KEY = "agentbench"


def identity(variant: Variant, bank: str | None) -> dict[str, Any]:
    """Message metadata that names the variant; `bank` is the folder of a bank of one's own."""
    return {_KEY: {"family": variant.family.id, "variant": variant.name, "bank": bank}}


def variant_of(messages: Iterable[ChatMessage]) -> Variant:
    """The variant that the conversation is about. Raises AgentbenchError if none is named."""
    for message in messages:
        named = (message.metadata or {}).get(_KEY)
        if message.role == "user" and isinstance(named, dict):
            return _bank(named.get("bank")).family(str(named.get("family"))).variant(named.get("variant"))
    raise AgentbenchError(
        "this sample is none of inspect_agentbench's: no user message names a family; "
        "use its solver, its set-up and the replay models with its own tasks"
    )


def _bank(folder: str | None) -> Bank:
    return load_bank(Path(folder)) if folder else default_bank()
