"""`agentbench compare` as a command: what it prints, writes and refuses."""

import json
from pathlib import Path

import fabricate
import pytest
from click.testing import CliRunner, Result

from inspect_agentbench.cli.main import main

FAMILIES = [f"f{n}" for n in range(8)]


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """One model that solves everything and one that solves nothing."""
    folder = tmp_path / "logs"
    fabricate.write(
        folder,
        fabricate.log("m/strong", dict.fromkeys(FAMILIES, "ss")),
        fabricate.log("m/weak", dict.fromkeys(FAMILIES, "if"), 1),
    )
    return folder


def run(*words: object) -> Result:
    return CliRunner().invoke(main, ["compare", *map(str, words)])


def test_the_verdict_comes_first(logs: Path) -> None:
    """Then the tables."""
    done = run(logs)
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("m/strong is ahead of m/weak: 8 won, 0 lost, 0 tied of 8 families")
    for title in ("Arms", "Verdicts", "Solved runs by family", "Claims", "Hashes and held controls"):
        assert f"\n{title}\n" in done.stdout


def test_files_are_written_beside_the_table(logs: Path, tmp_path: Path) -> None:
    """Report, Markdown and CSV."""
    names = {"--html": "r.html", "--markdown": "r.md", "--csv": "r.csv"}
    done = run(logs, *(word for o, name in names.items() for word in (o, tmp_path / name)))
    assert done.exit_code == 0, done.output
    assert all((tmp_path / name).stat().st_size > 1000 for name in names.values())


def test_json_is_the_whole_comparison(logs: Path) -> None:
    """On standard output, nothing else."""
    data = json.loads(run(logs, "--json").stdout)
    assert [pair["winner"] for pair in data["pairs"]] == ["m/strong"]
    assert len(data["rows"]) == 32


def test_mixtures_are_refused_and_can_be_looked_at(logs: Path) -> None:
    """The difference is named; side by side there is no verdict."""
    other = fabricate.header(FAMILIES, grader="other")
    fabricate.write(logs, fabricate.log("m/third", dict.fromkeys(FAMILIES, "ss"), 2, metadata=other))
    refused = run(logs)
    assert refused.exit_code == 2
    assert "grader is g in" in refused.stderr
    assert "--allow-mixed" in refused.stderr
    shown = run(logs, "--allow-mixed")
    assert shown.exit_code == 0
    assert "nothing can be concluded" in shown.stdout
    assert "\nVerdicts\n" not in shown.stdout


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["nowhere"], "nowhere does not exist"),
        (["LOGS", "--baseline", "m/none"], "--baseline m/none is no arm"),
        (["EMPTY"], "holds no .eval log"),
        (["ONE"], "a single arm (m/strong)"),
    ],
)
def test_bad_input_is_one_line(logs: Path, tmp_path: Path, words: list[str], told: str) -> None:
    """Exit code 2, and what to do."""
    (tmp_path / "empty").mkdir()
    one = min(logs.iterdir())
    places = {"LOGS": logs, "EMPTY": tmp_path / "empty", "ONE": one}
    done = run(*(places.get(word, word) for word in words))
    assert done.exit_code == 2
    assert told in done.stderr
    assert done.stderr.count("\n") == 1
