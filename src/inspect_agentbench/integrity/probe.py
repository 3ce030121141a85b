"""Whether commands can be traced on this engine, tried in a container of the agent's kind."""

import shlex
from typing import Any

import docker
from docker.errors import DockerException
from requests.exceptions import RequestException

from inspect_agentbench.engine import Kind, labels, new_name, remove
from inspect_agentbench.errors import HarnessFault

from .pathlog import SHELL, tracer

_SECONDS = 30
_LOG = "/var/log/agentbench/probe.log"


def why_not_traced(client: docker.DockerClient, image_id: str) -> str:
    """Empty if a traced command leaves its own start in the log, otherwise what went wrong."""
    traced = shlex.join([*tracer("agent"), _LOG, SHELL, "-c", "exit 0"])
    script = (
        f"{traced} && for i in 1 2 3 4 5 6 7 8 9; do grep -q execve {_LOG} && exit 0; sleep 0.1; done; exit 9"
    )
    container = ""
    try:
        container = client.api.create_container(**_options(image_id, script))["Id"]
        client.api.start(container)
        code = client.api.wait(container, timeout=_SECONDS)["StatusCode"]
        said = client.api.logs(container).decode("utf-8", "replace").strip()[-200:]
    except (DockerException, RequestException) as error:
        raise HarnessFault(f"the tracing probe could not run: {error}") from error
    finally:
        if container:
            remove(client, container)
    if code == 0:
        return ""
    return "the traced command left no record" if code == 9 else said or f"strace ended with {code}"


def _options(image_id: str, script: str) -> dict[str, Any]:
    return {
        "image": image_id,
        "command": ["/bin/sh", "-c", script],
        "name": new_name(Kind.PROBE),
        "labels": labels(Kind.PROBE),
        "network_disabled": True,
        "host_config": {"CapAdd": ["SYS_PTRACE"], "NetworkMode": "none", "Init": True},
    }
