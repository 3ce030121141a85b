"""`agentbench doctor`: banks, model servers, and what killed runs left."""

import json
import os
import subprocess
from pathlib import Path

import docker
import pytest
from click.testing import CliRunner, Result
from suite_runs import BANKS

from inspect_agentbench import engine
from inspect_agentbench.cli import main
from inspect_agentbench.engine import Kind, containers

DEAD_SOCKET = "unix:///nowhere/docker.sock"


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def test_doctor_finds_a_broken_bank(monkeypatch: pytest.MonkeyPatch) -> None:
    """Told as a check that failed, beside the others."""
    monkeypatch.setenv("AGENTBENCH_BANK", str(BANKS / "broken"))
    monkeypatch.setenv("DOCKER_HOST", DEAD_SOCKET)
    findings = {finding["check"]: finding for finding in json.loads(run("doctor", "--json").stdout)}
    assert findings["bank"]["ok"] is False
    assert "mistakes" in findings["bank"]["detail"]


@pytest.mark.parametrize(
    ("model", "told"),
    [
        ("ollama/nothing", "no model server answers at http://127.0.0.1:9/v1"),
        ("nosuchprovider/x", "nosuchprovider"),
        ("replay/nope", "there is no model replay/nope"),
    ],
)
def test_doctor_asks_a_model_s_server(monkeypatch: pytest.MonkeyPatch, model: str, told: str) -> None:
    """What a run would stumble over is found without starting one."""
    monkeypatch.setenv("OLLAMA_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("DOCKER_HOST", DEAD_SOCKET)
    findings = {f["check"]: f for f in json.loads(run("doctor", "--json", "--model", model).stdout)}
    assert findings[f"model {model}"]["ok"] is False
    assert told in findings[f"model {model}"]["detail"]


@pytest.mark.docker
def test_doctor_removes_what_a_killed_run_left(client: docker.DockerClient, image: engine.ImageInfo) -> None:
    """Found by label and run id; only that run's containers go, and a run at work is not listed."""
    ended = subprocess.Popen(["true"])
    ended.wait()
    names = {}
    for run_name, process in (("ab0000000001", ended.pid), ("ab0000000002", ended.pid), ("ab3", os.getpid())):
        options = engine.room_options(image.id, ["/bin/sleep", "300"], kind=Kind.ROOM)
        options["labels"] |= {containers.RUN_LABEL: run_name, containers.PROCESS_LABEL: str(process)}
        client.api.create_container(**options)
        names[run_name] = options["name"]
    try:
        detail = next(
            f["detail"]
            for f in json.loads(run("doctor", "--json").stdout)
            if f["check"] == "left by killed runs"
        )
        assert [name in detail for name in names.values()] == [True, True, False]
        cleaned = run("doctor", "--clean", "ab0000000001")
        assert (cleaned.exit_code, names["ab0000000001"] in cleaned.stderr) == (0, True)
        left = {leftover.name for leftover in engine.list_leftovers(client)}
        assert names["ab0000000001"] not in left
        assert names["ab0000000002"] in left
        assert run("doctor", "--clean", "ab0000000001").exit_code == 2
    finally:
        for name in names.values():
            engine.remove(client, name)
