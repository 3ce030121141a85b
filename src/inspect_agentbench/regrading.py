"""Grading the saved submissions of logs again, and saying what differs."""

from collections.abc import Iterator
from typing import NamedTuple

import docker

from inspect_agentbench.bank import Bank, Variant, open_bank
from inspect_agentbench.engine import ImageInfo
from inspect_agentbench.errors import AgentbenchError
from inspect_agentbench.grading import GradeReport, grade
from inspect_agentbench.integrity import NO_EPISODE
from inspect_agentbench.logs import Episode
from inspect_agentbench.outcome import Outcome
from inspect_agentbench.submission import from_data


class Regraded(NamedTuple):
    """One episode graded again."""

    log: str
    model: str
    episode: str
    recorded: Outcome
    now: Outcome | None
    """None if it could not be graded."""
    differences: tuple[str, ...]

    @property
    def matches(self) -> bool:
        """Whether everything is as recorded."""
        return not self.differences


def regrade_episode(
    client: docker.DockerClient, image: ImageInfo, episode: Episode, bank: Bank | None
) -> Regraded:
    """Grade one episode's submission again.

    What is wrong with the episode itself (no submission, a damaged or changed one, another oracle) is a
    difference, so that the other episodes of a log are still graded. Raises HarnessFault.
    """
    if episode.outcome is Outcome.ERRORED:  # no verdict was given, so there is none to check
        return _result(episode, None, ())
    try:
        variant = _variant(episode, bank)
        if episode.submission is None:
            return _without_grade(episode, "no submission was saved")
        submission = from_data(episode.submission, episode.name)
    except AgentbenchError as error:
        return _without_grade(episode, str(error))
    before = episode.report
    known = before.integrity if before else NO_EPISODE
    report = grade(client, image, variant, submission, integrity=known).report
    return _result(episode, report.outcome, tuple(_differences(episode, report)))


def _variant(episode: Episode, bank: Bank | None) -> Variant:
    metadata = episode.sample.metadata
    opened = bank or open_bank(metadata.get("bank"))
    return opened.family(str(metadata["family"])).variant(metadata.get("variant"))


def _without_grade(episode: Episode, reason: str) -> Regraded:
    return _result(episode, None, (reason,))


def _result(episode: Episode, now: Outcome | None, differences: tuple[str, ...]) -> Regraded:
    return Regraded(str(episode.log), episode.model, episode.name, episode.outcome, now, differences)


def _differences(episode: Episode, now: GradeReport) -> Iterator[str]:
    before = episode.report
    if before is None:
        yield f"no grade report was recorded (outcome {episode.outcome})"
        return
    if episode.outcome != before.outcome:
        yield f"the score says {episode.outcome}, its own report {before.outcome}"
    for name in ("oracle", "visible", "grader", "image"):
        old, new = getattr(before.hashes, name), getattr(now.hashes, name)
        if old != new:
            yield f"{name} hash was {old[:12]}, is {new[:12]}"
    if before.submission_hash != now.submission_hash:
        yield f"submission hash was {before.submission_hash[:12]}, is {now.submission_hash[:12]}"
    if before.outcome != now.outcome:
        yield f"outcome was {before.outcome}, is {now.outcome}"
    yield from _trial_differences(before, now)


def _trial_differences(before: GradeReport, now: GradeReport) -> Iterator[str]:
    changed = sorted({*before.trials.disagreeing} ^ {*now.trials.disagreeing})
    if changed:
        yield f"trials judged otherwise: {', '.join(map(str, changed[:10]))}"
    tests = sorted({*before.visible.failing} ^ {*now.visible.failing})
    if tests:
        yield f"visible tests judged otherwise: {', '.join(tests[:5])}"
    if before.unstable != now.unstable:
        yield "unstable in one of the gradings"
