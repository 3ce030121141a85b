"""`agentbench learn`: a wrong submission of a log becomes a known lazy fix, or nothing changes at all."""

import json
import shutil
from pathlib import Path

import docker
import pytest
from click.testing import CliRunner, Result
from suite_runs import BANKS, run_eval

from inspect_agentbench.bank import Family, load_bank, read_tree
from inspect_agentbench.cli import main
from inspect_agentbench.engine import ImageInfo
from inspect_agentbench.errors import AgentbenchError
from inspect_agentbench.gate.learning import changed_files, learn, with_canary
from inspect_agentbench.logs import local_path
from inspect_agentbench.submission import Submission

SAMPLE = "tiny-plain"
MODELS = ("lazy:unchecked", "correct", "wrong", "idle")


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A log of each script on the small bank as it is; `twice` has two runs of the same fix."""
    task_args = {"bank": str(BANKS / "tiny"), "family": "tiny"}
    folder = tmp_path_factory.mktemp("logs")
    models = [f"replay/{name}" for name in MODELS]
    written = run_eval("inspect_agentbench/bank", models, folder, task_args=task_args)
    (twice,) = run_eval("inspect_agentbench/bank", models[0], folder, task_args=task_args, epochs=2)
    played = {log.eval.model.partition("/")[2]: local_path(log.location) for log in written}
    return {**played, "twice": local_path(twice.location)}


@pytest.fixture
def family(tmp_path: Path) -> Family:
    """The small family, in a bank that a test may change."""
    return load_bank(Path(shutil.copytree(BANKS / "tiny", tmp_path / "bank"))).family("tiny")


def said(log: Path, family: Family, *words: str) -> Result:
    root = family.tasks_folder.parents[1]
    return CliRunner().invoke(main, ["learn", str(log), SAMPLE, "--bank", str(root), *words])


def lazy(family: Family, name: str) -> dict[str, bytes]:
    return family.fixes("lazy")[name].files


# --- from a log -----------------------------------------------------------------------------------


@pytest.mark.docker
def test_an_unknown_wrong_submission_is_learned(logs: dict[str, Path], family: Family) -> None:
    """Byte for byte as the agent left it, with its signature in every variant."""
    expected = lazy(family, "unchecked")
    shutil.rmtree(family.hidden_folder / "lazy" / "unchecked")
    done = said(logs["twice"], family, "--epoch", "2", "--name", "from-log")
    assert done.exit_code == 0, done.stderr
    assert "raise `version`" in done.stdout
    assert lazy(family, "from-log") == expected
    recorded = json.loads(family.signatures_path.read_bytes())
    assert recorded["oracle_hash"] == family.oracle_hash()
    for variant in recorded["variants"].values():
        assert variant["from-log"]["trials"]
        assert set(variant) == {"float", "from-log"}


@pytest.mark.docker
@pytest.mark.parametrize(
    ("model", "words", "reason"),
    [
        ("lazy:unchecked", (), "is the known fix lazy/unchecked"),
        ("correct", (), "is the known fix correct/"),
        ("wrong", (), "is the known fix wrong/first"),
        ("lazy:unchecked", ("--name", "float"), "has a known fix lazy/float already"),
        ("lazy:unchecked", ("--name", "../out"), "cannot be a fix's name"),
        ("lazy:unchecked", ("--epoch", "2"), "no such sample"),
        ("twice", (), "choose one with --epoch"),
        ("idle", (), "is the untouched tree"),
    ],
)
def test_what_is_no_new_lazy_fix_changes_nothing(
    logs: dict[str, Path], family: Family, model: str, words: tuple[str, ...], reason: str
) -> None:
    """One line, exit code 2, and not a byte of the oracle has changed."""
    before = read_tree(family.oracles_folder)
    done = said(logs[model], family, *words)
    assert done.exit_code == 2
    assert reason in done.stderr
    assert read_tree(family.oracles_folder) == before


@pytest.mark.docker
@pytest.mark.parametrize(
    ("model", "kind", "reason"), [("correct", "correct", "is solved"), ("wrong", "wrong", "is failed")]
)
def test_only_an_illusory_submission_is_learned(
    logs: dict[str, Path], family: Family, model: str, kind: str, reason: str
) -> None:
    """Though no known fix is the same code."""
    for name in ("decimal", "first", "integers"):
        shutil.rmtree(family.hidden_folder / kind / name, ignore_errors=True)
    done = said(logs[model], family)
    assert done.exit_code == 2
    assert f"in variant plain the submission {reason}" in done.stderr


# --- by the submission itself ---------------------------------------------------------------------


def submission(family: Family, old: str, new: str) -> Submission:
    """The lazy fix `float` with something changed."""
    (content,) = lazy(family, "float").values()
    assert content.count(old.encode()) == 1
    return Submission({"adder.py": content.replace(old.encode(), new.encode())})


@pytest.mark.docker
def test_a_known_signature_is_learned_by_force_only(
    client: docker.DockerClient, image: ImageInfo, family: Family
) -> None:
    """Other code that goes wrong on the same trials: one kind of mistake, already known."""
    root = family.tasks_folder.parents[1]
    assert CliRunner().invoke(main, ["signatures", "tiny", "--bank", str(root)]).exit_code == 0
    same = submission(family, "Decimal(int(sum(", "Decimal(0 + int(sum(")
    with pytest.raises(AgentbenchError, match="signature of lazy fix float"):
        learn(client, image, family.variant(), same, "again", False, print)
    learn(client, image, family.variant(), same, "again", True, print)
    trials = json.loads(family.signatures_path.read_bytes())["variants"]["plain"]
    assert trials["again"] == trials["float"]


@pytest.mark.docker
def test_a_lazy_fix_is_lazy_in_every_variant(
    client: docker.DockerClient, image: ImageInfo, family: Family
) -> None:
    """`terse` has a visible test that this one fails."""
    before = read_tree(family.oracles_folder)
    partly = submission(family, "Path(receipt).write_text", "total += total == 40; Path(receipt).write_text")
    with pytest.raises(AgentbenchError, match="in variant terse the submission is failed"):
        learn(client, image, family.variant(), partly, "partly", False, print)
    assert read_tree(family.oracles_folder) == before


@pytest.mark.docker
def test_nothing_stays_when_another_known_fix_does_not_behave(
    client: docker.DockerClient, image: ImageInfo, family: Family
) -> None:
    """Signatures are recorded for all or for none, and the new fix goes with them."""
    hidden = family.hidden_folder
    shutil.copytree(hidden / "correct" / "decimal", hidden / "lazy" / "not-lazy")
    before = read_tree(family.oracles_folder)
    new = submission(family, "int(sum(float(amount)", "int(sum(int(float(amount)) // 2 * 2")
    with pytest.raises(AgentbenchError):
        learn(client, image, family.variant(), new, "new", True, print)
    assert read_tree(family.oracles_folder) == before


def test_a_submission_that_removes_a_file_is_refused(family: Family) -> None:
    """A known fix lies over the tree, so it cannot say that something is gone."""
    with pytest.raises(AgentbenchError, match=r"removes adder\.py"):
        changed_files(family.variant(), Submission({}))


def test_the_untouched_tree_is_no_fix(family: Family) -> None:
    variant = family.variant()
    with pytest.raises(AgentbenchError, match="untouched"):
        changed_files(variant, Submission(variant.editable_files(variant.tree())))


@pytest.mark.parametrize("path", ["../adder.py", "/adder.py", "tests/test_adder.py", "notes.txt"])
def test_a_path_that_no_agent_may_write_is_never_written(family: Family, path: str) -> None:
    """A log can be edited; what it names outside the editable files is passed over."""
    variant = family.variant()
    files = lazy(family, "float") | {path: b"x = 1\n"}
    assert set(changed_files(variant, Submission(files))) == {"adder.py"}


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"x = 1",
        b"x = 1\r\ny = 2\r",
        b"# -*- coding: latin-1 -*-\nx = '\xe9'\n",
        b"\xef\xbb\xbfx = 1\n",
        b"\n\n\x0cx = 1\n",
        b"a table, not Python\x00\xff",
    ],
)
def test_what_is_kept_reads_back_as_it_was(family: Family, content: bytes) -> None:
    """The canary's line is the only one that is added, and it goes when the fix is read."""
    kept = with_canary(family, "adder.py", content)
    assert family.without_canary(kept) == content
    assert b"\0" in content or kept.startswith(f"# {family.oracle.canary} ".encode())


def test_a_submission_that_holds_the_canary_is_no_lazy_fix(family: Family) -> None:
    """It shows that the oracle was seen, which matters more."""
    with pytest.raises(AgentbenchError, match="that is evidence"):
        with_canary(family, "adder.py", f"x = 1\n# {family.oracle.canary}\n".encode())
