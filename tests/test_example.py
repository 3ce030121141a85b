"""The example in logs/: whoever has just cloned the project can read it."""

from pathlib import Path

from click.testing import CliRunner

from inspect_agentbench.cli.main import main
from inspect_agentbench.reading import collect_logs

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "logs" / "example"


def test_the_example_is_whole_and_untouched() -> None:
    """Every episode that was planned is a row: nothing damaged, edited or left out."""
    found = collect_logs((EXAMPLE,))
    assert found.left_out == []
    assert len(found.rows) == sum(log.planned for log in found.facts) == 24
    assert {log.campaign for log in found.facts} == {"example"}


def test_the_readme_shows_what_it_says() -> None:
    """Verdicts and arms of the README are those of the example's comparison, line for line."""
    done = CliRunner().invoke(main, ["compare", str(EXAMPLE)], env={"COLUMNS": "400"})
    assert done.exit_code == 0, done.output
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = readme.split("`agentbench compare logs/example` says of it:")[1].split("```")[1]
    lines = [line for line in shown.removeprefix("text\n").splitlines() if line]
    assert len(lines) > 10
    missing = [line for line in lines if line not in done.stdout.splitlines()]
    assert not missing
