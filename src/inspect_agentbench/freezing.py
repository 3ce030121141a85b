"""Whether a bank is as it was frozen; asked before every run."""

from typing import Any

from inspect_agentbench.bank import Bank
from inspect_agentbench.bank.lock import LOCK_NAME, lock_differences, make_lock, read_lock
from inspect_agentbench.episode import PROMPT_VERSION, TOOLS_VERSION
from inspect_agentbench.errors import AgentbenchError

VERSIONS = {"prompt": PROMPT_VERSION, "tools": TOOLS_VERSION}
_SHOWN = 5


def frozen_state(bank: Bank, allow_unfrozen: bool) -> dict[str, Any]:
    """What a log says about the bank: its two hashes, and why it is not frozen if it is not.

    Raises AgentbenchError if the bank does not match its lock and that was not allowed. A bank without a
    lock runs, marked.
    """
    lock = read_lock(bank)
    differences = lock_differences(lock, bank, VERSIONS) if lock else [f"it has no {LOCK_NAME}"]
    if lock and differences and not allow_unfrozen:
        more = f" and {len(differences) - _SHOWN} more" if len(differences) > _SHOWN else ""
        raise AgentbenchError(
            f"the bank {bank.root} does not match its {LOCK_NAME}: {'; '.join(differences[:_SHOWN])}{more}. "
            "Undo the change, freeze it with `agentbench lock`, or run with -T allow_unfrozen=true"
        )
    now = make_lock(bank, VERSIONS)
    return {
        "frozen": not differences,
        "differences": differences,
        "dataset": now.dataset,
        "oracle": now.oracle,
    }
