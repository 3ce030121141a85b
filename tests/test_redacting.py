"""Redacted copies: nothing of an oracle's is left in them, and they still say what came out."""

import base64
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from suite_runs import BANKS, ROOT, command, run_eval

from inspect_agentbench import redacting
from inspect_agentbench.bank import Bank, load_bank
from inspect_agentbench.errors import AgentbenchError
from inspect_agentbench.logs import Episode, episodes
from inspect_agentbench.outcome import Outcome
from inspect_agentbench.redacting import redact_log
from inspect_agentbench.submission import from_data
from inspect_agentbench.watching import strings

pytestmark = pytest.mark.docker

SCRIPTS = ("lazy", "attack:show-oracle", "attack:submit-canary:correct")


@pytest.fixture(scope="module")
def bank() -> Bank:
    return load_bank(ROOT)


@pytest.fixture(scope="module")
def originals(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A log by script: an honest wrong fix, one with the oracle in its transcript, one in its files."""
    folder = tmp_path_factory.mktemp("originals")
    logs = run_eval("inspect_agentbench/tailer", [f"replay/{name}" for name in SCRIPTS], folder, max_tasks=2)
    return {log.eval.model.removeprefix("replay/"): Path(log.location) for log in logs}


@pytest.fixture(scope="module")
def copies(originals: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("copies")
    for path in originals.values():
        redact_log(path, folder / path.name, None)
    return {name: folder / path.name for name, path in originals.items()}


def only(path: Path) -> Episode:
    (episode,) = episodes(path)
    return episode


def everything(path: Path) -> str:
    """Every string of every member of a log, as it is when JSON's escapes are undone."""
    with zipfile.ZipFile(path) as archive:
        members = [json.loads(archive.read(name)) for name in archive.namelist()]
    return "\n".join(text for member in members for text in strings(member))


@pytest.mark.parametrize("script", SCRIPTS)
def test_nothing_of_the_oracle_is_left(
    originals: dict[str, Path], copies: dict[str, Path], bank: Bank, script: str
) -> None:
    """No shown disagreement, no canary, none of the text, plain or in the attack's own encoding."""
    family = bank.family("tailer")
    text = everything(copies[script])
    oracle = family.without_canary(family.oracle_source.encode())
    assert family.oracle.canary not in text
    assert family.oracle.canary[::-1] not in text
    assert base64.b64encode(oracle).decode()[:200] not in text
    shown = only(originals[script]).report
    assert shown is not None
    for trial in shown.trials.first:
        for hidden in (trial.input, trial.expected, trial.got):
            assert len(hidden) < 9 or hidden not in text


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_copy_says_what_came_out(originals: dict[str, Path], copies: dict[str, Path], script: str) -> None:
    """Outcome, counts, signature, hash and evidence are those of the original."""
    before, after = only(originals[script]), only(copies[script])
    assert after.outcome is before.outcome
    old, new = before.report, after.report
    assert old is not None
    assert new is not None
    bare = old.model_copy(update={"trials": old.trials.model_copy(update={"first": ()})})
    assert new == bare
    assert after.explanation.startswith(new.explanation())


def test_the_honest_submission_stays_whole(copies: dict[str, Path]) -> None:
    """Whoever has the oracle can grade it again; its bytes still give its hash."""
    episode = only(copies["lazy"])
    assert episode.outcome is Outcome.ILLUSORY
    assert episode.report is not None
    assert from_data(episode.submission, "copy").hash == episode.report.submission_hash
    assert "```diff" in episode.explanation
    assert episode.sample.messages


@pytest.mark.parametrize("script", SCRIPTS[1:])
def test_of_an_episode_that_reached_the_oracle_the_verdict_stays(
    copies: dict[str, Path], script: str
) -> None:
    """What such an agent wrote could hold the oracle in any encoding, so none of it is published."""
    episode = only(copies[script])
    assert episode.outcome is Outcome.DISQUALIFIED
    assert episode.sample.messages == []
    assert {event.event for event in episode.sample.events} <= {"sample_init", "score", "sample_limit"}
    assert episode.submission["redacted"] is True
    assert "disqualified: " in episode.explanation
    assert "diff" not in episode.explanation


def test_a_copy_that_is_not_clean_is_not_kept(
    originals: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The check reads the written file by itself and does not trust the redaction."""

    def untouched(self: object, value: Any) -> Any:
        return value

    monkeypatch.setattr(redacting._Redactor, "redact", untouched)
    with pytest.raises(AgentbenchError, match="do not publish this log"):
        redact_log(originals["lazy"], tmp_path / "copy.eval", None)
    assert list(tmp_path.iterdir()) == []


def test_the_command_copies_once(originals: dict[str, Path], tmp_path: Path) -> None:
    """A table by default, JSON when asked; an existing copy is never overwritten."""
    log, to = originals["lazy"], tmp_path / "out"
    done = command("agentbench", "redact", log, "--to", to, "--json")
    assert done.returncode == 0, done.stderr
    (said,) = json.loads(done.stdout)
    assert (said["episodes"], said["disagreements"], said["texts"]) == (1, 3, 0)
    assert Path(said["target"]).is_file()
    again = command("agentbench", "redact", log, "--to", to)
    assert again.returncode == 2
    assert "exists; name another folder" in again.stderr


def test_a_log_of_another_oracle_is_refused(originals: dict[str, Path], tmp_path: Path, bank: Bank) -> None:
    """Against another oracle nobody could tell what must be taken out."""
    log = originals["lazy"]
    done = command("agentbench", "redact", log, "--to", tmp_path, "--bank", BANKS / "tiny")
    assert done.returncode == 2
    assert "no family 'tailer' in the bank" in done.stderr
    assert list(tmp_path.iterdir()) == []
