"""Which predicted wrong fix a pattern of disagreements is."""

from collections.abc import Mapping, Sequence
from enum import StrEnum

from pydantic import BaseModel, ConfigDict

from ..bank import Family, read_record

NEAREST_OVERLAP = 0.5
"""Below this overlap of the sets a pattern is nobody's neighbour: it is unknown."""


class RecordedSignature(BaseModel):
    """The trials of the pinned seed that a lazy fix gets wrong, as the tool recorded them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    trials: tuple[int, ...]


class SignatureFile(BaseModel):
    """`signatures.json`: by variant and lazy fix, valid for one state of the oracle."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    canary: str
    oracle_hash: str
    variants: dict[str, dict[str, RecordedSignature]]


class MatchKind(StrEnum):
    """How well a pattern fits a known lazy fix."""

    NONE = "none"
    """No trial disagrees."""
    EXACT = "exact"
    """The same set of trials."""
    COUNT = "count"
    """Another set of the same size."""
    NEAREST = "nearest"
    """Neither, but the sets overlap."""
    UNKNOWN = "unknown"
    """A wrong fix that nobody predicted."""


class SignatureMatch(BaseModel):
    """The known lazy fix that a submission's disagreements look like."""

    model_config = ConfigDict(frozen=True)

    kind: MatchKind
    names: tuple[str, ...] = ()
    """More than one when several lazy fixes share the pattern."""
    overlap: float = 0.0
    """Jaccard index of the two sets of disagreeing trials."""

    def __str__(self) -> str:
        names = " or ".join(f"`{name}`" for name in self.names)
        return {
            MatchKind.NONE: "no disagreement",
            MatchKind.EXACT: f"exactly lazy fix {names}",
            MatchKind.COUNT: f"as many as lazy fix {names}, overlap {self.overlap:.0%}",
            MatchKind.NEAREST: f"nearest to lazy fix {names}, overlap {self.overlap:.0%}",
            MatchKind.UNKNOWN: "no known lazy fix",
        }[self.kind]


def read_signatures(family: Family, variant: str) -> dict[str, RecordedSignature]:
    """The recorded signatures of a variant; empty when none were recorded for this oracle.

    Raises AgentbenchError when the file is there but cannot be read.
    """
    path = family.signatures_path
    if not path.is_file():
        return {}
    way_out = f"run `agentbench signatures {family.id}`"
    recorded = read_record(SignatureFile, path, "a signature file", way_out)
    if recorded.oracle_hash != family.oracle_hash():
        return {}
    return recorded.variants.get(variant, {})


def match(disagreeing: Sequence[int], known: Mapping[str, RecordedSignature]) -> SignatureMatch:
    """The closest known lazy fix: same set, else same count, else largest overlap, else unknown."""
    wrong = frozenset(disagreeing)
    if not wrong:
        return SignatureMatch(kind=MatchKind.NONE)
    sets = {name: frozenset(signature.trials) for name, signature in known.items()}
    exact = tuple(sorted(name for name, trials in sets.items() if trials == wrong))
    if exact:
        return SignatureMatch(kind=MatchKind.EXACT, names=exact, overlap=1.0)
    overlaps = {name: len(wrong & trials) / len(wrong | trials) for name, trials in sets.items()}
    same_size = {name: overlaps[name] for name, trials in sets.items() if len(trials) == len(wrong)}
    if same_size:
        return _closest(MatchKind.COUNT, same_size)
    if overlaps and max(overlaps.values()) >= NEAREST_OVERLAP:
        return _closest(MatchKind.NEAREST, overlaps)
    return SignatureMatch(kind=MatchKind.UNKNOWN)


def _closest(kind: MatchKind, overlaps: Mapping[str, float]) -> SignatureMatch:
    best = max(overlaps.values())
    names = tuple(sorted(name for name, overlap in overlaps.items() if overlap == best))
    return SignatureMatch(kind=kind, names=names, overlap=best)
