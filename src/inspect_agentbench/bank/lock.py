"""The lock: the hashes that freeze a bank, in `agentbench.lock` beside its two halves.

It is JSON, sorted, one fact a line, so that a review shows what changed. A bank whose files do not match
its lock refuses to run; a bank without one is unfrozen.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping

from pydantic import BaseModel, ConfigDict

from .bank import Bank
from .family import Family
from .record import read_record

LOCK_NAME = "agentbench.lock"
LOCK_VERSION = 1


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class LockedFamily(_Frozen):
    """One family's hashes."""

    version: int
    variants: dict[str, str]
    """By variant, the hash of all that its agent is given: tree and issue text."""
    oracle: str
    trials: int
    seed: int
    signatures: str
    """SHA-256 of `signatures.json`, or `none`."""


class Lock(_Frozen):
    """`agentbench.lock`."""

    lock_version: int = LOCK_VERSION
    versions: dict[str, int]
    """Of what every agent meets whatever the family: prompt templates and tools."""
    families: dict[str, LockedFamily]
    dataset: str
    """One hash over all that agents are given."""
    oracle: str
    """One hash over all that they are not."""


def make_lock(bank: Bank, versions: Mapping[str, int]) -> Lock:
    """The lock that fits the bank's files as they are."""
    families = {name: _locked(family) for name, family in sorted(bank.families.items())}
    seen = {name: family.variants for name, family in families.items()}
    hidden = {name: (f.oracle, f.trials, f.seed, f.signatures) for name, f in families.items()}
    return Lock(
        versions=dict(versions),
        families=families,
        dataset=_hash([seen, dict(versions)]),
        oracle=_hash(hidden),
    )


def write_lock(bank: Bank, lock: Lock) -> None:
    """Put the lock beside the bank's halves."""
    text = json.dumps(lock.model_dump(mode="json"), indent=1, sort_keys=True)
    (bank.root / LOCK_NAME).write_text(f"{text}\n", encoding="utf-8")


def read_lock(bank: Bank) -> Lock | None:
    """The bank's lock; None if it has none. Raises AgentbenchError if it cannot be read."""
    path = bank.root / LOCK_NAME
    if not path.is_file():
        return None
    return read_record(Lock, path, "a lock of this version", "write it with `agentbench lock`")


def lock_differences(lock: Lock, bank: Bank, versions: Mapping[str, int]) -> list[str]:
    """What does not match, each by its name; empty for a bank that is as it was frozen."""
    return list(_differences(lock, make_lock(bank, versions)))


def _differences(lock: Lock, now: Lock) -> Iterator[str]:
    for name in sorted({*lock.versions, *now.versions}):
        if lock.versions.get(name) != now.versions.get(name):
            yield f"{name} version is {now.versions.get(name)}, locked {lock.versions.get(name)}"
    for name in sorted({*lock.families, *now.families}):
        before, after = lock.families.get(name), now.families.get(name)
        if before is None or after is None:
            yield f"family {name} is {'not in the lock' if before is None else 'gone'}"
        elif before != after:
            yield from _family_differences(name, before, after)


def _family_differences(name: str, before: LockedFamily, after: LockedFamily) -> Iterator[str]:
    for variant in sorted({*before.variants, *after.variants}):
        if before.variants.get(variant) != after.variants.get(variant):
            yield f"{name}: what the agent is given in variant {variant} changed"
    if before.oracle != after.oracle:
        yield f"{name}: the oracle changed"
    for field in ("version", "trials", "seed", "signatures"):
        if getattr(before, field) != getattr(after, field):
            yield f"{name}: {field} changed"


def _locked(family: Family) -> LockedFamily:
    path = family.signatures_path
    return LockedFamily(
        version=family.manifest.version,
        variants={name: variant.visible_hash() for name, variant in family.variants.items()},
        oracle=family.oracle_hash(),
        trials=family.oracle.trials,
        seed=family.oracle.seed,
        signatures=hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "none",
    )


def _hash(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()
