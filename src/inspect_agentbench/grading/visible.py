"""The visible suite alone, for the completion check."""

import docker

from inspect_agentbench.bank import Variant
from inspect_agentbench.engine import ImageInfo
from inspect_agentbench.submission import Submission

from .plan import Control, room_plan
from .preload import standard_imports
from .room import RoomRequest, VisibleRun, ask_room
from .shorten import shorten

_NO_REPORT = "the suite as a whole (it did not end, or left no report)"


def run_visible_suite(
    client: docker.DockerClient, image: ImageInfo, variant: Variant, submission: Submission
) -> tuple[str, ...]:
    """The visible tests that fail over a submission, by pytest in a room; no oracle code takes part."""
    control = Control(variant)
    plan = room_plan(
        variant, variant.with_submission(submission.files), [], control, standard_imports(variant)
    )
    run = ask_room(client, image.id, RoomRequest(plan, [], 1)).visible
    return (_NO_REPORT,) if run is None else _failing(run, control.test)


def _failing(run: VisibleRun, control: str) -> tuple[str, ...]:
    red = sorted(test for test, outcome in run.outcomes.items() if outcome != "passed" and test != control)
    if not red and run.outcomes.get(control) != "failed":
        return (_NO_REPORT,)
    return tuple(shorten(test) for test in red)
