"""Known fixes on fresh trials: correct ones must agree on all, lazy ones must often enough disagree."""

import math
import random
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import docker

from ..bank import Family, FixKind
from ..engine import ImageInfo
from ..grading.signature import read_signatures
from .contract import Contract
from .judging import suspect
from .known import KnownRun, KnownTree, run_known
from .power import detection_power
from .reasons import Finding, Reason
from .repeats import Repeats, Tick
from .report import DetectionPower, Fraction, FreshRun


class Fresh(NamedTuple):
    """What fresh trials showed of a family."""

    correct: tuple[FreshRun, ...]
    power: tuple[DetectionPower, ...]
    making_seconds: float
    findings: tuple[Finding, ...]


def fresh_seeds(seed: int, family: Family, trials: int) -> list[int]:
    """So many seeds, none of them the pinned one, that each gives a whole set of trials."""
    wanted = math.ceil(trials / family.oracle.trials)
    drawn = random.Random(f"{seed}:{family.id}").sample(range(2**31), wanted + 1)
    return [number for number in drawn if number != family.oracle.seed][:wanted]


def try_fresh_trials(
    client: docker.DockerClient,
    image: ImageInfo,
    family: Family,
    repeats: Sequence[Repeats],
    contract: Contract,
    seed: int,
    tick: Tick,
) -> Fresh:
    """Run the correct fixes on the contract's number of fresh trials, and the lazy ones on fewer."""
    seeds = fresh_seeds(seed, family, contract.fresh_trials)
    making, correct = _run(client, image, family, "correct", seeds)
    tick(f"{family.id} fresh trials of correct fixes")
    power = lazy_power(client, image, family, contract, seed, _pinned(repeats))
    tick(f"{family.id} fresh trials of lazy fixes")
    findings = (*_disagreements(family, correct), *_weak(family, power, contract))
    return Fresh(tuple(map(_as_run, correct)), power, making, findings)


def lazy_power(
    client: docker.DockerClient,
    image: ImageInfo,
    family: Family,
    contract: Contract,
    seed: int,
    pinned: Mapping[str, Fraction] | None = None,
) -> tuple[DetectionPower, ...]:
    """How surely a fresh seed finds each lazy fix; `pinned` is by default what is recorded."""
    known = pinned if pinned is not None else _recorded(family)
    _, runs = _run(client, image, family, "lazy", fresh_seeds(seed, family, contract.power_trials))
    return tuple(
        detection_power(
            run.name,
            known.get(run.name, Fraction(count=0, of=family.oracle.trials)),
            Fraction(count=len(run.disagreeing), of=run.trials),
            family.oracle.trials,
            contract.miss_probability,
        )
        for run in runs
    )


def _recorded(family: Family) -> dict[str, Fraction]:
    signatures = read_signatures(family, family.manifest.default_variant)
    return {
        name: Fraction(count=len(signature.trials), of=family.oracle.trials)
        for name, signature in signatures.items()
    }


def _run(
    client: docker.DockerClient, image: ImageInfo, family: Family, kind: FixKind, seeds: list[int]
) -> tuple[float, Sequence[KnownRun]]:
    variant = family.variant()
    trees = [KnownTree(name, variant.apply(fix.files)) for name, fix in family.fixes(kind).items()]
    result = run_known(client, image, variant, trees, seeds=seeds, trials_per_seed=family.oracle.trials)
    return result.making_seconds, result.runs


def _pinned(repeats: Sequence[Repeats]) -> dict[str, Fraction]:
    return {
        item.fix.name: Fraction(count=len(trials.disagreeing), of=trials.total)
        for item in repeats
        if item.fix and item.fix.kind == "lazy"
        for trials in [item.rooms[0].judged.trials]
    }


def _as_run(run: KnownRun) -> FreshRun:
    disagreeing = Fraction(count=len(run.disagreeing), of=run.trials)
    return FreshRun(fix=run.name, disagreeing=disagreeing, seconds=round(run.seconds, 2))


def _disagreements(family: Family, runs: Sequence[KnownRun]) -> list[Finding]:
    findings = []
    for run in runs:
        if run.ended:
            where, detail = f"correct/{run.name}", f"was not tried to the end: {run.ended}"
            findings.append(Finding(family.id, Reason.FRESH_DISAGREEMENT, where, detail))
        if run.disagreeing:
            seed, number = run.disagreeing[0]
            first = f"; expected {run.first.expected}, got {run.first.got}" if run.first else ""
            findings.append(
                Finding(
                    family.id,
                    Reason.FRESH_DISAGREEMENT,
                    f"correct/{run.name}",
                    f"{len(run.disagreeing)} of {run.trials}, first: seed {seed} trial {number}{first}",
                )
            )
    for place, one in enumerate(runs):
        for other in runs[place + 1 :]:
            shared = sorted({*one.disagreeing} & {*other.disagreeing})
            names = [f"{seed}:{number}" for seed, number in shared]
            findings += suspect(family, f"correct/{one.name} and correct/{other.name}, fresh", names)
    return findings


def _weak(family: Family, power: Sequence[DetectionPower], contract: Contract) -> list[Finding]:
    return [
        Finding(
            family.id,
            Reason.DETECTION_WEAK,
            f"lazy/{found.fix}",
            f"{found.fresh} fresh trials disagree, so a fresh seed misses it with probability up to "
            f"{found.miss_probability:.1e}; {found.trials_needed or 'no number of'} trials would do, "
            f"or a generator that comes to it more often",
        )
        for found in power
        if found.miss_probability >= contract.miss_probability
    ]
