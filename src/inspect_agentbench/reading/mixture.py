"""Logs that do not belong in one table."""

from collections.abc import Iterator, Sequence
from typing import Any

from inspect_agentbench.compare.rows import EpisodeRow, LogFacts
from inspect_agentbench.errors import AgentbenchError


def differences(facts: Sequence[LogFacts], rows: Sequence[EpisodeRow]) -> Iterator[str]:
    """What is not equal in all logs, each with the two logs that show it."""
    for other in facts[1:]:
        first = facts[0]
        pairs: list[tuple[str, Any, Any]] = [(n, one, other.hashes[n]) for n, one in first.hashes.items()]
        names = sorted(first.controls.keys() | other.controls.keys())
        pairs += [(name, first.controls.get(name), other.controls.get(name)) for name in names]
        for name, one, two in pairs:
            if one != two:
                yield f"{name} is {_shown(one)} in {first.log} and {_shown(two)} in {other.log}"
    variants: dict[str, EpisodeRow] = {}
    for row in rows:
        known = variants.setdefault(row.family, row)
        if known.variant != row.variant:
            yield f"family {row.family} is {known.variant} in {known.log} and {row.variant} in {row.log}"


def check_alike(facts: Sequence[LogFacts], rows: Sequence[EpisodeRow]) -> None:
    """Raises AgentbenchError that names the first differences."""
    found = list(dict.fromkeys(differences(facts, rows)))
    if found:
        more = f" (and {len(found) - 3} more differences)" if len(found) > 3 else ""
        raise AgentbenchError(
            f"these logs do not belong in one table: {'; '.join(found[:3])}{more}. Name logs that were run "
            "alike, declare what was varied on purpose with --factor NAME, or see them side by side with "
            "--allow-mixed"
        )


def _shown(value: object) -> str:
    text = str(value)
    return text if len(text) <= 24 else text[:12]
