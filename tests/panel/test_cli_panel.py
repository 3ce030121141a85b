"""`agentbench panel` as a command, on logs that nobody played."""

import json
import shutil
from pathlib import Path
from typing import Any

import fabricate
import pytest
from click.testing import CliRunner, Result

from inspect_agentbench.cli.main import main

MODELS = ("m/small", "m/middle", "m/large")


@pytest.fixture
def bank(tmp_path: Path, banks: Path) -> Path:
    """The tiny bank, whose variant is called as the fabricated logs call theirs."""
    return Path(shutil.copytree(banks / "tiny", tmp_path / "bank"))


def panel_log(model: str, runs: str, number: int, **campaign: Any) -> Any:
    metadata = fabricate.header(["tiny"])
    metadata["agentbench_campaign"] = {"name": "p", "kind": "panel", **campaign}
    return fabricate.log(model, {"tiny": runs}, number, metadata=metadata)


def run(*words: object) -> Result:
    return CliRunner().invoke(main, ["panel", *map(str, words)])


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """Four of nine are solved."""
    folder = tmp_path / "logs"
    runs = ("fff", "sfi", "sss")
    fabricate.write(folder, *(panel_log(m, r, n) for n, (m, r) in enumerate(zip(MODELS, runs, strict=True))))
    return folder


def test_the_rule_is_printed_with_its_result(logs: Path, bank: Path) -> None:
    """Solves of nine with their interval, the prediction beside them, and the decision."""
    done = run(logs, "--bank", bank)
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("Rule: 3 models x 3 runs; promoted if 0.3 <= solve rate <= 0.7")
    assert "4/9" in done.stdout
    assert "0.14 to 0.79" in done.stdout
    assert "1 of 1 families have a promoted variant" in done.stdout


def test_the_record_is_written_beside_the_family(logs: Path, bank: Path) -> None:
    """With models, controls and hashes; the bank still loads."""
    done = run(logs, "--bank", bank, "--record", "--json")
    assert done.exit_code == 0, done.output
    record = json.loads((bank / "tasks/tiny/panel.json").read_text())
    assert (record["promoted"], record["models"]) == ("plain", sorted(MODELS))
    assert record["hashes"]["grader"] == "g"
    assert json.loads(done.stdout)["tiny"]["promoted"] == "plain"
    assert run(logs, "--bank", bank).exit_code == 0


@pytest.mark.parametrize(
    ("kind", "told"),
    [("comparison", "its runs are not a panel's; use `agentbench compare`"), ("panel", "")],
)
def test_only_panel_logs_are_taken(tmp_path: Path, bank: Path, kind: str, told: str) -> None:
    """And compare takes none of them: both say which command to use."""
    folder = tmp_path / "one"
    fabricate.write(folder, panel_log("m/a", "sss", 0, kind=kind))
    done = run(folder, "--bank", bank)
    assert done.exit_code == (2 if told else 0)
    assert told in done.stderr
    if kind == "panel":
        refused = CliRunner().invoke(main, ["compare", str(folder)])
        assert refused.exit_code == 2
        assert "use `agentbench panel`" in refused.stderr
