"""Model servers: whether one is there, which model it serves, and how it says that the context is full."""

from inspect_agentbench.models.context import is_context_overflow
from inspect_agentbench.models.host import host
from inspect_agentbench.models.identity import ServerIdentity, context_warning
from inspect_agentbench.models.preflight import check_model

__all__ = ["ServerIdentity", "check_model", "context_warning", "host", "is_context_overflow"]
