"""A container as agents get it, without Inspect around it."""

import io
import json
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml
from inspect_ai.util import Store

from inspect_agentbench.engine import Kind, agent_compose_text, labels, new_name, remove
from inspect_agentbench.episode import EpisodeRecord
from inspect_agentbench.episode.calling import command_request
from inspect_agentbench.episode.inside import command as command_program
from inspect_agentbench.episode.layout import AGENT, HOME, WORKSPACE
from inspect_agentbench.episode.prompt import visible_test_command
from inspect_agentbench.episode.workspace import workspace_tar
from inspect_agentbench.integrity.pathlog import LOG_FOLDER

from .setting import BenchmarkFailed, Setting

COMMAND_SECONDS = 120
_OUTPUT_CHARS = 16_000
_INSIDE = Path(__file__).parent / "inside.py"
_MAKE_READY = (
    f"mkdir -p -m 700 {LOG_FOLDER} && chown -R {AGENT}:{AGENT} {HOME} && cd {WORKSPACE} && "
    f"git config --global --add safe.directory {WORKSPACE} && git init -q && git add -A && "
    "git -c user.name=b -c user.email=b@localhost commit -qm start"
)


class AgentContainer:
    """A running container with the tree, in which the known correct fix was made."""

    def __init__(self, setting: Setting, container: str) -> None:
        self.id = container
        self._setting = setting
        self._commands = 0

    def make_ready(self) -> None:
        """Put the tree and the fix there, as a repository of the agent's."""
        api = self._setting.client.api
        api.put_archive(self.id, HOME, workspace_tar(self._setting.variant))
        api.put_archive(self.id, WORKSPACE, _tar(self._setting.fix.files))
        self.run(["/bin/sh", "-c", _MAKE_READY])

    def run(self, argv: Sequence[str]) -> str:
        """Run something as root and give its output; BenchmarkFailed if it fails."""
        api = self._setting.client.api
        started = api.exec_create(self.id, list(argv), user="root")["Id"]
        output = bytes(api.exec_start(started)).decode()
        if api.exec_inspect(started)["ExitCode"] != 0:
            raise BenchmarkFailed(f"a command in the agent's container failed: {output[-500:]}")
        return output

    def time_test_runs(self, traced: Sequence[bool]) -> list[float]:
        """Seconds of one visible test run for each entry, in one exec, through the program of the tool."""
        requests = [self._request(on) for on in traced]
        program = Path(command_program.__file__).read_text(encoding="utf-8")
        argument = json.dumps({"program": program, "requests": requests})
        inside = _INSIDE.read_text(encoding="utf-8")
        return list(json.loads(self.run(["/usr/bin/python3", "-sP", "-c", inside, argument])))

    @property
    def commands(self) -> int:
        """How many test runs there were; each traced one left a log of its number."""
        return self._commands

    def _request(self, traced: bool) -> dict[str, Any]:
        self._commands += 1
        record = EpisodeRecord(store=Store())
        record.commands, record.path_log = self._commands, "on" if traced else "unavailable"
        command = visible_test_command(self._setting.variant)
        return command_request(record, command, COMMAND_SECONDS, _OUTPUT_CHARS)


@contextmanager
def agent_container(setting: Setting) -> Iterator[AgentContainer]:
    """Start one by the shipped compose file; it is removed at the end."""
    api = setting.client.api
    container = api.create_container(**_options(setting))["Id"]
    try:
        api.start(container)
        agent = AgentContainer(setting, container)
        agent.make_ready()
        yield agent
    finally:
        remove(setting.client, container)


def _options(setting: Setting) -> dict[str, Any]:
    service = yaml.safe_load(agent_compose_text(setting.image.tag))["services"]["default"]
    return {
        "image": setting.image.id,
        "command": service["command"],
        "name": new_name(Kind.PROBE),
        "labels": labels(Kind.PROBE),
        "network_disabled": True,
        "host_config": setting.client.api.create_host_config(
            network_mode=service["network_mode"],
            init=service["init"],
            cap_add=service["cap_add"],
            security_opt=service["security_opt"],
            mem_limit=service["mem_limit"],
            memswap_limit=service["memswap_limit"],
            nano_cpus=round(service["cpus"] * 1e9),
            pids_limit=service["pids_limit"],
        ),
    }


def _tar(files: Mapping[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for path, content in files.items():
            info = tarfile.TarInfo(path)
            info.size, info.mode = len(content), 0o644
            archive.addfile(info, io.BytesIO(content))
    return stream.getvalue()
