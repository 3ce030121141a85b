import signal
import subprocess
import sys
import threading
import uuid
from collections.abc import Callable, Iterator

import docker
import docker.errors
import pytest

from inspect_agentbench import engine
from inspect_agentbench.engine import Kind, containers
from inspect_agentbench.errors import AgentbenchError, HarnessFault

pytestmark = pytest.mark.docker

START_ONE = """
from inspect_agentbench import engine
client = engine.connect()
options = engine.room_options({image!r}, ["/bin/sleep", "300"])
client.api.create_container(**options)
client.api.start(options["name"])
print(options["name"], flush=True)
"""


@pytest.fixture
def start(client: docker.DockerClient, image: engine.ImageInfo) -> Iterator[Callable[..., str]]:
    """Starts a sleeping container of a run (this process's if not told) and gives its name."""
    names: list[str] = []

    def start_one(run: str | None = None, kind: Kind = Kind.ROOM) -> str:
        options = engine.room_options(image.id, ["/bin/sleep", "300"], kind=kind)
        if run is not None:
            options["labels"][containers.RUN_LABEL] = run
        client.api.create_container(**options)
        names.append(options["name"])
        client.api.start(options["name"])
        return names[-1]

    yield start_one
    for name in names:
        engine.remove(client, name)


def exists(client: docker.DockerClient, name: str) -> bool:
    try:
        client.api.inspect_container(name)
    except docker.errors.NotFound:
        return False
    return True


def test_a_container_says_whose_it_is(client: docker.DockerClient, start: Callable[..., str]) -> None:
    """Name and labels carry kind and run id, so that it is found after the process has died."""
    name = start(kind=Kind.JUDGE)
    labels = client.api.inspect_container(name)["Config"]["Labels"]
    assert labels["inspect_agentbench"] == "1"
    assert labels["inspect_agentbench.run"] == engine.run_id()
    assert labels["inspect_agentbench.kind"] == "judge"
    assert name.startswith(f"agentbench-judge-{engine.run_id()}-")


def test_removal_kills_what_runs_and_is_certain(
    client: docker.DockerClient, start: Callable[..., str]
) -> None:
    """After `remove` the engine does not know a running container any more; once more is no error."""
    name = start()
    engine.remove(client, name)
    assert not exists(client, name)
    engine.remove(client, name)


def test_removals_at_once_all_end_well(client: docker.DockerClient, start: Callable[..., str]) -> None:
    """A time-out's removal and the exit's removal may meet; neither fails."""
    name = start()
    failures: list[BaseException] = []

    def remove() -> None:
        try:
            engine.remove(client, name)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=remove) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert not exists(client, name)


@pytest.mark.parametrize("status", [204, 409])
def test_a_container_that_stays_is_a_fault(
    fake_engine: Callable[..., object], monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    """An engine that says yes, or busy, for ever must not be believed."""
    fake_engine(removal_status=status)
    monkeypatch.setattr(containers, "REMOVAL_SECONDS", 0.1)
    with pytest.raises(HarnessFault, match="container stuck is still there"):
        engine.remove(engine.connect(), "stuck")


def test_an_engine_error_on_removal_is_a_fault(fake_engine: Callable[..., object]) -> None:
    """Any other answer is told at once, with the container's name."""
    fake_engine(removal_status=500)
    with pytest.raises(HarnessFault, match="container odd could not be removed"):
        engine.remove(engine.connect(), "odd")


def test_cleaning_touches_one_run_only(client: docker.DockerClient, start: Callable[..., str]) -> None:
    """`clean` removes the dead run's containers; this run's and another's stay."""
    dead, other = uuid.uuid4().hex[:12], uuid.uuid4().hex[:12]
    mine, theirs, left = start(), start(run=other), {start(run=dead), start(run=dead)}
    listed = {leftover.name: leftover.run for leftover in engine.list_leftovers(client)}
    assert mine not in listed
    assert listed[theirs] == other
    assert left == {name for name, run in listed.items() if run == dead}
    assert set(engine.clean(client, dead)) == left
    assert exists(client, mine)
    assert exists(client, theirs)
    assert not any(exists(client, name) for name in left)


def test_cleaning_an_unknown_run_says_so(client: docker.DockerClient) -> None:
    """A misspelt run id must not look like success."""
    with pytest.raises(AgentbenchError, match="run 0000: the engine holds no container of that run"):
        engine.clean(client, "0000")


def test_leaving_the_interpreter_removes_containers(
    client: docker.DockerClient, image: engine.ImageInfo
) -> None:
    """A process that ends without cleaning up leaves nothing."""
    ended = subprocess.run(
        [sys.executable, "-c", START_ONE.format(image=image.id)], capture_output=True, text=True, check=True
    )
    assert not exists(client, ended.stdout.strip())


def test_ctrl_c_removes_containers(client: docker.DockerClient, image: engine.ImageInfo) -> None:
    """An interrupted process has removed its container when it is gone."""
    waiting = START_ONE.format(image=image.id) + "import signal; signal.pause()"
    with subprocess.Popen(
        [sys.executable, "-c", waiting], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None
        name = process.stdout.readline().strip()
        assert exists(client, name)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=30) != 0
    assert not exists(client, name)


def test_a_forked_child_leaves_its_parents_containers(
    client: docker.DockerClient, image: engine.ImageInfo
) -> None:
    """A child that leaves through the interpreter's exit removes only what it made itself."""
    forking = START_ONE.format(image=image.id) + (
        "import os, sys\n"
        "child = os.fork()\n"
        "if child == 0: sys.exit(0)\n"
        "os.waitpid(child, 0)\n"
        "print(len(client.api.containers(filters={'name': options['name']})), flush=True)\n"
    )
    ended = subprocess.run([sys.executable, "-c", forking], capture_output=True, text=True, check=True)
    assert ended.stdout.split()[1] == "1"


def test_each_process_has_a_run_id_of_its_own() -> None:
    """Two processes never clean up each other's containers."""
    code = "from inspect_agentbench import engine; print(engine.run_id())"
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert other.stdout.strip() != engine.run_id()
    assert engine.run_id() == engine.run_id()
