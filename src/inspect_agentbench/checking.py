"""The completion check: the pristine visible suite over what the agent has made so far, in a room.

Never the hidden oracle: no case of it comes near this.
"""

import anyio.to_thread
from inspect_ai.util import sandbox

from inspect_agentbench.bank import Variant
from inspect_agentbench.engine import connect, ensure_image
from inspect_agentbench.episode import WORKSPACE
from inspect_agentbench.grading import run_visible_suite
from inspect_agentbench.submission import collect

_SHOWN_TESTS = 10


async def visible_suite_check(variant: Variant) -> str | None:
    """None if the visible suite is green over the agent's files, otherwise what the agent is told."""
    connection = await sandbox().connection()
    return await anyio.to_thread.run_sync(_check, variant, str(connection.container))


def _check(variant: Variant, container: str) -> str | None:
    client, image = connect(), ensure_image(lambda line: None)
    submission = collect(client, container, WORKSPACE, variant)
    failing = run_visible_suite(client, image, variant, submission)
    if not failing:
        return None
    shown = "\n".join(f"- {test}" for test in failing[:_SHOWN_TESTS])
    more = f"\n- and {len(failing) - _SHOWN_TESTS} more" if len(failing) > _SHOWN_TESTS else ""
    return f"Not accepted: the project's own tests do not pass yet. Failing:\n{shown}{more}"
