"""What the bank's stored gate report says of the grader that these logs were graded by."""

import json
from collections.abc import Sequence

from inspect_agentbench.bank import default_bank
from inspect_agentbench.compare.rows import LogFacts
from inspect_agentbench.errors import AgentbenchError


def gate_sentence(facts: Sequence[LogFacts]) -> str:
    """One sentence; empty where there is no report, as in a bank of one's own."""
    try:
        path = default_bank().root / "admission.json"
        report = json.loads(path.read_text(encoding="utf-8"))
        families = report["families"]
        admitted = sum(bool(family["admitted"]) for family in families)
        same = all(log.grader == report["grader"] for log in facts)
    except (OSError, ValueError, KeyError, TypeError, AgentbenchError):
        return ""
    of = "this grader" if same else "another grader"
    return f"The gate admitted {admitted} of {len(families)} families under {of} ({report['date']})"
