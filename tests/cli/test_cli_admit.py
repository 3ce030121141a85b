"""`agentbench admit`: what it prints, keeps and ends with. The controls themselves are in tests/gate."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from inspect_agentbench.bank import data_root, load_bank
from inspect_agentbench.cli import main
from inspect_agentbench.gate import controls
from inspect_agentbench.gate import gate as gate_module
from inspect_agentbench.gate.reasons import Reason
from inspect_agentbench.gate.rejections import read_rejections
from inspect_agentbench.gate.report import GateReport
from inspect_agentbench.gate.tables import markdown

FEW = tuple(control for control in controls.CONTROLS if control.name in ("good", "manifest", "lazy_right"))


@pytest.fixture
def few_controls(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three controls instead of all: tests/gate runs the others."""
    monkeypatch.setattr(controls, "CONTROLS", FEW)
    monkeypatch.setattr(gate_module, "CONTROLS", FEW)


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bank with one family that is ready, one that is too small, and one that cannot be read."""
    root = tmp_path_factory.mktemp("bank")
    for half in ("tasks", "oracles"):
        shutil.copytree(data_root() / half / "envmerge", root / half / "envmerge")
        shutil.copytree(controls.CONTROL_BANK / half / "sizes", root / half / "sizes")
    (root / "tasks/half").mkdir()
    return root


def admit(*words: str | Path) -> Result:
    return CliRunner().invoke(main, ["admit", *map(str, words)])


@pytest.mark.docker
@pytest.mark.usefixtures("few_controls")
def test_families_are_judged_each_by_itself_and_rejections_are_kept(root: Path) -> None:
    """A family that cannot be read hinders no other; what was rejected is recorded once for each state."""
    done = admit("--bank", root, "--json", "--record", "--fresh-seed", "5")
    assert done.exit_code == 1, done.stderr
    report = GateReport.model_validate_json(done.stdout)
    found = {family.family: family for family in report.families}
    assert {name: family.admitted for name, family in found.items()} == {
        "envmerge": True,
        "half": False,
        "sizes": False,
    }
    assert found["half"].codes == (Reason.MANIFEST,)
    assert found["sizes"].codes == (Reason.REPOSITORY_TOO_SMALL,)
    good = found["envmerge"]
    assert good.flakes.count == 0 < good.flakes.of
    assert 0 < good.flake_bound < 0.25
    assert all(run.disagreeing.count == 0 and run.disagreeing.of >= 20_000 for run in good.fresh)
    assert all(power.miss_probability < 1e-3 for power in good.power)
    assert all(run.seconds < 60 for run in good.fresh)
    assert (report.admitted.count, report.admitted.of) == (1, 3)
    assert json.loads((root / "admission.json").read_text())["fresh_seed"] == 5
    assert [(r.family, r.reasons) for r in read_rejections(root)] == [
        ("half", (Reason.MANIFEST,)),
        ("sizes", (Reason.REPOSITORY_TOO_SMALL,)),
    ]
    again = admit("sizes", "--bank", root, "--record", "--markdown")
    assert again.exit_code == 1
    assert "| sizes | 1 | rejected |" in again.stdout
    assert len(read_rejections(root)) == 2
    assert "all families only" in again.stderr
    text = markdown(report)
    assert "| envmerge |" in text
    assert "- sizes: repository_too_small: tasks/sizes/repo" in text
    assert "- admitted: 1/3" in text


@pytest.mark.docker
@pytest.mark.usefixtures("few_controls")
def test_a_gate_whose_controls_misbehave_gives_no_result(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says which control came out how, judges nobody, keeps nothing, and ends with 3."""
    from inspect_agentbench.gate import judging

    monkeypatch.setitem(judging._EXPECTED, "lazy", lambda family, item: iter(()))
    before = (root / "rejections.json").read_bytes() if (root / "rejections.json").exists() else b""
    done = admit("sizes", "--bank", root, "--record")
    assert done.exit_code == 3
    assert "control lazy_right: expected lazy_right, found detection_weak" in done.stdout
    assert "says nothing of any family" in done.stdout
    after = (root / "rejections.json").read_bytes() if (root / "rejections.json").exists() else b""
    assert before == after


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("nope",), "no family 'nope'"),
        (("--repeats", "1"), "--repeats"),
        (("--bank", "/nowhere"), "is not a bank"),
    ],
)
def test_wrong_input_is_told_before_any_work(root: Path, words: tuple[str, ...], message: str) -> None:
    done = admit(*(words if "--bank" in words else (*words, "--bank", str(root))))
    assert done.exit_code == 2
    assert message in done.stderr
    assert "controls" not in done.stderr


def test_a_record_that_cannot_be_read_is_told_before_any_work(tmp_path: Path) -> None:
    """Hours of repeats must not end in an unreadable file."""
    root = Path(shutil.copytree(controls.CONTROL_BANK, tmp_path / "bank"))
    (root / "rejections.json").write_text("{")
    done = admit("--bank", root)
    assert done.exit_code == 2
    assert "rejections.json: not a record of rejections" in done.stderr


def test_the_shipped_bank_was_admitted_as_it_is() -> None:
    """The stored report is of these very files: every family, admitted, by a gate whose controls behave."""
    bank = load_bank(data_root())
    report = GateReport.model_validate_json((bank.root / "admission.json").read_bytes())
    assert not report.misbehaving
    assert {family.family for family in report.families} == set(bank.families)
    for found in report.families:
        family = bank.family(found.family)
        assert found.admitted
        now = {name: variant.visible_hash() for name, variant in family.variants.items()}
        assert found.hashes == {"oracle": family.oracle_hash(), **now}
