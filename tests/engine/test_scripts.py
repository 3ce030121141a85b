"""The set-up scripts, with stand-ins for the commands whose answers cannot be had here."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from inspect_agentbench import engine

ROOT = Path(__file__).resolve().parents[2]
ENSURE_ENGINE = ROOT / "scripts" / "ensure-engine.sh"
FIND_PYTHON = ROOT / "scripts" / "find-python.sh"
MAKE_BASE = engine.sandboxes_folder() / "make-base-image.sh"

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Runs a script where the named commands print a line and end with a code."""

    def run_script(script: Path, **commands: str) -> subprocess.CompletedProcess[str]:
        for name, body in commands.items():
            path = tmp_path / name.replace("_", ".")
            path.write_text(f"#!/bin/sh\n{body}\n")
            path.chmod(0o755)
        environment = {"PATH": f"{tmp_path}:/usr/bin:/bin"}
        return subprocess.run(
            ["sh", str(script)], env=environment, capture_output=True, text=True, check=False
        )

    return run_script


def docker_command(engine_version: str, compose_version: str) -> str:
    return f"""
case "$1" in
    version) [ -n "{engine_version}" ] && echo "{engine_version}" ;;
    compose) [ -n "{compose_version}" ] && echo "{compose_version}" ;;
    *) echo "unexpected: $*" >&2; exit 9 ;;
esac"""


@pytest.mark.parametrize(
    ("engine_version", "compose_version"), [("24.0.6", "2.21.0"), ("100.1.0", "v5.0.0-1")]
)
def test_an_engine_that_answers_is_left_alone(run: Run, engine_version: str, compose_version: str) -> None:
    """On a machine with Docker the set-up says nothing and asks for no permission."""
    ended = run(ENSURE_ENGINE, docker=docker_command(engine_version, compose_version), id="echo 1000")
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")


@pytest.mark.parametrize(
    ("engine_version", "compose_version", "said"),
    [
        ("", "2.26.1", "the docker engine does not answer"),
        ("20.10.24+dfsg1", "2.26.1", "docker engine 20.10.24+dfsg1 is older than 24.0.6"),
        ("26.1.5", "", "the docker compose plug-in is missing"),
        ("26.1.5", "2.3.4", "docker compose 2.3.4 is older than 2.21.0"),
    ],
)
def test_without_permission_one_line_says_what_is_missing(
    run: Run, engine_version: str, compose_version: str, said: str
) -> None:
    """A user who may not install gets the fault and the way out, and code 2; nothing is changed."""
    forbidden = "echo touched >&2; exit 1"
    ended = run(
        ENSURE_ENGINE,
        docker=docker_command(engine_version, compose_version),
        id="echo 1000",
        uname="echo Linux",
        dockerd=forbidden,
        setsid=forbidden,
    )
    assert ended.returncode == 2
    (line,) = ended.stderr.splitlines()
    assert line.startswith(f"ensure-engine: {said}: ")
    assert "as root on Debian" in line


def test_another_system_is_told_to_start_its_own(run: Run) -> None:
    """A Mac gets no apt-get, not even as root."""
    ended = run(ENSURE_ENGINE, docker=docker_command("", ""), id="echo 0", uname="echo Darwin")
    assert ended.returncode == 2
    assert "Docker Desktop" in ended.stderr


@pytest.mark.parametrize(
    ("commands", "code", "out", "said"),
    [
        ({"python3": "exit 0"}, 0, "python3\n", ""),
        ({"python3": "exit 1", "python3_13": "exit 0"}, 0, "python3.13\n", ""),
        ({"python3": 'case "$2" in *ensurepip*) exit 1;; esac'}, 2, "", "apt-get install python3-venv"),
        ({"python3": "exit 1"}, 2, "", "no Python >= 3.11 on PATH"),
    ],
)
def test_a_python_is_found_or_asked_for(
    run: Run, commands: dict[str, str], code: int, out: str, said: str
) -> None:
    """The first Python that is new enough and can make environments; otherwise one line with the way out."""
    none = {f"python3_{minor}": "exit 1" for minor in (11, 12, 13, 14)}
    ended = run(FIND_PYTHON, **{**none, **commands})
    assert (ended.returncode, ended.stdout) == (code, out)
    assert said in ended.stderr


def test_a_base_that_is_there_is_not_made_again(run: Run) -> None:
    """The script may run in every set-up."""
    ended = run(MAKE_BASE, docker="echo 0123456789ab", mmdebstrap="exit 9")
    assert (ended.returncode, ended.stderr) == (0, "")


def test_the_base_is_refused_without_root(run: Run) -> None:
    """Who cannot make a base is pointed to the other way."""
    ended = run(MAKE_BASE, docker="exit 0", id="echo 1000", mmdebstrap="exit 9")
    assert ended.returncode == 2
    assert "pull a base image instead" in ended.stderr
