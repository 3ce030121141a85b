"""`agentbench grade`: verdicts without a model, as an episode's would be."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import docker
import pytest
from click.testing import CliRunner, Result
from suite_runs import BANKS

from inspect_agentbench import engine
from inspect_agentbench.bank import FIX_KINDS, Family
from inspect_agentbench.cli import main
from inspect_agentbench.grading.record import EXPECTED, grade_known_fixes

pytestmark = pytest.mark.docker

TINY = str(BANKS / "tiny")


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def lay(folder: Path, files: Mapping[str, bytes]) -> Path:
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    return folder


def graded(folder: Path, *options: str) -> list[dict[str, Any]]:
    result = run("grade", "tiny", folder, "--bank", TINY, "--json", *options)
    assert result.exit_code == 0, result.output
    return list(json.loads(result.stdout))


def test_every_known_fix_is_judged_as_in_an_episode(
    client: docker.DockerClient, image: engine.ImageInfo, tiny: Family, tmp_path: Path
) -> None:
    """Trial by trial, the command and the grading behind it say the same of the same files."""
    expected = {
        (item.fix.kind, item.fix.name): item.report
        for item in grade_known_fixes(client, image, tiny, lambda line: None)
        if item.variant == tiny.variant().name
    }
    for kind in FIX_KINDS:
        for name, fix in tiny.fixes(kind).items():
            (report,) = graded(lay(tmp_path / kind / name, fix.files))
            assert (name, report["outcome"]) == (name, EXPECTED[kind])
            known = expected[kind, name]
            assert report["trials"] == known.trials.model_dump(mode="json")
            assert report["visible"] == known.visible.model_dump(mode="json")
            assert report["submission_hash"] == known.submission_hash


def test_a_whole_repository_and_the_changed_file_alone_are_the_same(tiny: Family, tmp_path: Path) -> None:
    """What is not in the folder counts as unchanged, and what is not editable does not count at all."""
    fix = tiny.fixes("lazy")["float"].files
    whole = {path: file.content for path, file in tiny.variant().apply(fix).items()}
    spoiled = whole | {"tests/test_adder.py": b"", "conftest.py": b"raise SystemExit"}
    reports = [graded(lay(tmp_path / str(n), files))[0] for n, files in enumerate((fix, whole, spoiled))]
    assert len({json.dumps([r["outcome"], r["trials"], r["submission_hash"]]) for r in reports}) == 1


def test_a_variant_can_be_named(tiny: Family, tmp_path: Path) -> None:
    """The visible suite is the variant's own."""
    folder = lay(tmp_path, tiny.fixes("correct")["decimal"].files)
    (plain,), (terse,) = graded(folder), graded(folder, "--variant", "terse")
    assert (plain["variant"], terse["variant"]) == ("plain", "terse")
    assert terse["visible"]["total"] > plain["visible"]["total"]


def test_the_table_is_for_people(tiny: Family, tmp_path: Path) -> None:
    """Outcome, counts and signature on one row, the explanation below it; nothing was recorded here."""
    result = run("grade", "tiny", lay(tmp_path, tiny.fixes("lazy")["float"].files), "--bank", TINY)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0].split()[:3] == ["outcome", "visible", "disagree"]
    assert lines[1].startswith("illusory")
    assert "trials disagree; no known lazy fix;" in result.stdout
    assert "first: trial" in result.stdout


def test_a_link_is_not_a_file(tmp_path: Path) -> None:
    """It is not followed: a folder with nothing else holds no submission."""
    (tmp_path / "adder.py").symlink_to("/etc/passwd")
    result = run("grade", "tiny", tmp_path, "--bank", TINY)
    assert result.exit_code == 2
    assert "holds none of the editable files" in result.stderr
