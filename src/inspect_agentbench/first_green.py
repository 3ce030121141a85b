"""The first state that the agent saw green: saved when it was seen, confirmed when the episode is graded.

The agent's own run can be wrong or forged, so a saved state counts only if the pristine visible suite is
green over it, in a room. A state that cannot be saved or confirmed is an unknown, never an error of the
sample.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import anyio.to_thread
from inspect_ai.util import StoreModel, sandbox, store_as
from pydantic import Field

from inspect_agentbench.bank import Variant
from inspect_agentbench.engine import connect, ensure_image
from inspect_agentbench.episode import WORKSPACE, EpisodeRecord
from inspect_agentbench.grading import Grading, run_visible_suite
from inspect_agentbench.submission import Submission, collect, diff, from_data, to_data


class GreenStates(StoreModel):
    """States that the agent saw green, at most three different ones, the first first."""

    saved: list[dict[str, Any]] = Field(default_factory=list)
    """Each `{"turn", "submission"}`; the second as in submission.to_data."""
    lost: str = ""
    """Why a state could not be saved; the states after it are not saved either."""


class FirstGreen(NamedTuple):
    """Lines of the diff at the first confirmed state, or why there is none."""

    diff_lines: int | None
    note: str = ""


async def save_green_state(variant: Variant, turn: int) -> bool:
    """Save the editable files as they are now; true if they are not saved yet. Raises nothing."""
    states = store_as(GreenStates)
    if states.lost:
        return False
    try:
        container = str((await sandbox().connection()).container)
        data = await anyio.to_thread.run_sync(_collected, container, variant)
    except Exception as error:  # whatever fails here must not cost the episode
        states.lost = f"turn {turn}: {type(error).__name__}: {error}"[:300]
        return False
    if any(state["submission"]["sha256"] == data["sha256"] for state in states.saved):
        return False
    states.saved = [*states.saved, {"turn": turn, "submission": data}]
    return True


def _collected(container: str, variant: Variant) -> dict[str, Any]:
    return to_data(collect(connect(), container, WORKSPACE, variant))


async def first_green(
    record: EpisodeRecord, states: GreenStates, variant: Variant, grading: Grading
) -> FirstGreen:
    """Confirm the saved states in their order. Raises nothing."""
    if not record.agent:
        return FirstGreen(None, "another solver worked, whose states are not saved")
    if not states.saved:
        return FirstGreen(None, states.lost or "no run of the whole visible suite was seen green")
    try:
        return await anyio.to_thread.run_sync(_first_confirmed, states.saved, variant, grading)
    except Exception as error:  # an unknown, whatever the reason
        return FirstGreen(None, f"no state could be confirmed: {type(error).__name__}: {error}"[:300])


def _first_confirmed(saved: Sequence[Mapping[str, Any]], variant: Variant, grading: Grading) -> FirstGreen:
    for state in saved:
        submission = from_data(state["submission"], f"the state of turn {state['turn']}")
        if _is_green(variant, submission, grading):
            return FirstGreen(diff(variant.editable_files(variant.tree()), submission.files).lines)
    return FirstGreen(None, f"the visible suite is red over {len(saved)} states that the agent saw green")


def _is_green(variant: Variant, submission: Submission, grading: Grading) -> bool:
    """By a room, or by the grading if it graded these very bytes."""
    if submission.hash == grading.report.submission_hash:
        return grading.report.visible.green
    return not run_visible_suite(connect(), ensure_image(lambda line: None), variant, submission)
