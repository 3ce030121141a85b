import os
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from docker.context import ContextAPI

from inspect_agentbench.engine import client as client_module
from inspect_agentbench.engine import connect
from inspect_agentbench.engine.client import check_compose
from inspect_agentbench.errors import EngineUnavailable


def test_an_absent_socket_is_named_with_the_way_out(
    short_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without an engine the one line says where it was sought and how to get one."""
    monkeypatch.setenv("DOCKER_HOST", f"unix://{short_folder}/absent.sock")
    with pytest.raises(EngineUnavailable) as caught:
        connect()
    line = str(caught.value)
    assert f"{short_folder}/absent.sock" in line
    assert "does not exist" in line
    assert "scripts/ensure-engine.sh" in line
    assert "\n" not in line


def test_a_socket_nobody_serves_does_not_answer(short_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A socket left by a killed daemon is told apart from an absent one."""
    path = short_folder / "dead.sock"
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(path))
    monkeypatch.setenv("DOCKER_HOST", f"unix://{path}")
    with pytest.raises(EngineUnavailable, match=r"dead\.sock: it does not answer"):
        connect()


def test_a_silent_daemon_is_given_up(short_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A daemon that accepts and says nothing costs the connect time-out, not forever."""
    monkeypatch.setattr(client_module, "CONNECT_SECONDS", 0.2)
    with socket.socket(socket.AF_UNIX) as silent:
        silent.bind(str(short_folder / "silent.sock"))
        silent.listen()
        monkeypatch.setenv("DOCKER_HOST", f"unix://{short_folder}/silent.sock")
        with pytest.raises(EngineUnavailable, match="does not answer"):
            connect()


def test_an_address_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A misspelt DOCKER_HOST is the user's mistake, not a stack trace."""
    monkeypatch.setenv("DOCKER_HOST", "nonsense://here")
    with pytest.raises(EngineUnavailable, match="nonsense://here"):
        connect()


def test_a_forbidden_socket_says_permission(short_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who is not in the group docker learns that, not that the daemon is down."""
    with socket.socket(socket.AF_UNIX) as closed:
        closed.bind(str(short_folder / "closed.sock"))
        (short_folder / "closed.sock").chmod(0)
        monkeypatch.setenv("DOCKER_HOST", f"unix://{short_folder}/closed.sock")
        with powerless(), pytest.raises(EngineUnavailable, match="permission denied"):
            connect()


@contextmanager
def powerless() -> Iterator[None]:
    """Root may open every socket: be somebody else for a moment."""
    mine = os.geteuid()
    if mine != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(mine)


@pytest.mark.parametrize("version", ["20.10.24+dfsg1", "24.0.5", "5.4.0"])
def test_an_old_engine_is_refused(fake_engine: Callable[..., object], version: str) -> None:
    """An engine that Inspect would refuse is refused here, with both versions in the line."""
    fake_engine(version=version)
    with pytest.raises(EngineUnavailable) as caught:
        connect()
    assert f"docker engine {version}" in str(caught.value)
    assert ">= 24.0.6" in str(caught.value)


@pytest.mark.parametrize("version", ["24.0.6", "26.1.5+dfsg1", "100.0.0"])
def test_a_new_engine_is_taken_and_kept(fake_engine: Callable[..., object], version: str) -> None:
    """The second call gives the same client without asking again."""
    fake_engine(version=version)
    assert connect() is connect()


def test_a_failure_is_not_remembered(
    short_folder: Path, fake_engine: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An engine started after a failed call, at the same address, is found."""
    monkeypatch.setenv("DOCKER_HOST", f"unix://{short_folder}/fake.sock")
    with pytest.raises(EngineUnavailable):
        connect()
    fake_engine()
    assert connect().version()["Version"] == "26.1.5"


def test_the_current_context_is_followed(
    fake_engine: Callable[..., object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Docker Desktop's engine stands in a context, not in DOCKER_HOST."""
    address = fake_engine(version="99.0.0").address  # type: ignore[attr-defined]
    monkeypatch.delenv("DOCKER_HOST")
    (tmp_path / "config.json").write_text("{}")
    monkeypatch.setenv("DOCKER_CONFIG", str(tmp_path))
    ContextAPI.create_context("desktop", host=address)
    monkeypatch.setenv("DOCKER_CONTEXT", "desktop")
    assert connect().version()["Version"] == "99.0.0"


def test_an_unknown_context_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """A context that does not exist must not mean the default engine."""
    monkeypatch.delenv("DOCKER_HOST", raising=False)
    monkeypatch.setenv("DOCKER_CONTEXT", "gone-long-ago")
    with pytest.raises(EngineUnavailable, match='"gone-long-ago" does not exist'):
        connect()


@pytest.fixture
def docker_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Puts a docker command with the given body first and alone on PATH."""
    check_compose.cache_clear()
    monkeypatch.setenv("PATH", str(tmp_path))

    def put(body: str) -> None:
        path = tmp_path / "docker"
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)

    return put


def test_compose_new_enough_gives_its_version(docker_command: Callable[[str], None]) -> None:
    """The version comes without the v that some builds print."""
    docker_command("echo v2.26.1-4")
    assert check_compose() == "2.26.1-4"


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("echo 2.20.3", r"docker compose 2\.20\.3 is too old: update it to >= 2\.21\.0"),
        ("echo what; exit 1", r"plug-in is missing: install compose >= 2\.21\.0"),
        (None, "docker command is not on PATH"),
    ],
)
def test_compose_missing_or_old_says_so(
    docker_command: Callable[[str], None], body: str | None, said: str
) -> None:
    """Inspect starts the agent's container through compose: without it one line says what to install."""
    if body:
        docker_command(body)
    with pytest.raises(EngineUnavailable, match=said):
        check_compose()
