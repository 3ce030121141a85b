"""What the harness breaks is tried again a fixed number of times, and is then a fault, never a verdict."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import docker
import pytest
from docker.errors import APIError

from inspect_agentbench import engine
from inspect_agentbench.bank import Family
from inspect_agentbench.errors import HarnessFault
from inspect_agentbench.grading import grade, judge
from inspect_agentbench.outcome import Outcome
from inspect_agentbench.submission import Submission

pytestmark = pytest.mark.docker


def rooms(client: docker.DockerClient) -> list[str]:
    labels = [f"inspect_agentbench.run={engine.run_id()}", f"inspect_agentbench.kind={engine.Kind.ROOM}"]
    return [room["Id"] for room in client.api.containers(filters={"label": labels})]


@contextmanager
def removing_rooms(client: docker.DockerClient, at_most: int) -> Iterator[Callable[[], int]]:
    """Removes running rooms under the grader's hands; gives how many so far."""
    removed: set[str] = set()
    done = threading.Event()

    def remove() -> None:
        while not done.wait(0.005):
            for room in rooms(client):
                if room not in removed and len(removed) < at_most:
                    removed.add(room)
                    try:
                        client.api.remove_container(room, force=True)
                    except APIError:
                        continue

    worker = threading.Thread(target=remove)
    worker.start()
    try:
        yield lambda: len(removed)
    finally:
        done.set()
        worker.join()


def right(tiny: Family) -> Submission:
    variant = tiny.variant()
    return Submission(variant.editable_files(variant.apply(tiny.fixes("correct")["decimal"].files)))


def test_a_room_that_the_engine_loses_is_asked_again(
    client: docker.DockerClient, image: engine.ImageInfo, tiny: Family
) -> None:
    """A container that disappears costs the submission nothing."""
    with removing_rooms(client, at_most=2) as removed:
        report = grade(client, image, tiny.variant(), right(tiny)).report
        assert removed() == 2
    assert report.outcome is Outcome.SOLVED
    assert rooms(client) == []


def test_rooms_that_are_lost_again_and_again_are_a_fault(
    client: docker.DockerClient, image: engine.ImageInfo, tiny: Family
) -> None:
    """Neither failed nor solved: the grading raises, after a fixed number of tries, and cleans up."""
    with removing_rooms(client, at_most=1000) as removed, pytest.raises(HarnessFault):
        grade(client, image, tiny.variant(), right(tiny))
    assert 3 <= removed() <= 6
    assert rooms(client) == []


@pytest.fixture
def losing_judges(
    client: docker.DockerClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[int], list[str]]:
    """Removes so many judges as soon as they are up, and none of their answers is cached."""
    lost: list[str] = []

    def lose(at_most: int) -> list[str]:
        class Losing(engine.Exchange):
            def __enter__(self) -> "Losing":
                super().__enter__()
                if len(lost) < at_most:
                    lost.append(self.id)
                    client.api.remove_container(self.id, force=True)
                return self

        monkeypatch.setattr(judge, "Exchange", Losing)
        return lost

    monkeypatch.setenv("AGENTBENCH_CACHE", str(tmp_path))
    return lose


def test_a_judge_that_the_engine_loses_is_asked_again(
    client: docker.DockerClient,
    image: engine.ImageInfo,
    tiny: Family,
    losing_judges: Callable[[int], list[str]],
) -> None:
    """A container that disappears costs the submission nothing."""
    lost = losing_judges(2)
    assert grade(client, image, tiny.variant(), right(tiny)).report.outcome is Outcome.SOLVED
    assert len(lost) == 2


def test_judges_that_are_lost_again_and_again_are_a_fault(
    client: docker.DockerClient,
    image: engine.ImageInfo,
    tiny: Family,
    losing_judges: Callable[[int], list[str]],
) -> None:
    """Neither failed nor solved: the fault says whose judge it was."""
    lost = losing_judges(1000)
    with pytest.raises(HarnessFault, match="the engine lost the judge of tiny"):
        grade(client, image, tiny.variant(), right(tiny))
    assert len(lost) == 3


def test_two_graders_at_once_give_the_same_verdicts(
    client: docker.DockerClient, image: engine.ImageInfo, tiny: Family
) -> None:
    """Rooms share nothing but the cores."""
    lazy = Submission(tiny.fixes("lazy")["float"].files)
    with ThreadPoolExecutor(2) as pool:
        graded = pool.map(
            lambda s: grade(client, image, tiny.variant(), s).report.outcome, [right(tiny), lazy]
        )
    assert list(graded) == [Outcome.SOLVED, Outcome.ILLUSORY]
