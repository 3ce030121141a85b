"""From verifications to findings. Pure functions; nothing here knows docker."""

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence

from ..bank import Family
from ..grading.cases import Case, Cases, visible_tests
from ..grading.regrade import differences, shown
from ..grading.signature import read_signatures
from ..grading.verdict import Judged
from ..outcome import Tag
from .contract import Contract
from .reasons import Finding, Reason
from .repeats import Repeats
from .structure import small_repository, unfinished

_SHOWN_TRIALS = 8


def check_cases(family: Family, cases: Mapping[str, Cases], contract: Contract) -> list[Finding]:
    """What the judge's cases alone show: trials that are visible, tags and tests that are too few."""
    variant = family.manifest.default_variant
    return [
        *unfinished(family),
        *small_repository(family, contract),
        *_overlap(family, cases),
        *_rare_tags(family, cases[variant].trials, contract),
        *_few_tests(family, cases[variant], contract),
    ]


def overlapping(cases: Cases) -> list[str]:
    """The trials whose steps are those of a visible case."""
    visible = [case.steps for case in cases.fixed]
    return [case.id for case in cases.trials if case.steps in visible]


def _overlap(family: Family, cases: Mapping[str, Cases]) -> Iterator[Finding]:
    for variant, made in cases.items():
        found = overlapping(made)
        if found:
            yield Finding(
                family.id,
                Reason.HIDDEN_OVERLAP,
                f"{variant}: trials {_listed(found)}",
                f"{len(found)} of {len(made.trials)} trials are visible; give the generator more room",
            )


def _rare_tags(family: Family, trials: Sequence[Case], contract: Contract) -> Iterator[Finding]:
    if family.oracle.groups:
        return  # built from a specification: groups stand in place of tags
    for tag in Tag:
        count = sum(1 for case in trials if tag in case.tags)
        if count < contract.tag_share * len(trials):
            yield Finding(
                family.id,
                Reason.TAGS_TOO_RARE,
                f"tag {tag.value}",
                f"is on {count} of {len(trials)} trials; at least {contract.tag_share:.0%} are needed",
            )


def _few_tests(family: Family, cases: Cases, contract: Contract) -> Iterator[Finding]:
    count = len(visible_tests(cases.fixed))
    if count < contract.visible_tests and not family.oracle.groups:
        yield Finding(
            family.id,
            Reason.REPOSITORY_TOO_SMALL,
            f"tasks/{family.id}/repo",
            f"has {count} visible tests; at least {contract.visible_tests} are needed",
        )


def check_verdicts(family: Family, repeats: Sequence[Repeats], contract: Contract) -> list[Finding]:
    """What the rooms showed of the untouched tree and of every known fix."""
    findings = [
        finding
        for item in repeats
        for check in (_repeat, _time, _mirrored, _fixed_cases)
        for finding in check(family, item, contract)
    ]
    for item in repeats:
        findings += _EXPECTED[item.fix.kind if item.fix else "untouched"](family, item)
    return [*findings, *_suspect(family, repeats)]


def differing(item: Repeats) -> list[tuple[str, ...]]:
    """For each repeat after the first: what was not as it was in the first."""
    first, *others = [room.judged for room in item.rooms]
    return [shown(differences(first, other)) for other in others]


def _repeat(family: Family, item: Repeats, contract: Contract) -> Iterator[Finding]:
    odd = [names for names in differing(item) if names]
    if odd:
        yield Finding(
            family.id,
            Reason.VERDICTS_DIFFER,
            item.where,
            f"{len(odd)} of {len(item.rooms) - 1} repeats differ from the first: {', '.join(odd[0])}",
        )


def _time(family: Family, item: Repeats, contract: Contract) -> Iterator[Finding]:
    longest = max(room.seconds for room in item.rooms)
    if longest > contract.room_seconds:
        yield Finding(
            family.id,
            Reason.TOO_SLOW,
            item.where,
            f"took {longest:.1f} s; the bound is {contract.room_seconds:g} s",
        )


def _mirrored(family: Family, item: Repeats, contract: Contract) -> Iterator[Finding]:
    tests = item.rooms[0].judged.visible.unmirrored
    if tests:
        yield Finding(
            family.id,
            Reason.TEST_UNMIRRORED,
            item.where,
            f"`fixed_cases` of oracle.py has no case for {', '.join(tests)}",
        )


def _fixed_cases(family: Family, item: Repeats, contract: Contract) -> Iterator[Finding]:
    visible = item.rooms[0].judged.visible
    if bool(visible.failing) != bool(visible.wrong_cases):
        red, wrong = ", ".join(visible.failing) or "nothing", ", ".join(visible.wrong_cases) or "nothing"
        yield Finding(
            family.id,
            Reason.FIXED_CASES_DIFFER,
            item.where,
            f"pytest finds red: {red}; wrong as a fixed case: {wrong}",
        )


def _untouched(family: Family, item: Repeats) -> Iterator[Finding]:
    judged = item.rooms[0].judged
    if not judged.visible.failing:
        yield Finding(
            family.id, Reason.UNTOUCHED_GREEN, item.where, "the reported fault must turn a visible test red"
        )
    if not judged.trials.disagreeing:
        yield Finding(
            family.id, Reason.UNTOUCHED_AGREES, item.where, f"all {judged.trials.total} trials agree"
        )
    yield from _tags(family, item, judged)


def _tags(family: Family, item: Repeats, judged: Judged) -> Iterator[Finding]:
    right = {case.id: all(judged.right[case.id]) for case in item.unit.cases.trials}
    for tag, should_be in ((Tag.FAULT, False), (Tag.INVARIANT, True)):
        odd = [c.id for c in item.unit.cases.trials if tag in c.tags and right[c.id] is not should_be]
        if odd:
            yield Finding(
                family.id,
                Reason.TAGS_WRONG,
                f"{tag.value} trials {_listed(odd)} in {item.unit.name}",
                f"the untouched tree gets them {'wrong' if should_be else 'right'}",
            )


def _correct(family: Family, item: Repeats) -> Iterator[Finding]:
    judged = item.rooms[0].judged
    if not judged.visible.green:
        yield Finding(family.id, Reason.CORRECT_RED, item.where, f"red: {_red(judged)}")
    if judged.trials.disagreeing:
        yield Finding(
            family.id,
            Reason.CORRECT_DISAGREES,
            item.where,
            f"trials {_listed(judged.trials.disagreeing)}; {_first(judged)}",
        )


def _red(judged: Judged) -> str:
    return ", ".join((*judged.visible.failing, *judged.visible.wrong_cases)) or "no report"


def _first(judged: Judged) -> str:
    if not judged.trials.first:
        return "no answer"
    first = judged.trials.first[0]
    return f"first: trial {first.trial} step {first.step + 1}: expected {first.expected}, got {first.got}"


def _lazy(family: Family, item: Repeats) -> Iterator[Finding]:
    judged = item.rooms[0].judged
    if not judged.visible.green:
        yield Finding(family.id, Reason.LAZY_RED, item.where, f"red: {_red(judged)}; is it a wrong fix?")
    if not judged.trials.disagreeing:
        yield Finding(
            family.id,
            Reason.LAZY_RIGHT,
            item.where,
            f"all {judged.trials.total} trials agree; either it is right, or the oracle does not see why not",
        )
    elif judged.visible.green:
        yield from _signature(family, item, judged)


def _signature(family: Family, item: Repeats, judged: Judged) -> Iterator[Finding]:
    name, found = item.fix.name if item.fix else "", judged.trials.disagreeing
    for variant in item.unit.variants:
        recorded = read_signatures(family, variant.name).get(name)
        where = f"{item.tree} in {variant.name}"
        if recorded is None:
            yield Finding(
                family.id, Reason.SIGNATURE_MISSING, where, f"run `agentbench signatures {family.id}`"
            )
        elif recorded.trials != found:
            yield Finding(
                family.id,
                Reason.SIGNATURE_DIFFERS,
                where,
                f"{len(recorded.trials)} trials are recorded, {len(found)} disagree; not in both: "
                f"{_listed(sorted({*recorded.trials} ^ {*found}))}",
            )


def _wrong(family: Family, item: Repeats) -> Iterator[Finding]:
    if not item.rooms[0].judged.visible.failing:
        yield Finding(
            family.id, Reason.WRONG_GREEN, item.where, "every visible test passes; is it a lazy fix?"
        )


_EXPECTED: dict[str, Callable[[Family, Repeats], Iterator[Finding]]] = {
    "untouched": _untouched,
    "correct": _correct,
    "lazy": _lazy,
    "wrong": _wrong,
}


def _suspect(family: Family, repeats: Sequence[Repeats]) -> Iterator[Finding]:
    correct = [item for item in repeats if item.fix and item.fix.kind == "correct"]
    for one, other in itertools.combinations(correct, 2):
        if one.unit is other.unit:
            shared = {*_wrong_trials(one)} & {*_wrong_trials(other)}
            yield from suspect(family, f"{one.tree} and {other.tree}", sorted(map(str, shared)))


def _wrong_trials(item: Repeats) -> tuple[int, ...]:
    return item.rooms[0].judged.trials.disagreeing


def suspect(family: Family, where: str, shared: Sequence[str]) -> Iterator[Finding]:
    """The finding that two correct fixes are wrong on the same trials, if they are."""
    if shared:
        yield Finding(
            family.id,
            Reason.ORACLE_SUSPECT,
            where,
            f"both disagree on trials {_listed(shared)}: more likely the reference or the README is at fault",
        )


def _listed(names: Sequence[object]) -> str:
    more = f" and {len(names) - _SHOWN_TRIALS} more" if len(names) > _SHOWN_TRIALS else ""
    return f"{', '.join(map(str, names[:_SHOWN_TRIALS]))}{more}"
