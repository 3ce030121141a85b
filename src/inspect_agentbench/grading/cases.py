"""Cases as the judge makes them: what a room is asked, and the right answers, which never go there."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ..outcome import Tag


class Case(NamedTuple):
    """A fixed case (it mirrors the visible test `test`) or a trial (it carries tags or a group)."""

    id: str
    steps: tuple[Mapping[str, Any], ...]
    """As the room takes them: `input` spelled by wire.py, `write` as base64, `remove`, `read`."""
    answers: tuple[str, ...]
    """The right answer of each step, spelled by wire.py."""
    tags: frozenset[Tag] = frozenset()
    group: str | None = None
    test: str | None = None


class Cases(NamedTuple):
    """All that one submission is asked."""

    fixed: tuple[Case, ...]
    trials: tuple[Case, ...]


def read_cases(reply: Mapping[str, Any]) -> Cases:
    """Cases from a judge's reply; raises ValueError that names what is wrong with them."""
    fixed = tuple(_read_case(case) for case in reply["fixed"])
    trials = tuple(_read_case(case) for case in reply["trials"])
    if not fixed:
        raise ValueError("the oracle has no fixed case")
    if any(case.test is None for case in fixed):
        raise ValueError("a fixed case names no visible test")
    if not trials:
        raise ValueError("the oracle has no trial")
    return Cases(fixed, trials)


def _read_case(case: Mapping[str, Any]) -> Case:
    return Case(
        id=case["id"],
        steps=tuple(case["steps"]),
        answers=tuple(case["answers"]),
        tags=frozenset(Tag(tag) for tag in case["tags"]),
        group=case["group"],
        test=case["test"],
    )


def visible_tests(fixed: Sequence[Case]) -> tuple[str, ...]:
    """The visible tests that the fixed cases mirror, in their order."""
    return tuple(dict.fromkeys(case.test for case in fixed if case.test is not None))
