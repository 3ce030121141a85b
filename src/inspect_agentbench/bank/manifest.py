"""What a family says about itself: `family.toml` and the hidden `oracle.toml`.

Both are frozen models that refuse unknown fields. `read_model` reports every mistake of a file at
once, so that an author mends a manifest in one go.
"""

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]*$", max_length=40)]
Label = Literal["scored", "smoke", "retired"]


class Problem(NamedTuple):
    """One mistake in a bank."""

    where: str
    """The file, relative to the bank."""
    field: str
    message: str

    def __str__(self) -> str:
        return (
            f"{self.where}: {self.field}: {self.message}" if self.field else f"{self.where}: {self.message}"
        )


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Lane(_Frozen):
    """Who wrote the family. A model that helped is never scored on it."""

    authors: tuple[str, ...] = Field(min_length=1, strict=False)
    assistance: tuple[str, ...] = Field(default=(), strict=False)


class VariantEntry(_Frozen):
    """One way of telling the family; entries stand in order of hints given, most first."""

    name: Name
    label: Label
    calibration: str = "none"
    """`none`, or the record of the panel that calibrated the variant."""


class FamilyManifest(_Frozen):
    """`tasks/<family>/family.toml`."""

    id: Name
    version: int = Field(ge=1)
    title: str = Field(min_length=1, max_length=100)
    invariant: str = Field(min_length=1)
    """The behaviour that was right and must stay, in one sentence."""
    lever: str = Field(min_length=1)
    """The fact about the platform; never shown to an agent."""
    entry_points: tuple[str, ...] = Field(min_length=1, strict=False)
    import_root: str = "."
    """The folder of the tree that comes first on `sys.path`."""
    editable: tuple[str, ...] = Field(min_length=1, strict=False)
    """Git-style patterns of what is collected from the agent."""
    protected: tuple[str, ...] = Field(default=(), strict=False)
    """Git-style patterns of files whose change is recorded; their pristine copies are what counts."""
    protected_disqualifies: bool = False
    test_paths: tuple[str, ...] = Field(default=("tests",), min_length=1, strict=False)
    default_variant: Name
    lane: Lane
    variants: tuple[VariantEntry, ...] = Field(min_length=1, strict=False)

    @field_validator("entry_points")
    @classmethod
    def _entry_points_name_a_function(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for entry in value:
            if entry.count(":") != 1 or not all(entry.split(":")):
                raise ValueError(f"{entry!r} is not of the form module:function")
        return value

    @field_validator("variants")
    @classmethod
    def _variant_names_are_unique(cls, value: tuple[VariantEntry, ...]) -> tuple[VariantEntry, ...]:
        names = [entry.name for entry in value]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"variants named twice: {', '.join(twice)}")
        return value


class Tolerance(_Frozen):
    """Numeric tolerance: |expected - got| <= max(absolute, relative * |expected|), type for type."""

    relative: float = Field(default=0.0, ge=0.0, allow_inf_nan=False)
    absolute: float = Field(default=0.0, ge=0.0, allow_inf_nan=False)


Comparison = Literal["exact", "property"] | Tolerance


class OracleSettings(_Frozen):
    """`oracles/<family>/oracle.toml`, never shown to an agent."""

    canary: str = Field(pattern=r"^canary-[a-z0-9_-]+-[0-9a-f]{12}$")
    version: int = Field(ge=1)
    seed: int = Field(ge=0)
    trials: int = Field(ge=1, le=10_000)
    obvious: Name
    """The lazy fix that `replay/lazy` plays."""
    step_seconds: float = Field(default=2.0, gt=0, le=20)
    """Wall time of one step."""
    comparison: Comparison = "exact"
    fixed_comparison: Literal["equal", "exact"] = "equal"
    """How a fixed case is compared: `equal` is Python's ==, as the visible tests use it."""
    forbidden: tuple[str, ...] = Field(default=(), strict=False)
    """Regular expressions that no added line of code may match."""
    groups: dict[str, int] = Field(default={})
    """Of a family built from a specification: every group of trials and their number."""
    apart: tuple[str, ...] = Field(default=(), strict=False)
    """Groups that are reported by themselves and do not count in the mean over groups."""

    @model_validator(mode="after")
    def _groups_are_all_trials(self) -> "OracleSettings":
        if self.groups and sum(self.groups.values()) != self.trials:
            raise ValueError(f"groups add up to {sum(self.groups.values())}, trials is {self.trials}")
        if any(number < 1 for number in self.groups.values()):
            raise ValueError("a group has no trial")
        unknown = sorted({*self.apart} - {*self.groups})
        if unknown:
            raise ValueError(f"apart names {', '.join(unknown)}, which groups does not")
        if self.groups and not {*self.groups} - {*self.apart}:
            raise ValueError("apart names every group, so there is none to take the mean of")
        return self


_M = TypeVar("_M", bound=_Frozen)


def read_model(kind: type[_M], path: Path, where: str) -> tuple[_M | None, Mapping[str, Any], list[Problem]]:
    """The model that a TOML file holds, its data as they stand there, and every mistake in it."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None, {}, [Problem(where, "", "is missing")]
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        return None, {}, [Problem(where, "", f"cannot be read: {error}")]
    try:
        return kind.model_validate(data), data, []
    except ValidationError as error:
        return None, data, [Problem(where, _field(e["loc"]), e["msg"]) for e in error.errors()]


def _field(location: Sequence[int | str]) -> str:
    return ".".join(str(part) for part in location)
