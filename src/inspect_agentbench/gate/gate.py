"""The whole gate: first its controls, then every family, each by itself."""

import time
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime

import docker

from .. import __version__
from ..bank import Survey
from ..engine import ImageInfo
from ..grading.sources import grader_hash
from .admission import Gate, admit_family, unreadable
from .contract import Contract
from .controls import CONTROLS, run_controls
from .network import reach_from_everywhere
from .repeats import Tick
from .report import FamilyAdmission, GateReport
from .structure import every_fix


def pieces_of_work(survey: Survey, names: Sequence[str], contract: Contract) -> int:
    """About how often `tick` will be called."""
    families = [survey.families[name] for name in names if name in survey.families]
    rooms = sum(
        (1 + len(every_fix(family))) * max(contract.repeats, len(family.variants)) for family in families
    )
    return len(CONTROLS) + rooms + 3 * len(families)


def run_gate(
    client: docker.DockerClient,
    image: ImageInfo,
    survey: Survey,
    names: Sequence[str],
    contract: Contract,
    fresh_seed: int,
    tick: Tick,
) -> GateReport:
    """Run the controls and, if they behave, let each named family through.

    Raises HarnessFault only for what concerns them all; a family's own fault stands in its report.
    """
    started = time.monotonic()
    reached = reach_from_everywhere(client, image)
    gate = Gate(client, image, contract, fresh_seed, reached, tick)
    controls = tuple(run_controls(gate))
    families = _families(gate, survey, names) if all(control.behaves for control in controls) else ()
    return GateReport(
        date=datetime.now(UTC).date().isoformat(),
        package=__version__,
        grader=grader_hash(),
        image=image.fingerprint.short,
        contract=asdict(contract),
        fresh_seed=fresh_seed,
        controls=controls,
        network={place: dict(ways) for place, ways in reached.items()},
        families=families,
        seconds=round(time.monotonic() - started, 1),
    )


def _families(gate: Gate, survey: Survey, names: Sequence[str]) -> tuple[FamilyAdmission, ...]:
    return tuple(
        admit_family(gate, survey.families[name])
        if name in survey.families
        else unreadable(name, survey.problems[name])
        for name in names
    )
