"""A campaign from its file to its comparison, with real containers, and what a second start does."""

import json
import shutil
from pathlib import Path

import pytest
from inspect_ai.log import read_eval_log
from suite_runs import BANKS, command

from inspect_agentbench.logs import episodes, log_files
from inspect_agentbench.outcome import Outcome

pytestmark = pytest.mark.docker

CAMPAIGN = """
name: small
models: [replay/correct, replay/lazy]
bank: BANK
families: [tiny]
runs: 2
controls: {seed: 3, turns: 30}
"""


def write_campaign(folder: Path, place: Path, text: str = CAMPAIGN) -> None:
    (folder / "small.yaml").write_text(text.replace("BANK", str(place / "bank")))


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the campaign, run once."""
    folder = tmp_path_factory.mktemp("campaign")
    shutil.copytree(BANKS / "tiny", folder / "bank")
    assert command("agentbench", "lock", "--bank", folder / "bank").returncode == 0
    write_campaign(folder, folder)
    done = command("agentbench", "run", folder / "small.yaml", "--log-dir", folder / "logs")
    assert done.returncode == 0, done.stdout + done.stderr
    (folder / "said.txt").write_text(done.stdout)
    return folder


def test_it_ends_in_the_comparison_and_a_report(place: Path) -> None:
    """One family can never name a winner, and that is the first thing said."""
    said = (place / "said.txt").read_text()
    assert "no winner can be named at 0.05: that takes 6 untied families" in said
    assert "No winner can be named." in said
    assert "replay/correct  2 of 2" in said
    assert (place / "logs" / "report.html").stat().st_size > 5000


def test_every_log_says_which_campaign_it_is_of(place: Path) -> None:
    """Its name, its factors, what is held with its hash, what was sent, and the machine."""
    for path in log_files((place / "logs",)):
        log = read_eval_log(str(path), header_only=True)
        metadata = log.eval.metadata or {}
        campaign = metadata["agentbench_campaign"]
        assert (campaign["name"], campaign["kind"], campaign["factors"]) == ("small", "comparison", {})
        assert campaign["held"]["seed"] == 3
        assert len(campaign["held_hash"]) == 64
        assert log.plan.config.seed == 3
        assert metadata["agentbench"]["controls"]["turns"] == 30
        assert metadata["agentbench"]["host"]["cores"] >= 1
        assert metadata["agentbench"]["host"]["engine"]


def test_a_second_start_runs_nothing_again(place: Path) -> None:
    """Logs stay byte for byte; the comparison is printed once more."""
    before = {path: path.read_bytes() for path in log_files((place / "logs",))}
    done = command("agentbench", "run", place / "small.yaml", "--log-dir", place / "logs")
    assert done.returncode == 0, done.stdout + done.stderr
    assert {path: path.read_bytes() for path in log_files((place / "logs",))} == before
    assert "expected time: 0 episodes left" in done.stdout


def test_a_stopped_campaign_goes_on(place: Path, tmp_path: Path) -> None:
    """With one model's logs gone, only that model runs again."""
    write_campaign(tmp_path, place)
    logs = tmp_path / "logs"
    lost = []
    for path in [p for p in (place / "logs").rglob("*") if p.is_file() and p.name != "report.html"]:
        target = logs / path.relative_to(place / "logs")
        if "replay-lazy" in str(target):
            lost.append(target)
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(path.read_bytes())
    assert lost
    kept = {path: path.read_bytes() for path in log_files((logs,))}
    done = command("agentbench", "run", tmp_path / "small.yaml", "--log-dir", logs)
    assert done.returncode == 0, done.stdout + done.stderr
    found = [episode for path in log_files((logs,)) for episode in episodes(path)]
    assert sorted((e.model, e.outcome.value) for e in found) == sorted(
        [("replay/correct", Outcome.SOLVED.value)] * 2 + [("replay/lazy", Outcome.ILLUSORY.value)] * 2
    )
    assert all(path.read_bytes() == content for path, content in kept.items())


def test_another_campaigns_folder_is_refused(place: Path, tmp_path: Path) -> None:
    """Also this campaign's after its file changed: logs of two plans do not mix."""
    write_campaign(tmp_path, place, CAMPAIGN.replace("runs: 2", "runs: 3"))
    done = command("agentbench", "run", tmp_path / "small.yaml", "--log-dir", place / "logs")
    assert done.returncode == 2
    assert "holds the logs of another campaign (small)" in done.stderr
    assert json.loads((place / "logs" / "campaign.json").read_text())["campaign"]["runs"] == 2


def test_a_folder_with_other_logs_is_refused(place: Path, tmp_path: Path) -> None:
    """What is there was not planned by this campaign."""
    (log, *_) = log_files((place / "logs",))
    (tmp_path / "stray.eval").write_bytes(log.read_bytes())
    done = command("agentbench", "run", place / "small.yaml", "--log-dir", tmp_path)
    assert done.returncode == 2
    assert "holds logs that are no campaign's" in done.stderr
