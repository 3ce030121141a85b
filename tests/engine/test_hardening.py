import re
from collections.abc import Callable, Iterator
from typing import Any

import docker
import docker.errors
import pytest

from inspect_agentbench import engine

pytestmark = pytest.mark.docker

LIMITS = engine.RoomLimits(memory_mib=128, processes=16, files_mib=8, files=100, open_files=50)
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "PYTHONHASHSEED": "7", "ODD": "a b=c"}

Inside = Callable[[str], tuple[int, str]]


@pytest.fixture(scope="module")
def room(client: docker.DockerClient, image: engine.ImageInfo) -> Iterator[str]:
    options = engine.room_options(image.id, ["/bin/sleep", "300"], environment=ENVIRONMENT, limits=LIMITS)
    client.api.create_container(**options)
    try:
        client.api.start(options["name"])
        yield options["name"]
    finally:
        engine.remove(client, options["name"])


@pytest.fixture(scope="module")
def inside(client: docker.DockerClient, room: str) -> Inside:
    """Runs a shell command in the room; gives its exit code and everything it printed."""

    def run(command: str) -> tuple[int, str]:
        started = client.api.exec_create(room, ["/bin/sh", "-c", command])
        output = client.api.exec_start(started["Id"]).decode()
        return client.api.exec_inspect(started["Id"])["ExitCode"], output

    return run


def python(code: str) -> str:
    return f"exec python3 -c '{code}'"


def test_the_user_is_nobody(inside: Inside) -> None:
    """Candidate code owns nothing outside the room's folder."""
    assert inside("id -u; id -g; id -G") == (0, "65534\n65534\n65534\n")


def test_it_has_no_capability_and_can_get_none(inside: Inside) -> None:
    """Every capability set is empty, and no set-uid program gives one back."""
    _, status = inside("cat /proc/self/status")
    sets = dict(re.findall(r"^(Cap\w+|NoNewPrivs):\t(\w+)$", status, re.MULTILINE))
    assert sets.pop("NoNewPrivs") == "1"
    assert len(sets) == 5
    assert set(sets.values()) == {"0" * 16}


def test_it_has_no_network(inside: Inside) -> None:
    """There is no interface but the loopback, and no way to an address."""
    _, interfaces = inside("tail -n +3 /proc/net/dev | cut -d: -f1")
    assert interfaces.split() == ["lo"]
    code, output = inside(python('import socket; socket.create_connection(("192.0.2.1", 80), 1)'))
    assert code == 1
    assert "Network is unreachable" in output


def test_one_folder_is_writable_and_no_other(inside: Inside) -> None:
    """State can only be left where it is thrown away."""
    command = "find / -path /proc -prune -o -writable ! -type l ! -type c -print 2>/dev/null"
    _, writable = inside(command)
    assert set(writable.split()) - {"/dev/mqueue"} == {"/room"}
    code, output = inside("touch /tmp/left /var/tmp/left /dev/left /home/agent/left /root/left")
    assert code == 1
    assert output.count("cannot touch") == 5


def test_message_queues_cannot_be_made(inside: Inside) -> None:
    """The one other writable place of a container, the file system of message queues, takes none."""
    code, output = inside("touch /dev/mqueue/left")
    assert code == 1
    assert "cannot touch" in output


def test_shared_memory_has_no_place(inside: Inside) -> None:
    """/dev/shm would be a second writable place, outside the size limit."""
    assert inside("test -e /dev/shm")[0] == 1


def test_the_folder_is_bounded_in_bytes(inside: Inside) -> None:
    """Filling the disk fails inside the room, at the limit."""
    code, output = inside("head -c 9M /dev/zero > /room/big; stat -c %s /room/big; rm /room/big")
    assert code == 0
    assert "No space left on device" in output
    assert output.split()[-1] == str(LIMITS.files_mib * 1024 * 1024)


def test_the_folder_is_bounded_in_files(inside: Inside) -> None:
    """A million empty files cost no space but inodes; those are limited too."""
    fill = "mkdir /room/many && cd /room/many && seq 200 | xargs touch 2>&1 | head -n 1"
    _, output = inside(f"{fill}; ls | wc -l; rm -r /room/many")
    assert "No space left on device" in output
    assert 50 < int(output.split()[-1]) < LIMITS.files


def test_the_folder_is_its_users_alone(inside: Inside) -> None:
    """Mode and owner of the room's folder."""
    assert inside("stat -c '%a %u %g' /room; pwd")[1] == "700 65534 65534\n/room\n"


def test_processes_are_bounded(inside: Inside) -> None:
    """A fork bomb ends at the limit with an error of its own, and the room lives on."""
    bomb = """
import os, signal
children = []
try:
    while len(children) < 100:
        child = os.fork()
        if child == 0:
            signal.pause()
        children.append(child)
except BlockingIOError:
    print("stopped at", len(children))
for child in children:
    os.kill(child, 9)
    os.waitpid(child, 0)
"""
    _, output = inside(python(bomb))
    found = re.fullmatch(r"stopped at (\d+)\n", output)
    assert found, output
    assert int(found.group(1)) < LIMITS.processes
    assert inside("true")[0] == 0


def test_memory_is_bounded(inside: Inside) -> None:
    """Taking more than the limit kills the taker; the room lives on."""
    assert inside(python("len(bytearray(64 * 1024 * 1024))"))[0] == 0
    assert inside(python("len(bytearray(200 * 1024 * 1024))"))[0] == 137
    assert inside("true")[0] == 0


def test_there_is_no_swap_beyond_the_memory(client: docker.DockerClient, room: str) -> None:
    """Memory and memory with swap are one limit; a machine without swap could not show it."""
    config = client.api.inspect_container(room)["HostConfig"]
    assert config["Memory"] == config["MemorySwap"] == LIMITS.memory_mib * 1024 * 1024


def test_open_files_and_core_dumps_are_bounded(inside: Inside) -> None:
    """The limits of the process hold as hard limits."""
    assert inside("ulimit -Hn; ulimit -Hc")[1] == f"{LIMITS.open_files}\n0\n"


def test_one_processor_is_shared(client: docker.DockerClient, room: str) -> None:
    """A busy room leaves the machine's other processors to others."""
    assert client.api.inspect_container(room)["HostConfig"]["NanoCpus"] == 1_000_000_000


def test_the_command_is_process_one_with_its_environment_alone(inside: Inside) -> None:
    """Neither the image's nor the engine's variables come along, and no init stands above the command."""
    _, output = inside("tr '\\0' '\\n' < /proc/1/environ; tr '\\0' ' ' < /proc/1/cmdline")
    assert output == "PATH=/usr/bin:/bin\nPYTHONHASHSEED=7\nODD=a b=c\n/bin/sleep 300 "


def test_output_is_logged_nowhere(client: docker.DockerClient, room: str) -> None:
    """A room that writes without end must not fill the engine's disk."""
    with pytest.raises(docker.errors.APIError, match="does not support reading"):
        client.api.logs(room)


def test_options_of_two_rooms_share_only_what_they_should() -> None:
    """Every container has a name of its own; changing one's options leaves the next one's alone."""
    first: dict[str, Any] = engine.room_options("image", ["/bin/true"])
    first["host_config"]["CapDrop"].clear()
    second = engine.room_options("image", ["/bin/true"])
    assert first["name"] != second["name"]
    assert second["host_config"]["CapDrop"] == ["ALL"]
