"""The gate's report for a reader: the rows of its tables and the sentences under them."""

from .contract import in_words
from .report import FamilyAdmission, GateReport

FAMILY_COLUMNS = (
    "family",
    "version",
    "verdict",
    "flakes",
    "rate below",
    "rooms",
    "median s",
    "largest s",
    "correct fixes",
    "visible trials",
    "fresh trials",
    "fresh s",
    "weakest lazy fix",
    "missed with p",
    "total s",
)


def family_rows(report: GateReport) -> list[tuple[str, ...]]:
    """One row for each family, under FAMILY_COLUMNS."""
    return [_row(family) for family in report.families]


def _row(family: FamilyAdmission) -> tuple[str, ...]:
    weakest = max(family.power, key=lambda power: power.miss_probability, default=None)
    fresh = [run.disagreeing.of for run in family.fresh]
    slowest = max((run.seconds for run in family.fresh), default=0.0)
    return (
        family.family,
        str(family.version or "-"),
        verdict(family),
        str(family.flakes),
        f"{family.flake_bound:.1%}" if family.flakes.of else "-",
        str(family.rooms),
        f"{family.room_seconds_median:.2f}",
        f"{family.room_seconds_largest:.2f}",
        str(family.correct_fixes),
        str(family.overlap),
        f"{len(fresh)} x {max(fresh):,}" if fresh else "-",
        f"{slowest:.1f}" if fresh else "-",
        f"{weakest.fix} {weakest.pinned}" if weakest else "-",
        f"<{weakest.miss_probability:.0e}" if weakest else "-",
        f"{family.seconds:.0f}",
    )


def verdict(family: FamilyAdmission) -> str:
    """`admitted`, `rejected` or `not judged`."""
    if family.fault:
        return "not judged"
    return "admitted" if family.admitted else "rejected"


def reason_lines(report: GateReport) -> list[str]:
    """Every reason of every family, and every fault."""
    lines = [
        f"{family.family}: {found.reason.value}: {found.where}: {found.detail}"
        for family in report.families
        for found in family.reasons
    ]
    lines += [
        f"{family.family}: not checked after that: {', '.join(family.not_reached)}"
        for family in report.families
        if family.reasons and family.not_reached
    ]
    return lines + [
        f"{family.family}: harness fault: {family.fault}" for family in report.families if family.fault
    ]


def summary_lines(report: GateReport) -> list[str]:
    """What the run comes to, in sentences."""
    counted = ", ".join(f"{reason.value} {count}" for reason, count in report.counts.items())
    off = all(way == "off" for ways in report.network.values() for way in ways.values())
    behaving = sum(control.behaves for control in report.controls)
    return [
        f"controls: {behaving}/{len(report.controls)} as they must be",
        f"network: {'off' if off else 'ON'}, tried from {' and '.join(report.network)} "
        f"({', '.join(next(iter(report.network.values()), {}))})",
        f"admitted: {report.admitted}",
        f"rejected, families by reason: {counted or 'none'}",
        f"families with two correct fixes: {report.coverage_before} on file, "
        f"{report.coverage_after} of the admitted hold",
        f"contract: {in_words(report.contract)}",
        f"fresh seed {report.fresh_seed}, image {report.image}, grader {report.grader[:12]}",
        f"took {report.seconds:.0f} s",
    ]


def markdown(report: GateReport) -> str:
    """The whole report as Markdown."""
    head = [FAMILY_COLUMNS, ("---",) * len(FAMILY_COLUMNS)]
    table = [f"| {' | '.join(row)} |" for row in [*head, *family_rows(report)]]
    reasons = [f"- {line}" for line in reason_lines(report)]
    summary = [f"- {line}" for line in summary_lines(report)]
    return "\n".join([*table, "", *reasons, *([""] if reasons else []), *summary])
