"""Grading the saved submissions of logs again: by `agentbench regrade` and by Inspect itself."""

import json
import zipfile
from pathlib import Path

import pytest
from inspect_ai.log import read_eval_log
from suite_runs import command, run_eval

from inspect_agentbench.logs import SCORE_NAME

pytestmark = pytest.mark.docker


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory, banks: Path) -> Path:
    """Two runs of the obvious wrong fix of the tiny bank."""
    folder = tmp_path_factory.mktemp("logs")
    task_args = {"bank": str(banks / "tiny"), "family": "tiny"}
    (written,) = run_eval("inspect_agentbench/bank", "replay/lazy", folder, task_args=task_args, epochs=2)
    return Path(written.location.removeprefix("file://"))


def changed(log: Path, copy: Path, old: str, new: str) -> Path:
    """A copy of a log in which a text inside its samples was replaced."""
    with zipfile.ZipFile(log) as before, zipfile.ZipFile(copy, "w", zipfile.ZIP_DEFLATED) as after:
        for name in before.namelist():
            content = before.read(name).decode()
            if name.startswith("samples/"):
                assert old in content
                content = content.replace(old, new)
            after.writestr(name, content)
    return copy


def test_everything_is_as_recorded(log: Path) -> None:
    """Both runs come out as they did, and the command says so."""
    done = command("agentbench", "regrade", log.parent, "--json")
    results = json.loads(done.stdout)
    assert done.returncode == 0
    assert [(r["recorded"], r["now"], r["matches"]) for r in results] == [("illusory", "illusory", True)] * 2


def test_one_changed_byte_of_a_submission_is_told(log: Path, tmp_path: Path) -> None:
    """A submission that does not hash any more is never graded as if it were the recorded one."""
    sample = next(iter(read_eval_log(str(log), resolve_attachments=True).samples or []))
    text = sample.store["SavedSubmission:saved"]["files"]["adder.py"]["text"]
    word = next(word for word in text.split() if word.isalpha() and len(word) > 5 and text.count(word) == 1)
    copy = changed(log, tmp_path / "copy.eval", word, word[:-1] + ("x" if word[-1] != "x" else "y"))
    done = command("agentbench", "regrade", copy)
    assert done.returncode == 1
    assert "was changed" in done.stdout
    assert "0 of 2 episodes are as recorded" in done.stdout


def test_a_changed_score_is_told(log: Path, tmp_path: Path) -> None:
    """An outcome that was edited by hand contradicts its own report and the new grading."""
    copy = changed(log, tmp_path / "copy.eval", '"value":"illusory"', '"value":"solved"')
    done = command("agentbench", "regrade", copy)
    assert done.returncode == 1
    assert "the score says solved, its own report illusory" in done.stdout


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("missing.eval", None, "does not exist"),
        ("notes.txt", b"hello", "is not a log"),
        ("broken.eval", b"PK\x03\x04 not a zip", "cannot be read as an Inspect log"),
    ],
)
def test_what_is_no_log_is_one_line(tmp_path: Path, name: str, content: bytes | None, said: str) -> None:
    """Bad input: what, where, what to do, and exit code 2."""
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    done = command("agentbench", "regrade", path)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert said in done.stderr
    assert str(path) in done.stderr


def test_a_log_without_a_submission_is_told(log: Path, tmp_path: Path) -> None:
    """There is nothing to grade in a log that saved no submission."""
    copy = changed(log, tmp_path / "copy.eval", "SavedSubmission:saved", "Other:saved")
    done = command("agentbench", "regrade", copy)
    assert done.returncode == 2
    assert "no saved submission in 2 episodes" in done.stderr


def test_inspect_scores_a_saved_log_alike(log: Path, tmp_path: Path) -> None:
    """`inspect score` needs neither sandbox nor model, and gives the same outcome."""
    copy = tmp_path / "scored.eval"
    copy.write_bytes(log.read_bytes())
    words = ("--scorer", f"inspect_agentbench/{SCORE_NAME}", "--action", "append", "--overwrite")
    done = command("inspect", "score", copy, *words, "--display", "plain", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    samples = read_eval_log(str(copy)).samples or []
    assert [sorted(str(s.value) for s in (sample.scores or {}).values()) for sample in samples] == [
        ["illusory", "illusory"]
    ] * 2
