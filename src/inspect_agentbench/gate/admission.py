"""One family through the gate, stage by stage; a stage that rejects leaves out what would follow from it."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import docker

from ..bank import Family, Problem
from ..engine import ImageInfo
from ..errors import HarnessFault, OracleFault
from ..grading.cases import Cases
from ..grading.judge import make_cases, remake_cases
from .contract import Contract
from .fresh import Fresh, try_fresh_trials
from .judging import check_cases, check_verdicts, differing, overlapping
from .leaks import check_image, check_visible
from .network import Reached, check_network
from .reasons import Finding, Reason
from .repeats import Repeats, Tick, Unit, repeat_verdicts, units
from .report import FamilyAdmission, Fraction, found_reasons, median
from .structure import check_structure, problem_finding

STAGES = ("files", "cases", "verdicts", "fresh trials")


@dataclass(frozen=True)
class Gate:
    """What every family's admission shares."""

    client: docker.DockerClient
    image: ImageInfo
    contract: Contract
    fresh_seed: int
    reached: Mapping[str, Reached]
    """What the network probe found."""
    tick: Tick


class _Admission:
    """Goes through the stages and keeps what was measured."""

    def __init__(self, gate: Gate, family: Family) -> None:
        self.gate = gate
        self.family = family
        self.findings: list[Finding] = []
        self.reached = 0
        self.cases: dict[str, Cases] = {}
        self.units: list[Unit] = []
        self.repeats: list[Repeats] = []
        self.fresh: Fresh | None = None

    def run(self) -> None:
        """Every stage, until one finds something."""
        for stage in (self.check_files, self.check_cases, self.check_verdicts, self.check_fresh):
            self.findings += stage()
            self.reached += 1
            if self.findings:
                return

    def check_files(self) -> Sequence[Finding]:
        """What the files and the network show before anything of the family runs."""
        gate, family = self.gate, self.family
        return [
            *check_structure(family, gate.contract),
            *check_visible(family),
            *check_image(gate.client, gate.image, family),
            *check_network(family.id, gate.reached),
        ]

    def check_cases(self) -> Sequence[Finding]:
        """What the judge makes of the oracle."""
        gate, family = self.gate, self.family
        try:
            for name, variant in family.variants.items():
                self.cases[name] = make_cases(gate.client, gate.image, variant)
            self.units = units(family, self.cases)
            if any(
                remake_cases(gate.client, gate.image, unit.variants[0]) != unit.cases for unit in self.units
            ):
                return [self._of_oracle(Reason.ORACLE_BY_CHANCE, "take all chance from the given generator")]
        except OracleFault as fault:
            return [self._of_oracle(Reason.ORACLE_FAULT, str(fault))]
        self.gate.tick(f"{family.id} cases")
        return check_cases(family, self.cases, gate.contract)

    def _of_oracle(self, reason: Reason, detail: str) -> Finding:
        where = f"oracles/{self.family.id}/{self.family.oracle.canary}/oracle.py"
        return Finding(self.family.id, reason, where, detail)

    def check_verdicts(self) -> Sequence[Finding]:
        """What the rooms say of every known tree, again and again."""
        gate = self.gate
        self.repeats = repeat_verdicts(
            gate.client, gate.image, self.family, self.units, gate.contract.repeats, gate.tick
        )
        return check_verdicts(self.family, self.repeats, gate.contract)

    def check_fresh(self) -> Sequence[Finding]:
        """What trials show that nobody has seen."""
        gate = self.gate
        try:
            self.fresh = try_fresh_trials(
                gate.client, gate.image, self.family, self.repeats, gate.contract, gate.fresh_seed, gate.tick
            )
        except OracleFault as fault:
            return [self._of_oracle(Reason.ORACLE_FAULT, str(fault))]
        return self.fresh.findings


def admit_family(gate: Gate, family: Family) -> FamilyAdmission:
    """One family through the gate. A fault of the harness is reported as such; it rejects nobody."""
    started = time.monotonic()
    admission, fault = _Admission(gate, family), ""
    try:
        admission.run()
    except HarnessFault as error:
        fault = str(error)
    return _report(admission, fault, time.monotonic() - started)


def _report(admission: _Admission, fault: str, seconds: float) -> FamilyAdmission:
    family, repeats, fresh = admission.family, admission.repeats, admission.fresh
    times = [room.seconds for item in repeats for room in item.rooms]
    flakes = [bool(names) for item in repeats for names in differing(item)]
    cases = admission.cases.get(family.manifest.default_variant)
    return FamilyAdmission(
        family=family.id,
        version=family.manifest.version,
        hashes={
            "oracle": family.oracle_hash(),
            **{name: variant.visible_hash() for name, variant in family.variants.items()},
        },
        admitted=not admission.findings and not fault,
        reasons=found_reasons(admission.findings),
        fault=fault,
        not_reached=STAGES[admission.reached :],
        flakes=Fraction(count=sum(flakes), of=len(flakes)),
        rooms=len(times),
        room_seconds_median=round(median(times), 3),
        room_seconds_largest=round(max(times, default=0.0), 3),
        correct_fixes=_correct_fixes(admission),
        overlap=Fraction(count=len(overlapping(cases)) if cases else 0, of=len(cases.trials) if cases else 0),
        making_seconds=round(fresh.making_seconds, 2) if fresh else 0.0,
        fresh=fresh.correct if fresh else (),
        power=fresh.power if fresh else (),
        seconds=round(seconds, 1),
    )


def _correct_fixes(admission: _Admission) -> Fraction:
    """Correct fixes that hold in every room and on every fresh trial, of those there are."""
    names = set(admission.family.fixes("correct"))
    bad = {
        item.fix.name
        for item in admission.repeats
        if item.fix and item.fix.kind == "correct"
        for room in item.rooms
        if room.judged.trials.disagreeing or not room.judged.visible.green
    }
    runs = admission.fresh.correct if admission.fresh else ()
    bad |= {run.fix for run in runs if run.disagreeing.count or not run.disagreeing.of}
    tried = bool(admission.repeats)
    return Fraction(count=len(names - bad) if tried else 0, of=len(names))


def unreadable(name: str, problems: Sequence[Problem]) -> FamilyAdmission:
    """The report on a family whose files could not be read as one."""
    return FamilyAdmission(
        family=name,
        version=0,
        hashes={},
        admitted=False,
        reasons=found_reasons(problem_finding(name, problem) for problem in problems),
        not_reached=STAGES[1:],
    )
