"""A4: no network, tried from inside the agent's container and from a room."""

import contextlib
import json
import socket
import subprocess
import tempfile
import uuid
from collections.abc import Iterator, Mapping
from pathlib import Path

import docker

from ..engine import ImageInfo, Kind, agent_compose_text, fill_in_labels
from ..errors import HarnessFault
from ..grading.cases import Case
from ..grading.inside.wire import decode, encode
from ..grading.plan import driver_plan
from ..grading.room import RoomRequest, ask_room
from .probe import probe
from .reasons import Finding, Reason

WAYS = ("tcp", "udp", "dns", "ipv6", "host", "interfaces")
_PROBE = (Path(__file__).parent / "inside" / "reaching.py").read_text(encoding="utf-8")
_COMPOSE_SECONDS = 120
_PROBE_SECONDS = 15.0

Reached = Mapping[str, str]
"""By way out: `off`, or what happened."""


def reach_from_everywhere(client: docker.DockerClient, image: ImageInfo) -> dict[str, Reached]:
    """What can be reached from an agent's container and from a room.

    Raises HarnessFault if either cannot be asked.
    """
    with _listening() as port:
        return {
            "agent's container": _from_agent(client, image, port),
            "room": _from_room(client, image, port),
        }


def reach_from_open_container(client: docker.DockerClient, image: ImageInfo) -> dict[str, Reached]:
    """What can be reached where the host's network is on: the control that shows that the probe sees one."""
    with _listening() as port:
        return {
            "open container": _read(
                probe(
                    client,
                    image,
                    _PROBE,
                    str(port),
                    seconds=_PROBE_SECONDS,
                    network_mode="host",
                    user="65534",
                )
            )
        }


def check_network(family: str, reached: Mapping[str, Reached]) -> list[Finding]:
    """A finding for each place from which any way out is not off."""
    return [
        Finding(family, Reason.NETWORK_ON, place, ", ".join(f"{way} is {ways.get(way)}" for way in on))
        for place, ways in reached.items()
        if (on := [way for way in WAYS if ways.get(way) != "off"])
    ]


@contextlib.contextmanager
def _listening() -> Iterator[int]:
    """A port on the host's loopback that takes connections."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def _from_room(client: docker.DockerClient, image: ImageInfo, port: int) -> Reached:
    case = Case("network", ({"input": encode(port)},), ("",))
    result = ask_room(client, image.id, RoomRequest(driver_plan(_PROBE, [case], _PROBE_SECONDS), [case], 1))
    answer = result.answers["network"][0]
    if answer.text is None:
        raise HarnessFault(f"the network could not be tried from a room: {answer.silence}")
    return {str(way): str(found) for way, found in decode(answer.text).items()}


def _from_agent(client: docker.DockerClient, image: ImageInfo, port: int) -> Reached:
    """From a container that compose makes of the very file that Inspect is given, as the agent's user."""
    project = f"agentbench-gate-{uuid.uuid4().hex[:8]}"
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "compose.yaml"
        file.write_text(_as_probe(agent_compose_text(image.tag)), encoding="utf-8")
        fill_in_labels()
        compose = ["docker", "compose", "-p", project, "-f", str(file)]
        try:
            _run([*compose, "up", "-d", "--quiet-pull"])
            command = ["python3", "-c", _PROBE, str(port)]
            return _read(_run([*compose, "exec", "-T", "--user", "agent", "default", *command]))
        finally:
            _run([*compose, "down", "--timeout", "0"])


def _as_probe(compose: str) -> str:
    """The compose file with the label by which an interrupted run removes its own containers."""
    return compose.replace(f".kind: {Kind.AGENT}\n", f".kind: {Kind.PROBE}\n")


def _run(command: list[str]) -> bytes:
    try:
        done = subprocess.run(command, capture_output=True, timeout=_COMPOSE_SECONDS, check=True)
    except (OSError, subprocess.SubprocessError) as error:
        said = (getattr(error, "stderr", None) or b"").decode(errors="replace").strip()[-300:]
        raise HarnessFault(f"`{' '.join(command[:3])} …` failed: {error} {said}") from error
    return done.stdout


def _read(output: bytes) -> Reached:
    try:
        return {str(way): str(found) for way, found in json.loads(output).items()}
    except (ValueError, AttributeError) as error:
        raise HarnessFault(f"the network probe gave {output[-200:]!r}") from error
