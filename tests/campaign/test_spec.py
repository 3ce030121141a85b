"""Campaign files: what they may say, what they come to, and every mistake in one line."""

import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result

from inspect_agentbench.bank import default_bank, load_bank
from inspect_agentbench.campaign import blocks_of, check_against_bank, planned_episodes, read_campaign
from inspect_agentbench.cli.main import main
from inspect_agentbench.errors import AgentbenchError

CAMPAIGNS = sorted((Path(__file__).parents[2] / "campaigns").glob("*.yaml"))
SMALL: dict[str, Any] = {
    "name": "small",
    "models": ["replay/correct", "replay/lazy"],
    "families": ["tailer", "vat"],
}


def written(folder: Path, **change: Any) -> Path:
    path = folder / "campaign.yaml"
    path.write_text(yaml.safe_dump({**SMALL, **change}))
    return path


def run(*words: object) -> Result:
    return CliRunner().invoke(main, ["run", *map(str, words)])


@pytest.mark.parametrize("path", CAMPAIGNS, ids=lambda path: path.stem)
def test_shipped_campaigns_say_what_they_would_do(path: Path, tmp_path: Path) -> None:
    """The plan line first, then every block, and nothing runs."""
    done = run(path, "--dry-run", "--log-dir", tmp_path)
    assert done.exit_code == 0, done.output
    first, second, *_ = done.stdout.splitlines()
    campaign = read_campaign(path)
    assert first.startswith(f"{campaign.name}: ")
    assert "the least p is" in second or "a panel" in second
    assert "\nexpected time: not known yet; at most " in done.stdout


def test_models_stay_together_and_families_are_shuffled(tmp_path: Path) -> None:
    """All conditions of one model before the next; the same file gives the same order."""
    campaign = read_campaign(
        written(tmp_path, families="all", factors={"prompt": ["original", "test-first"]})
    )
    variants = check_against_bank(campaign, default_bank())
    blocks = blocks_of(campaign, variants)
    assert [(b.model.model, b.factors["prompt"]) for b in blocks] == [
        (model, prompt) for model in SMALL["models"] for prompt in ("original", "test-first")
    ]
    assert all(sorted(b.families) == sorted(blocks[0].families) for b in blocks)
    assert len({b.families for b in blocks}) > 1
    assert blocks == blocks_of(campaign, variants)
    assert len({b.folder for b in blocks}) == len(blocks)
    assert planned_episodes(campaign, blocks) == 4 * 10 * 3


def test_a_factor_is_no_held_control(tmp_path: Path) -> None:
    """What is varied leaves the hash of what is held; everything else is in it."""
    plain = read_campaign(written(tmp_path))
    varied = read_campaign(written(tmp_path, factors={"prompt": ["original", "test-first"]}))
    hotter = read_campaign(written(tmp_path, controls={"temperature": 1.0}))
    assert "prompt" in plain.held
    assert "prompt" not in varied.held
    assert len({plain.held_hash, varied.held_hash, hotter.held_hash}) == 3
    assert plain.hash != hotter.hash


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"runs": 0}, "runs: input should be greater than or equal to 1"),
        ({"modells": 1, "run": 2}, "unknown field modells; unknown field run"),
        ({"models": []}, "models: "),
        ({"models": [{"model": "m", "arg": 1}]}, "unknown field models.0.arg"),
        ({"families": ["tailer", "nope"]}, "no family 'nope' in the bank"),
        ({"variants": {"tailer": "nope"}}, "family tailer has no variant 'nope'"),
        ({"variants": {"vatt": "x"}}, "variants: vatt is not among the campaign's families"),
        ({"factors": {"temperature": [0, 1]}}, "factors: temperature is no factor; factors are prompt"),
        ({"factors": {"prompt": ["original"]}}, "factor prompt has one value; make it a control"),
        ({"factors": {"prompt": ["original", "loud"]}}, "prompt"),
        (
            {"controls": {"temperature": -1}},
            "controls.temperature: input should be greater than or equal to 0",
        ),
        ({"name": "a/b"}, "name: string should match pattern"),
        ({"bank": "nowhere"}, "is not a bank"),
    ],
)
def test_mistakes_are_one_line_with_their_field(tmp_path: Path, change: dict[str, Any], told: str) -> None:
    """Exit code 2, before anything starts."""
    done = run(written(tmp_path, **change), "--dry-run")
    assert done.exit_code == 2
    assert told in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("content", "told"), [(None, "cannot be read"), ("a: [", "is no YAML"), ("- 1", "holds no mapping")]
)
def test_a_file_that_is_no_campaign_is_one_line(tmp_path: Path, content: str | None, told: str) -> None:
    """Missing, no YAML, or no mapping."""
    path = tmp_path / "campaign.yaml"
    if content is not None:
        path.write_text(content)
    done = run(path)
    assert done.exit_code == 2
    assert told in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_panel_needs_predictions(tmp_path: Path, banks: Path) -> None:
    """Written before any model runs; otherwise they would be recollections."""
    bank = Path(shutil.copytree(banks / "property", tmp_path / "bank"))
    for path in bank.rglob("predictions.toml"):
        path.unlink()
    campaign = read_campaign(written(tmp_path, kind="panel", bank=str(bank), families="all"))
    with pytest.raises(AgentbenchError, match="a panel needs predictions on file"):
        check_against_bank(campaign, load_bank(bank))


def test_a_bank_that_is_not_frozen_is_refused(tmp_path: Path, banks: Path) -> None:
    """No comparison would take its logs, so nothing is run for nothing."""
    done = run(written(tmp_path, bank=str(banks / "tiny"), families=["tiny"]), "--dry-run")
    assert done.exit_code == 2
    assert "is not frozen" in done.stderr
