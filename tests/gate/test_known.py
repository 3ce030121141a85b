"""Known code on many trials in one process: the same answers as the rooms give."""

import shutil
from pathlib import Path

import docker
import pytest

from inspect_agentbench.bank import Family, TreeFile, load_bank
from inspect_agentbench.engine import ImageInfo
from inspect_agentbench.errors import OracleFault
from inspect_agentbench.gate.known import KnownResult, KnownTree, run_known
from inspect_agentbench.grading.signature import read_signatures

pytestmark = pytest.mark.docker
SHIPPED = Path(__file__).parents[2]


def run(
    client: docker.DockerClient, image: ImageInfo, family: Family, kind: str, **more: object
) -> KnownResult:
    variant = family.variant()
    fixes = family.fixes("correct" if kind == "correct" else "lazy")
    trees = [KnownTree(name, variant.apply(fix.files)) for name, fix in fixes.items()]
    settings: dict[str, object] = {
        "seeds": [family.oracle.seed],
        "trials_per_seed": family.oracle.trials,
        **more,
    }
    return run_known(client, image, variant, trees, **settings)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", sorted(load_bank(SHIPPED).families))
def test_the_disagreements_are_those_that_rooms_recorded(
    client: docker.DockerClient, image: ImageInfo, name: str
) -> None:
    """Every lazy fix of the bank gets exactly the trials of its signature wrong, every correct one none."""
    family = load_bank(SHIPPED).family(name)
    recorded = read_signatures(family, family.manifest.default_variant)
    for found in run(client, image, family, "lazy").runs:
        assert tuple(number for _, number in found.disagreeing) == recorded[found.name].trials
        assert not found.ended
    assert [found.disagreeing for found in run(client, image, family, "correct").runs] == [()] * len(
        family.fixes("correct")
    )


@pytest.mark.parametrize("bank", ["tiny", "property", "tolerance"])
def test_every_way_of_comparing_is_known(
    client: docker.DockerClient, image: ImageInfo, banks: Path, bank: str
) -> None:
    """Exact, by property and by tolerance; correct fixes agree on seeds of their own, lazy ones do not."""
    (family,) = load_bank(banks / bank).families.values()
    assert all(not found.disagreeing for found in run(client, image, family, "correct", seeds=[5, 6]).runs)
    assert all(found.disagreeing for found in run(client, image, family, "lazy", seeds=[5, 6]).runs)


def module(family: Family) -> str:
    """The module that the entry point names."""
    return family.manifest.entry_points[0].partition(":")[0].replace(".", "/") + ".py"


@pytest.mark.parametrize(
    ("body", "timed_out", "ended"),
    [
        ("while True:\n    pass\n", True, ""),
        ("raise SystemExit(3)\n", False, ""),
        ("import os\nos._exit(0)\n", False, "said nothing"),
        ("def (\n", False, ""),
    ],
    ids=["hangs", "exits", "ends the process", "no python"],
)
def test_code_that_goes_wrong_is_bounded_and_told(
    client: docker.DockerClient, image: ImageInfo, tiny: Family, body: str, timed_out: bool, ended: str
) -> None:
    """A mutant may hang or end everything; the others are tried all the same."""
    variant = tiny.variant()
    broken = {**variant.tree(), module(tiny): TreeFile(body.encode())}
    good = variant.apply(next(iter(tiny.fixes("correct").values())).files)
    first, second = run_known(
        client,
        image,
        variant,
        [KnownTree("broken", broken), KnownTree("good", good)],
        seeds=[1],
        trials_per_seed=4,
        stop_at_first=True,
        visible=True,
        step_seconds=0.3,
    ).runs
    assert bool(first.timed_out) is timed_out
    assert ended in first.ended
    assert first.disagreeing or first.ended
    assert not first.visible_green
    assert (second.disagreeing, second.visible_green, second.trials) == ((), True, 4)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "def trial(rng, number):\n",
            "def trial(rng, number):\n    if number == 2:\n        raise KeyError(number)\n",
            "trial 2",
        ),
    ],
)
def test_a_trial_that_cannot_be_made_is_named(
    client: docker.DockerClient, image: ImageInfo, tmp_path: Path, old: str, new: str, message: str
) -> None:
    """An author is told which seed and which trial."""
    root = Path(shutil.copytree(SHIPPED / "src/inspect_agentbench/gate/control_bank", tmp_path / "bank"))
    (oracle,) = root.glob("oracles/sizes/canary-*/oracle.py")
    text = oracle.read_text()
    assert old in text
    oracle.write_text(text.replace(old, new))
    with pytest.raises(OracleFault, match=message):
        run(client, image, load_bank(root).family("sizes"), "correct", seeds=[9])
