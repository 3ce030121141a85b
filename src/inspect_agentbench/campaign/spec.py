"""A campaign's file: what is compared, on what, how often, and what is held equal."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from inspect_agentbench.bank import Bank, Variant
from inspect_agentbench.episode import PromptStyle
from inspect_agentbench.errors import AgentbenchError
from inspect_agentbench.options import TaskOptions

_FACTORS = tuple(name for name in TaskOptions.model_fields if name not in ("variant", "allow_unfrozen"))


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ModelEntry(_Strict):
    """One model, as Inspect names it."""

    model: str
    args: dict[str, Any] = Field(default_factory=dict)
    """Inspect's `-M`."""
    base_url: str | None = None


class Controls(_Strict):
    """What is equal in every episode. What is not set is the server's or the suite's default."""

    prompt: PromptStyle = "original"
    completion_check: bool = False
    turns: int | None = Field(default=None, ge=1)
    seconds: int | None = Field(default=None, ge=1)
    tool_calls: int | None = Field(default=None, ge=1)
    temperature: float | None = Field(default=None, ge=0)
    top_p: float | None = Field(default=None, gt=0, le=1)
    seed: int | None = None
    """Run k of a sample gets the seed plus k - 1."""
    max_tokens: int | None = Field(default=None, ge=1)
    reasoning_effort: Literal["none", "minimal", "low", "medium", "high"] | None = None
    """`none` switches reasoning off, where the server can."""
    reasoning_tokens: int | None = Field(default=None, ge=0)
    max_connections: int | None = Field(default=None, ge=1)
    max_retries: int | None = Field(default=None, ge=0)
    """Of a request to the model."""
    retry_on_error: int = Field(default=1, ge=0)
    """How often an errored episode is run again at once."""

    def task_options(self) -> dict[str, Any]:
        """Those that are options of a task."""
        return {name: v for name in _FACTORS if (v := getattr(self, name)) is not None}

    def generation(self) -> dict[str, Any]:
        """Those that are Inspect's settings of generation."""
        names = ("temperature", "top_p", "seed", "max_tokens", "reasoning_effort", "reasoning_tokens")
        more = ("max_connections", "max_retries")
        return {name: v for name in (*names, *more) if (v := getattr(self, name)) is not None}


class Campaign(_Strict):
    """The whole file."""

    name: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")
    kind: Literal["comparison", "panel"] = "comparison"
    models: tuple[ModelEntry, ...] = Field(min_length=1)
    """Each a name, or a mapping with `model`, `args` and `base_url`."""
    solvers: tuple[str, ...] = ("",)
    """Other agents, as Inspect's `--solver` names them; an empty string is the suite's own."""
    bank: str | None = None
    """Folder of a bank of one's own, relative to the campaign's file."""
    families: Literal["scored", "all"] | tuple[str, ...] = "scored"
    """`scored`: those whose default variant is; `all`: the smoke ones too."""
    variants: dict[str, str] = Field(default_factory=dict)
    """By family, where it is not the default one."""
    runs: int = Field(default=3, ge=1)
    factors: dict[str, tuple[Any, ...]] = Field(default_factory=dict)
    """Task options that are varied on purpose, each with its values."""
    controls: Controls = Controls()
    shuffle_seed: int = 1
    """Of the order of the families within a block."""

    @field_validator("models", mode="before")
    @classmethod
    def _names(cls, given: Any) -> Any:
        entries = given if isinstance(given, list | tuple) else [given]
        return [{"model": entry} if isinstance(entry, str) else entry for entry in entries]

    @field_validator("factors")
    @classmethod
    def _known(cls, given: dict[str, tuple[Any, ...]]) -> dict[str, tuple[Any, ...]]:
        for name, values in given.items():
            if name not in _FACTORS:
                raise ValueError(f"{name} is no factor; factors are {', '.join(_FACTORS)}")
            if len(set(map(str, values))) < 2:
                raise ValueError(f"factor {name} has one value; make it a control")
            for value in values:
                TaskOptions.model_validate({name: value})
        return given

    @property
    def hash(self) -> str:
        """SHA-256 of everything that the file says."""
        return _hash(self.model_dump(mode="json"))

    @property
    def held(self) -> dict[str, Any]:
        """The controls without what is a factor."""
        return {k: v for k, v in self.controls.model_dump(mode="json").items() if k not in self.factors}

    @property
    def held_hash(self) -> str:
        """SHA-256 of the held controls."""
        return _hash(self.held)


def _hash(data: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()


def read_campaign(path: Path) -> Campaign:
    """The campaign of a file. Raises AgentbenchError that names every mistake with its field."""
    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise AgentbenchError(
            f"{path} cannot be read ({error.strerror}); name a campaign's YAML file"
        ) from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise AgentbenchError(f"{path} is no YAML: {' '.join(str(error).split())}") from None
    if not isinstance(data, dict):
        raise AgentbenchError(f"{path} holds no mapping; begin with `name:` and `models:`")
    try:
        campaign = Campaign.model_validate(data)
    except ValidationError as error:
        raise AgentbenchError(f"{path}: {'; '.join(_mistake(dict(e)) for e in error.errors())}") from None
    if campaign.bank and not Path(campaign.bank).is_absolute():
        return campaign.model_copy(update={"bank": str((path.parent / campaign.bank).resolve())})
    return campaign


def _mistake(error: Mapping[str, Any]) -> str:
    place = ".".join(str(part) for part in error["loc"])
    if error["type"] == "extra_forbidden":
        return f"unknown field {place}"
    message = str(error["msg"]).removeprefix("Value error, ")
    return f"{place}: {message[0].lower()}{message[1:]}"


def check_against_bank(campaign: Campaign, bank: Bank) -> list[Variant]:
    """The variants that are run. Raises AgentbenchError for what the bank does not have.

    A panel needs a prediction on file for each of them, written before it runs.
    """
    chosen = _families(campaign, bank)
    if strangers := sorted(campaign.variants.keys() - set(chosen)):
        raise AgentbenchError(f"variants: {', '.join(strangers)} is not among the campaign's families")
    found = [bank.family(name).variant(campaign.variants.get(name)) for name in chosen]
    if not found:
        raise AgentbenchError(f"no family of {bank.root} is {campaign.families}; name families")
    if campaign.kind == "panel":
        missing = [f"{v.family.id} {v.name}" for v in found if v.prediction() is None]
        if missing:
            raise AgentbenchError(
                f"a panel needs predictions on file; write solve_rate and why into predictions.toml of "
                f"{', '.join(missing)} before any model runs"
            )
    return found


def _families(campaign: Campaign, bank: Bank) -> list[str]:
    if isinstance(campaign.families, tuple):
        return list(dict.fromkeys(campaign.families))
    wanted = {"scored"} if campaign.families == "scored" else {"scored", "smoke"}
    return [
        name for name, f in bank.families.items() if f.variant(campaign.variants.get(name)).label in wanted
    ]
