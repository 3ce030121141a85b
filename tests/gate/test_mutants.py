"""Mutants of a fix, and which of them an oracle rejects."""

import json
import shutil
from pathlib import Path

import docker
import pytest
from click.testing import CliRunner, Result

from inspect_agentbench.bank import Family, load_bank
from inspect_agentbench.cli import main
from inspect_agentbench.engine import ImageInfo
from inspect_agentbench.gate.mutants import mutants_of
from inspect_agentbench.gate.strength import (
    Strength,
    all_mutants,
    judge_equivalent,
    measure_strength,
    read_equivalent,
    read_strength,
    record_strength,
)

GOOD = Path(__file__).parents[2] / "src/inspect_agentbench/gate/control_bank"
SOURCE = b"def half(n):\n    # a comment\n    return n // 2 if n > 0 else -1\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return Path(shutil.copytree(GOOD, tmp_path / "bank"))


def command(*words: str | Path) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def test_a_mutant_is_the_fix_with_one_small_change() -> None:
    """Each is Python, different from the fix and from every other mutant, and shows its change."""
    mutants = mutants_of("halving", {"half.py": SOURCE, "notes.txt": b"n > 0"})
    assert {mutant.path for mutant in mutants} == {"half.py"}
    assert len({mutant.code for mutant in mutants}) == len(mutants) > 5
    for mutant in mutants:
        compile(mutant.code, "half.py", "exec")
        removed, added = (
            [line[1:] for line in mutant.diff.splitlines() if line.startswith(sign)] for sign in "-+"
        )
        assert len(removed) == len(added) == 1
        assert removed[0] in SOURCE.decode()
        assert added[0] in mutant.code


def test_an_id_follows_from_the_change_and_its_neighbours_and_not_from_its_place() -> None:
    """A judgement survives lines that are added elsewhere in the file."""
    before = {mutant.id for mutant in mutants_of("halving", {"half.py": SOURCE})}
    moved = b'"""What it does."""\n\nimport json\n\n\n' + SOURCE
    after = {mutant.id for mutant in mutants_of("halving", {"half.py": moved})}
    assert before <= after


def strength(**counts: int) -> Strength:
    given = {"mutants": 20, "rejected": 19, "by_trials": 19, "by_visible": 9, "timed_out": 1, "equivalent": 0}
    return Strength(canary="canary-x-0123456789ab", oracle_hash="", survivors=(), **{**given, **counts})


def test_the_share_leaves_out_what_was_judged_equivalent() -> None:
    """95 % of the mutants that nobody judged equivalent is enough, less is not."""
    assert strength().reached
    assert not strength(rejected=18).reached
    assert strength(rejected=18, equivalent=2).share == 1.0
    assert strength(mutants=0, rejected=0).share == 0.0


@pytest.mark.docker
def test_the_oracle_rejects_mutants_and_survivors_are_judged(
    client: docker.DockerClient, image: ImageInfo, root: Path
) -> None:
    """Rejected, survived and judged mutants add up; a judgement of a rejected one is stale."""
    family = load_bank(root).family("sizes")
    mutants = all_mutants(family)
    first = measure_strength(client, image, family, mutants, lambda what: None)
    assert first.rejected + len(first.survivors) == first.mutants == len(mutants)
    assert first.share > 0.5
    survivor = first.survivors[0].id
    rejected = next(m.id for m in mutants if m.id not in {s.id for s in first.survivors})
    before = family.oracle_hash()
    judge_equivalent(family, mutants, [survivor, rejected], "for the test")
    second = measure_strength(client, image, family, mutants, lambda what: None)
    assert (second.equivalent, second.stale) == (1, (rejected,))
    assert second.share > first.share
    record_strength(family, second)
    assert read_strength(family) == second
    assert family.oracle_hash() == before, "what was recorded of an oracle is no part of it"
    assert load_bank(root).family("sizes").fixes("correct")


@pytest.mark.docker
def test_the_command_lists_survivors_with_their_change(root: Path) -> None:
    done = command("strength", "sizes", "--bank", root, "--record")
    family = load_bank(root).family("sizes")
    recorded = read_strength(family)
    assert recorded is not None
    assert done.exit_code == (0 if recorded.reached else 1)
    for survivor in recorded.survivors:
        assert survivor.id in done.stdout
        assert survivor.diff in done.stdout
    assert "lazy fixes on fresh trials" in done.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nope"], "no family 'nope'"),
        (["sizes", "--judge", "0123456789"], "--reason"),
        (["sizes", "--judge", "0123456789", "--reason", "  "], "--reason"),
        (["sizes", "--judge", "0123456789", "--reason", "equal"], "has no mutant 0123456789"),
    ],
)
def test_wrong_input_is_one_line(root: Path, words: list[str], message: str) -> None:
    """Exit code 2, what and what to do, and nothing is written."""
    done = command("strength", *words, "--bank", root)
    assert done.exit_code == 2
    assert message in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert not list(root.rglob("equivalent.json"))


def test_a_judgement_is_kept_with_its_reason(root: Path) -> None:
    family: Family = load_bank(root).family("sizes")
    mutant = all_mutants(family)[0]
    done = command("strength", "sizes", "--judge", mutant.id, "--reason", "as right", "--bank", root)
    assert done.exit_code == 0
    (kept,) = read_equivalent(load_bank(root).family("sizes")).equivalents
    assert (kept.id, kept.reason, kept.diff) == (mutant.id, "as right", mutant.diff)
    raw = json.loads(next(root.rglob("equivalent.json")).read_text())
    assert raw["canary"] == family.oracle.canary
