"""What the bank's stored gate report says of the grader that these logs were graded by."""

from collections.abc import Sequence

from inspect_agentbench.bank import default_bank, read_record
from inspect_agentbench.compare.rows import LogFacts
from inspect_agentbench.errors import AgentbenchError
from inspect_agentbench.gate.report import REPORT_NAME, GateReport


def gate_sentence(facts: Sequence[LogFacts]) -> str:
    """One sentence; empty where there is no report, as in a bank of one's own."""
    try:
        path = default_bank().root / REPORT_NAME
        report = read_record(GateReport, path, "a report of the gate", "write it with `agentbench admit`")
    except AgentbenchError:
        return ""
    admitted = sum(family.admitted for family in report.families)
    of = "this grader" if all(log.grader == report.grader for log in facts) else "another grader"
    return f"The gate admitted {admitted} of {len(report.families)} families under {of} ({report.date})"
