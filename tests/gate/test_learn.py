"""`agentbench learn`: an unknown wrong submission of a log becomes a known lazy fix."""

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from suite_runs import run_eval

from inspect_agentbench.bank import Family, hashing, load_bank
from inspect_agentbench.cli import main
from inspect_agentbench.errors import AgentbenchError
from inspect_agentbench.gate.learning import changed_files, with_canary
from inspect_agentbench.grading.signature import read_signatures
from inspect_agentbench.submission import Submission

pytestmark = pytest.mark.docker
UNKNOWN = "unchecked"
"""A lazy fix of the tiny bank that is taken out of a copy, so that nobody has predicted it there."""


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory, banks: Path) -> dict[str, Path]:
    """A log of each script on the tiny family, with two runs of the unknown one."""
    folder = tmp_path_factory.mktemp("logs")
    task_args = {"bank": str(banks / "tiny"), "family": "tiny"}
    models = {name: f"replay/{name}" for name in ("correct", "wrong", "idle", "lazy")}
    written = run_eval("inspect_agentbench/bank", list(models.values()), folder, task_args=task_args)
    found = {log.eval.model.partition("/")[2]: Path(log.location) for log in written}
    (twice,) = run_eval(
        "inspect_agentbench/bank", f"replay/lazy:{UNKNOWN}", folder, task_args=task_args, epochs=2
    )
    return {**found, "unknown": Path(twice.location)}


@pytest.fixture
def root(tmp_path: Path, banks: Path) -> Path:
    """The tiny bank without one of its lazy fixes."""
    root = Path(shutil.copytree(banks / "tiny", tmp_path / "bank"))
    shutil.rmtree(hidden(root) / "lazy" / UNKNOWN)
    return root


def hidden(root: Path) -> Path:
    return next((root / "oracles/tiny").glob("canary-*"))


def tiny_of(root: Path) -> Family:
    load_bank.__globals__["_load_bank"].cache_clear()
    return load_bank(root).family("tiny")


def learn(log: Path, root: Path, *words: str) -> Result:
    load_bank.__globals__["_load_bank"].cache_clear()
    return CliRunner().invoke(main, ["learn", str(log), "tiny-plain", "--bank", str(root), *words])


def test_an_unknown_wrong_fix_becomes_a_known_one(logs: dict[str, Path], root: Path, banks: Path) -> None:
    """Its files are those of the fix that was taken away, and its signature is recorded with the others."""
    done = learn(logs["unknown"], root, "--epoch", "2", "--name", "from-a-log")
    assert done.exit_code == 0, done.stderr
    assert "raise `version`" in done.stdout
    family = tiny_of(root)
    original = load_bank(banks / "tiny").family("tiny").fixes("lazy")[UNKNOWN].files
    assert family.fixes("lazy")["from-a-log"].files == original
    for variant in family.variants:
        assert set(read_signatures(family, variant)) == {"float", "from-a-log"}


@pytest.mark.parametrize(
    ("script", "words", "message"),
    [
        ("unknown", (), "choose one with --epoch"),
        ("unknown", ("--epoch", "3"), "no such sample"),
        ("unknown", ("--epoch", "1", "--name", "float"), "choose another --name"),
        ("correct", (), "is the known fix correct/"),
        ("wrong", (), "is the known fix wrong/"),
        ("lazy", (), "is the known fix lazy/float"),
        ("idle", (), "is the untouched tree"),
    ],
)
def test_what_is_no_new_lazy_fix_is_refused(
    logs: dict[str, Path], root: Path, script: str, words: tuple[str, ...], message: str
) -> None:
    """One line, exit code 2, and not a byte of the bank has changed."""
    before = hashing.tree_hash(hashing.read_tree(root))
    done = learn(logs[script], root, *words)
    assert done.exit_code == 2
    assert message in done.stderr
    assert hashing.tree_hash(hashing.read_tree(root)) == before


def test_what_is_right_is_refused_even_if_it_is_new(logs: dict[str, Path], root: Path) -> None:
    """A correct submission is no lazy fix, whether or not anybody wrote it before."""
    played = sorted((hidden(root) / "correct").iterdir())[0]
    shutil.rmtree(played)
    before = hashing.tree_hash(hashing.read_tree(root))
    done = learn(logs["correct"], root)
    assert done.exit_code == 2
    assert "is solved; a lazy fix passes" in done.stderr
    assert hashing.tree_hash(hashing.read_tree(root)) == before


def test_a_submission_that_removes_a_file_cannot_be_kept(tiny: Family) -> None:
    """A known fix lies over the tree; what removes something would be another fix than was graded."""
    with pytest.raises(AgentbenchError, match="removes nothing"):
        changed_files(tiny.variant(), Submission({}))


@pytest.mark.parametrize(
    "content", [b"", b"x = 1", b"# -*- coding: latin-1 -*-\nx = '\xe9'\n", b"a\r\nb\n", b"\0\1"]
)
def test_a_kept_file_is_read_back_byte_for_byte(tiny: Family, content: bytes) -> None:
    assert tiny.without_canary(with_canary(tiny, "adder.py", content)) == content


def test_a_submission_that_holds_the_canary_is_not_learned(tiny: Family) -> None:
    """It is evidence that the oracle was reached."""
    with pytest.raises(AgentbenchError, match="evidence"):
        with_canary(tiny, "adder.py", b"# " + tiny.oracle.canary.encode() + b"\nx = 1\n")
