"""The commands as a user meets them: tables, JSON, one-line errors, exit codes."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from suite_runs import BANKS, command

from inspect_agentbench.bank import load_bank

TINY = str(BANKS / "tiny")


def agentbench(*words: str | Path, **environment: str) -> "subprocess.CompletedProcess[str]":
    return command("agentbench", *words, **environment)


@pytest.fixture
def fixed(tmp_path: Path) -> Path:
    """A folder that holds just the changed file of a right fix."""
    fix = load_bank(BANKS / "tiny").family("tiny").fixes("correct")["integers"]
    for path, content in fix.files.items():
        (tmp_path / path).write_bytes(content)
    return tmp_path


@pytest.mark.parametrize(
    "words", [(), ("grade",), ("regrade",), ("list",), ("lock",), ("signatures",), ("doctor",)]
)
def test_every_command_has_help(words: tuple[str, ...]) -> None:
    """`--help` says what a command does, and ends well."""
    done = agentbench(*words, "--help")
    assert done.returncode == 0
    assert "Usage: agentbench" in done.stdout


def test_list_shows_each_variant() -> None:
    """One row for each variant, as a table and as JSON."""
    table = agentbench("list", "--bank", TINY)
    data = json.loads(agentbench("list", "--bank", TINY, "--json").stdout)
    assert table.returncode == 0
    assert [row["variant"] for row in data["variants"]] == ["plain", "terse"]
    assert len(table.stdout.strip().splitlines()) == 1 + len(data["variants"])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("list", "--bank", "/nowhere"), "/nowhere is not a bank"),
        (("list", "--bank", str(BANKS / "broken")), "mend these files"),
        (("grade", "nothing", "."), "no family 'nothing'"),
        (("grade", "tiny", ".", "--bank", TINY, "--variant", "odd"), "no variant 'odd'"),
        (("grade", "tiny", "/nowhere", "--bank", TINY), "/nowhere is not a folder"),
        (("grade", "tiny", str(BANKS), "--bank", TINY), "holds none of the editable files"),
        (("signatures", "nothing", "--bank", TINY), "no family 'nothing'"),
        (("regrade", "/nowhere.eval"), "/nowhere.eval does not exist"),
    ],
)
def test_wrong_input_is_told_with_exit_code_2(words: tuple[str, ...], said: str) -> None:
    """What, where and what to do; nothing on standard output, no traceback."""
    done = agentbench(*words)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("words", [("grade", "tiny", ".", "--bank", TINY), ("doctor", "--clean", "nothing")])
def test_a_missing_engine_is_one_line(words: tuple[str, ...], fixed: Path) -> None:
    """Without docker nothing starts, and the line says where it was looked for."""
    words = tuple(str(fixed) if word == "." else word for word in words)
    done = agentbench(*words, DOCKER_HOST="unix:///nowhere/docker.sock")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "unix:///nowhere/docker.sock" in done.stderr


def test_doctor_says_no_without_an_engine() -> None:
    """The other checks still run, and the exit code is 1."""
    done = agentbench("doctor", "--json", DOCKER_HOST="unix:///nowhere/docker.sock")
    found = {finding["check"]: finding["ok"] for finding in json.loads(done.stdout)}
    assert done.returncode == 1
    assert not found["docker engine"]
    assert found["bank"]


@pytest.mark.docker
def test_doctor_finds_everything_well() -> None:
    """On a machine that is set up every check is ok."""
    done = agentbench("doctor", "--json")
    assert done.returncode == 0, done.stdout
    assert all(finding["ok"] for finding in json.loads(done.stdout))


@pytest.mark.docker
def test_a_folder_is_graded_without_a_model(fixed: Path) -> None:
    """Files that the folder does not hold count as unchanged; the report is the log's."""
    done = agentbench("grade", "tiny", fixed, "--bank", TINY, "--json", "--repeat", "2")
    reports = json.loads(done.stdout)
    assert done.returncode == 0
    assert [report["outcome"] for report in reports] == ["solved", "solved"]
    assert reports[0]["trials"]["total"] == 12
    assert reports[0]["submission_hash"] == reports[1]["submission_hash"]


@pytest.mark.docker
def test_a_table_says_why(fixed: Path) -> None:
    """The table comes with the line that a log would explain the verdict with."""
    done = agentbench("grade", "tiny", fixed, "--bank", TINY)
    assert done.returncode == 0
    assert "visible 2/2; all 12 trials agree" in done.stdout


@pytest.mark.docker
def test_signatures_are_recorded_and_checked(tmp_path: Path) -> None:
    """What the tool records holds at the next check; a hand-edited file does not."""
    bank = tmp_path / "bank"
    shutil.copytree(BANKS / "tiny", bank)
    assert agentbench("signatures", "--bank", bank, "--check").returncode == 1
    assert agentbench("signatures", "--bank", bank).returncode == 0
    family = load_bank(bank).family("tiny")
    recorded = json.loads(family.signatures_path.read_bytes())
    assert set(recorded["variants"]["plain"]) == {"float", "unchecked"}
    assert agentbench("signatures", "--bank", bank, "--check").returncode == 0
    recorded["variants"]["plain"]["float"]["trials"].pop()
    family.signatures_path.write_text(json.dumps(recorded))
    done = agentbench("signatures", "--bank", bank, "--check")
    assert done.returncode == 1
    assert "the recorded signatures are not these" in done.stderr


@pytest.mark.docker
@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("rng.", "__import__('random').", "makes other trials or answers when it is asked again"),
        ("::test_empty", "::test_gone", "no fixed case mirrors tests/test_adder.py::test_empty"),
    ],
)
def test_an_oracle_at_fault_is_not_recorded(tmp_path: Path, old: str, new: str, said: str) -> None:
    """An oracle that rests on chance, or leaves a visible test unmirrored, gets no signature."""
    bank = tmp_path / "bank"
    shutil.copytree(BANKS / "tiny", bank)
    (oracle,) = bank.glob("oracles/tiny/canary-*/oracle.py")
    text = oracle.read_text()
    assert old in text
    oracle.write_text(text.replace(old, new))
    done = agentbench("signatures", "--bank", bank)
    assert done.returncode in (1, 2)
    assert said in done.stderr
    assert not load_bank(bank).family("tiny").signatures_path.exists()


def test_a_demo_of_a_model_that_cannot_be_is_one_line(tmp_path: Path) -> None:
    """Bad input, not an errored episode: exit code 2 and no log folder."""
    folder = tmp_path / "logs"
    for model in ("foo/bar", "replay/lasy", "ollama/nope"):
        done = agentbench(
            "demo", "--model", model, "--log-dir", folder, OLLAMA_BASE_URL="http://127.0.0.1:9/v1"
        )
        assert done.returncode == 2, done.stderr
        assert "Traceback" not in done.stderr
        assert not folder.exists()


def test_a_lock_names_what_changed(tmp_path: Path) -> None:
    """One byte of what the agent sees, of an issue, of an oracle: each is noticed and named."""
    bank = tmp_path / "bank"
    shutil.copytree(BANKS / "tiny", bank)
    assert agentbench("lock", "--check", "--bank", bank).returncode == 1
    assert agentbench("lock", "--bank", bank).returncode == 0
    assert agentbench("lock", "--check", "--bank", bank).returncode == 0
    (oracle,) = bank.glob("oracles/tiny/canary-*/oracle.py")
    for path, said in (
        (bank / "tasks/tiny/repo/README.md", "what the agent is given in variant plain changed"),
        (bank / "tasks/tiny/variants/plain/issue.md", "what the agent is given in variant plain changed"),
        (oracle, "the oracle changed"),
    ):
        before = path.read_bytes()
        path.write_bytes(before + b" ")
        done = agentbench("lock", "--check", "--bank", bank)
        assert done.returncode == 1
        assert f"tiny: {said}" in done.stdout
        path.write_bytes(before)


def test_a_bank_that_does_not_match_its_lock_does_not_run(tmp_path: Path) -> None:
    """Inspect refuses with one line, and names the ways out."""
    bank = tmp_path / "bank"
    shutil.copytree(BANKS / "tiny", bank)
    assert agentbench("lock", "--bank", bank).returncode == 0
    (bank / "tasks/tiny/repo/adder.py").write_bytes(b"# changed\n")
    words = ("inspect_agentbench/bank", "-T", f"bank={bank}", "--model", "replay/idle", "--display", "plain")
    done = command("inspect", "eval", *words, cwd=tmp_path)
    said = done.stdout + done.stderr
    assert done.returncode == 1
    assert "does not match its agentbench.lock" in said
    assert "allow_unfrozen" in said
    assert "Traceback" not in said
    assert not list(tmp_path.rglob("*.eval"))
