import json
import re
import subprocess
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from inspect_agentbench import engine
from inspect_agentbench.engine import compose
from inspect_agentbench.errors import AgentbenchError

TRACED = [
    *("strace", "-f", "-qq", "--seccomp-bpf", "-D", "-u", "agent", "-e", "trace=?open,openat,execve"),
    *("-o", "/var/log/agentbench/1", "sh", "-c"),
]

Run = Callable[..., subprocess.CompletedProcess[str]]


def test_the_image_is_filled_in_and_nothing_else_changes(own_cache: Path) -> None:
    """Inspect reads the shipped file with one line filled in, at an absolute path of the right name."""
    path = engine.agent_compose_file("agentbench-sandbox:abc")
    shipped = (engine.sandboxes_folder() / "compose.yaml").read_text()
    assert path.is_absolute()
    assert path.name == "compose.yaml"
    lines = zip(shipped.splitlines(), path.read_text().splitlines(), strict=True)
    assert [pair for pair in lines if pair[0] != pair[1]] == [
        ("    image: agentbench-sandbox", "    image: agentbench-sandbox:abc")
    ]


def test_two_images_have_two_files(own_cache: Path) -> None:
    """A run with an older image keeps its file while a newer one starts."""
    assert engine.agent_compose_file("a:1") != engine.agent_compose_file("a:2")
    assert engine.agent_compose_file("a:1") == engine.agent_compose_file("a:1")


def test_a_file_without_the_line_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An edited compose file must not run some other image unnoticed."""
    (tmp_path / "compose.yaml").write_text("services: {default: {image: mine}}\n")
    monkeypatch.setattr(compose, "sandboxes_folder", lambda: tmp_path)
    with pytest.raises(AgentbenchError, match=r"compose\.yaml: no line `image: agentbench-sandbox`"):
        engine.agent_compose_text("agentbench-sandbox:abc")


@pytest.fixture(scope="module")
def run(image: engine.ImageInfo) -> Iterator[Run]:
    """Runs a command in the agent's container, as root if not told otherwise."""
    base = ["docker", "compose", "-p", f"agentbench-test-{uuid.uuid4().hex[:8]}"]
    base += ["-f", str(engine.agent_compose_file(image.tag))]

    def run_inside(*command: str, user: str = "root") -> subprocess.CompletedProcess[str]:
        full = [*base, "exec", "-T", "-u", user, "default", *command]
        return subprocess.run(full, capture_output=True, text=True, timeout=30, check=False)

    subprocess.run([*base, "up", "--detach", "--wait"], check=True, capture_output=True)
    yield run_inside
    subprocess.run([*base, "down", "--volumes"], check=True, capture_output=True)


@pytest.mark.docker
def test_compose_understands_the_file(image: engine.ImageInfo) -> None:
    """The limits and the isolation come out of compose as they were meant."""
    command = [
        "docker",
        "compose",
        "-f",
        str(engine.agent_compose_file(image.tag)),
        "config",
        "--format",
        "json",
    ]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    service = json.loads(output)["services"]["default"]
    assert service["image"] == image.tag
    assert service["network_mode"] == "none"
    assert service["cap_add"] == ["SYS_PTRACE"]
    assert int(service["mem_limit"]) == int(service["memswap_limit"]) == 1024**3
    assert service["pids_limit"] == 256
    assert not {"user", "volumes", "tmpfs", "build"} & service.keys()


@pytest.mark.docker
def test_the_agent_has_no_network_and_not_process_one(run: Run) -> None:
    """The agent can neither reach a host nor stop the container's first process."""
    assert run("sh", "-c", "tail -n +3 /proc/net/dev | cut -d: -f1").stdout.split() == ["lo"]
    assert run("stat", "-c", "%U", "/proc/1").stdout == "root\n"
    refused = run("sh", "-c", "kill -9 1", user="agent")
    assert refused.returncode != 0
    assert "Operation not permitted" in refused.stderr


@pytest.mark.docker
def test_the_path_log_works_and_is_closed_to_the_agent(run: Run) -> None:
    """A traced command runs as the agent, its opens are logged, and the agent cannot look at the log."""
    ran = run(*TRACED, "id -un; cat /etc/hostname >/dev/null; ls /var/log/agentbench")
    assert ran.stdout == "agent\n"
    assert "Permission denied" in ran.stderr
    log = run("cat", "/var/log/agentbench/1").stdout
    assert re.search(r'execve\("/bin/(ba)?sh"|execve\("/usr/bin/sh"', log)
    assert 'openat(AT_FDCWD, "/etc/hostname"' in log


@pytest.mark.docker
def test_home_is_no_temporary_file_system(run: Run) -> None:
    """After the container was killed the engine can read what the agent left only from a real layer."""
    kind = run("stat", "-f", "-c", "%T", "/home/agent").stdout.strip()
    assert kind != "tmpfs"
