"""How strong an oracle is: the share of mutants of the correct fixes that it rejects."""

import json
from collections.abc import Iterator, Sequence

import docker
from pydantic import BaseModel, ConfigDict

from ..bank import Family, read_record
from ..engine import ImageInfo, write_whole
from ..errors import AgentbenchError
from .known import KnownRun, KnownTree, run_known
from .mutants import Mutant, mutants_of
from .repeats import Tick

AIM = 0.95
"""Of the mutants that nobody judged equivalent, at least this share must be rejected."""
EQUIVALENT_NAME, STRENGTH_NAME = "equivalent.json", "strength.json"
_BATCH = 40
_STEP_SECONDS = 1.0
_TREE_SECONDS = 30.0


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Equivalent(_Frozen):
    """A mutant that somebody judged to be as right as the fix."""

    id: str
    fix: str
    path: str
    diff: str
    reason: str


class EquivalentFile(_Frozen):
    """`equivalent.json`."""

    canary: str
    equivalents: tuple[Equivalent, ...] = ()


class Survivor(_Frozen):
    """A mutant that is taken for right."""

    id: str
    fix: str
    path: str
    diff: str


class Strength(_Frozen):
    """What came of the mutants of a family's correct fixes."""

    canary: str
    oracle_hash: str
    mutants: int
    rejected: int
    """By a trial or by the visible suite."""
    by_trials: int
    """Time-outs and crashes among them."""
    by_visible: int
    """Already rejected by the visible suite."""
    timed_out: int
    equivalent: int
    """Not rejected, and judged to be as right as the fix."""
    survivors: tuple[Survivor, ...]
    stale: tuple[str, ...] = ()
    """Judged equivalent, but rejected, or no mutant any more."""

    @property
    def of(self) -> int:
        """The mutants that nobody judged equivalent."""
        return self.mutants - self.equivalent

    @property
    def share(self) -> float:
        """The share of them that is rejected; 0 without any."""
        return self.rejected / self.of if self.of else 0.0

    @property
    def reached(self) -> bool:
        """Whether the share is what it must be."""
        return self.share >= AIM


def all_mutants(family: Family) -> list[Mutant]:
    """The mutants of every correct fix."""
    fixes = family.fixes("correct")
    return [mutant for name, fix in fixes.items() for mutant in mutants_of(name, fix.files)]


def measure_strength(
    client: docker.DockerClient, image: ImageInfo, family: Family, mutants: Sequence[Mutant], tick: Tick
) -> Strength:
    """Try every mutant on the pinned trials, up to its first disagreement, and on the visible suite."""
    runs = dict(_runs(client, image, family, mutants, tick))
    judged = {item.id: item for item in read_equivalent(family).equivalents}
    unrejected = [mutant for mutant in mutants if not _rejected(runs[mutant.id])]
    survivors = [mutant for mutant in unrejected if mutant.id not in judged]
    return Strength(
        canary=family.oracle.canary,
        oracle_hash=family.oracle_hash(),
        mutants=len(mutants),
        rejected=len(mutants) - len(unrejected),
        by_trials=sum(_wrong(run) for run in runs.values()),
        by_visible=sum(not run.visible_green for run in runs.values()),
        timed_out=sum(bool(run.timed_out) or run.ended == "out of time" for run in runs.values()),
        equivalent=len(unrejected) - len(survivors),
        survivors=tuple(Survivor(id=m.id, fix=m.fix, path=m.path, diff=m.diff) for m in survivors),
        stale=tuple(sorted({*judged} - {mutant.id for mutant in unrejected})),
    )


def _wrong(run: KnownRun) -> bool:
    return bool(run.disagreeing) or bool(run.ended)


def _rejected(run: KnownRun) -> bool:
    return _wrong(run) or not run.visible_green


def _runs(
    client: docker.DockerClient, image: ImageInfo, family: Family, mutants: Sequence[Mutant], tick: Tick
) -> Iterator[tuple[str, KnownRun]]:
    variant, fixes = family.variant(), family.fixes("correct")
    for start in range(0, len(mutants), _BATCH):
        trees = [
            KnownTree(m.id, variant.apply({**fixes[m.fix].files, m.path: m.code.encode()}))
            for m in mutants[start : start + _BATCH]
        ]
        result = run_known(
            client,
            image,
            variant,
            trees,
            seeds=[family.oracle.seed],
            trials_per_seed=family.oracle.trials,
            stop_at_first=True,
            visible=True,
            step_seconds=_STEP_SECONDS,
            tree_seconds=_TREE_SECONDS,
        )
        yield from ((run.name, run) for run in result.runs)
        tick(f"{family.id} {min(start + _BATCH, len(mutants))} of {len(mutants)} mutants")


def read_equivalent(family: Family) -> EquivalentFile:
    """The mutants judged equivalent. Raises AgentbenchError if the record cannot be read."""
    path = family.hidden_folder / EQUIVALENT_NAME
    if not path.is_file():
        return EquivalentFile(canary=family.oracle.canary)
    return read_record(EquivalentFile, path, "a record of equivalent mutants", "restore it")


def judge_equivalent(family: Family, mutants: Sequence[Mutant], ids: Sequence[str], reason: str) -> None:
    """Record mutants as equivalent, for one reason. Raises AgentbenchError for an id that no mutant has."""
    known = {mutant.id: mutant for mutant in mutants}
    unknown = [name for name in ids if name not in known]
    if unknown:
        raise AgentbenchError(
            f"family {family.id} has no mutant {unknown[0]}; `agentbench strength {family.id}` lists them"
        )
    before = {item.id: item for item in read_equivalent(family).equivalents}
    for name in ids:
        mutant = known[name]
        before[name] = Equivalent(id=name, fix=mutant.fix, path=mutant.path, diff=mutant.diff, reason=reason)
    ordered = sorted(before.values(), key=lambda item: (item.fix, item.path, item.id))
    _write(family, EQUIVALENT_NAME, EquivalentFile(canary=family.oracle.canary, equivalents=tuple(ordered)))


def record_strength(family: Family, strength: Strength) -> None:
    """Keep the result beside the oracle."""
    _write(family, STRENGTH_NAME, strength)


def read_strength(family: Family) -> Strength | None:
    """The recorded result, None if there is none for this oracle."""
    try:
        found = Strength.model_validate(json.loads((family.hidden_folder / STRENGTH_NAME).read_bytes()))
    except (OSError, ValueError):
        return None
    return found if found.oracle_hash == family.oracle_hash() else None


def _write(family: Family, name: str, model: BaseModel) -> None:
    write_whole(family.hidden_folder / name, f"{model.model_dump_json(indent=1)}\n".encode())
