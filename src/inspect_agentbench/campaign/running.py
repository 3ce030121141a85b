"""Running a campaign, block by block; a second start goes on where the first one stopped."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from inspect_ai import eval_set
from inspect_ai.log import EvalLog
from inspect_ai.solver import SolverSpec

from inspect_agentbench.engine import write_whole
from inspect_agentbench.errors import AgentbenchError

from .blocks import Block
from .spec import Campaign

MARK = "campaign.json"
"""In a campaign's log folder: which campaign it holds."""


def run_campaign(
    campaign: Campaign,
    blocks: Sequence[Block],
    folder: Path,
    say: Callable[[str], None],
) -> list[EvalLog]:
    """Run every block that is not done; the headers of all logs. Raises AgentbenchError for another's folder.

    An interruption keeps what is done: the same call goes on from there.
    """
    _claim(campaign, folder)
    logs: list[EvalLog] = []
    for number, block in enumerate(blocks, 1):
        shown = ", ".join(f"{k}={v}" for k, v in block.factors.items())
        say(f"block {number} of {len(blocks)}: {block.model.model}{f' [{shown}]' if shown else ''}")
        logs += _run_block(campaign, block, folder / block.folder)
    return logs


def _claim(campaign: Campaign, folder: Path) -> None:
    """See that the folder is this campaign's, or nobody's."""
    mark = folder / MARK
    try:
        if mark.exists():
            known = json.loads(mark.read_text(encoding="utf-8"))
            if known.get("hash") != campaign.hash:
                raise AgentbenchError(
                    f"{folder} holds the logs of another campaign ({known.get('name')}), "
                    "or of this one before its file changed; name another --log-dir"
                )
            return
        if folder.exists() and any(folder.rglob("*.eval")):
            raise AgentbenchError(f"{folder} holds logs that are no campaign's; name another --log-dir")
        folder.mkdir(parents=True, exist_ok=True)
        data = {"name": campaign.name, "hash": campaign.hash, "campaign": campaign.model_dump(mode="json")}
        write_whole(mark, json.dumps(data, indent=2).encode())
    except (OSError, ValueError) as error:
        raise AgentbenchError(f"{folder} cannot be used ({error}); name another --log-dir") from error


def _run_block(campaign: Campaign, block: Block, folder: Path) -> list[EvalLog]:
    options = {**campaign.controls.task_options(), **block.factors, "family": list(block.families)}
    if campaign.bank:
        options["bank"] = campaign.bank
    _, logs = eval_set(
        "inspect_agentbench/bank",
        log_dir=str(folder),
        model=block.model.model,
        model_base_url=block.model.base_url,
        model_args=block.model.args,
        solver=SolverSpec(block.solver) if block.solver else None,
        task_args=options,
        epochs=campaign.runs,
        retry_on_error=campaign.controls.retry_on_error,
        retry_attempts=0,
        retry_immediate=False,
        display="log",
        metadata={"agentbench_campaign": _described(campaign, block)},
        **campaign.controls.generation(),
    )
    return logs


def _described(campaign: Campaign, block: Block) -> dict[str, Any]:
    """What the log of a block says about its campaign."""
    return {
        "name": campaign.name,
        "kind": campaign.kind,
        "hash": campaign.hash,
        "factors": {name: str(value) for name, value in block.factors.items()},
        "held": campaign.held,
        "held_hash": campaign.held_hash,
    }
