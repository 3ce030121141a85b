"""The Inspect entry point: everything that Inspect may find by name.

Loading it must not fail on a broken bank of one's own: that is told when a task is made.
"""

from inspect_ai.model import ModelAPI, modelapi

from inspect_agentbench.bank import family_names
from inspect_agentbench.episode import coding_agent, setup_workspace
from inspect_agentbench.scoring import oracle_grade
from inspect_agentbench.tasks import bank, register_family_tasks

FAMILY_TASKS = register_family_tasks(family_names())


@modelapi(name="replay")
def replay() -> type[ModelAPI]:
    """The embedded models: `replay/<script>`."""
    from inspect_agentbench.replay import ReplayAPI

    return ReplayAPI


__all__ = ["FAMILY_TASKS", "bank", "coding_agent", "oracle_grade", "replay", "setup_workspace"]
