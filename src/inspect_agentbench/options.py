"""The options of a task (`-T name=value`), checked: Inspect itself passes over a misspelt one."""

from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from inspect_agentbench.episode import SECONDS, TURNS, PromptStyle
from inspect_agentbench.errors import AgentbenchError


class TaskOptions(BaseModel):
    """What `-T` may set on every task; all are held controls of a comparison."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    variant: str | None = None
    """The variant; by default the manifest's."""
    prompt: PromptStyle = "original"
    completion_check: bool = False
    """Whether a claim `done` is refused while the visible suite is red."""
    turns: int = Field(default=TURNS, ge=1, le=10_000)
    seconds: int = Field(default=SECONDS, ge=1, le=1_000_000)
    tool_calls: int | None = Field(default=None, ge=1, le=1_000_000)
    allow_unfrozen: bool = False
    """Run although the bank does not match its lock; the log is marked."""


class BankOptions(TaskOptions):
    """What `-T` may set on the task `bank`."""

    family: str | None = None
    """Families by name, separated by commas, each also as FAMILY:VARIANT; by default all not retired."""
    bank: str | None = None
    """The folder of a bank of one's own."""


_O = TypeVar("_O", bound=TaskOptions)


def read_options(task: str, given: Mapping[str, Any]) -> TaskOptions:
    """The options of a family's task. Raises AgentbenchError that names every mistake."""
    return _read(TaskOptions, task, given)


def read_bank_options(given: Mapping[str, Any]) -> BankOptions:
    """The options of the task `bank`; a list of families may come as a YAML list."""
    family = given.get("family")
    if isinstance(family, list):
        given = {**given, "family": ",".join(map(str, family))}
    return _read(BankOptions, "bank", given)


def _read(kind: type[_O], task: str, given: Mapping[str, Any]) -> _O:
    try:
        return kind.model_validate(dict(given))
    except ValidationError as error:
        mistakes = "; ".join(_mistake(kind, dict(e)) for e in error.errors())
        raise AgentbenchError(f"task {task}: {mistakes}") from None


def _mistake(kind: type[TaskOptions], error: Mapping[str, Any]) -> str:
    name = ".".join(str(part) for part in error["loc"])
    if error["type"] == "extra_forbidden":
        return f"unknown option {name!r}; options are {', '.join(kind.model_fields)}"
    message = str(error["msg"])
    return f"option {name}={error['input']!r}: {message[0].lower()}{message[1:]}"
