"""Reading logs: one row per episode, and what does not belong in a table left out with its reason."""

import json
import shutil
import zipfile
from pathlib import Path
from typing import Any

import fabricate
import pytest
from inspect_ai.log import EvalError, EvalLog, EvalSample, read_eval_log, write_eval_log
from inspect_ai.model import GenerateConfig
from inspect_ai.scorer import Score, ScoreEdit

from inspect_agentbench.errors import AgentbenchError
from inspect_agentbench.outcome import Outcome
from inspect_agentbench.reading import check_alike, collect_logs, without_contradicted

TABLE = {"f0": "sif", "f1": "sss"}


def reasons(folder: Path) -> dict[str, int]:
    found: dict[str, int] = {}
    for left in collect_logs((folder,)).left_out:
        found[left.code] = found.get(left.code, 0) + 1
    return found


def test_every_episode_is_a_row(tmp_path: Path) -> None:
    """With what the score, the ledger and the effort say."""
    fabricate.write(tmp_path, fabricate.log("m/a", TABLE))
    found = collect_logs((tmp_path,))
    assert [(r.family, r.run, r.outcome.value) for r in found.rows] == [
        *(("f0", n, o) for n, o in enumerate(("solved", "illusory", "failed"), 1)),
        *(("f1", n, "solved") for n in (1, 2, 3)),
    ]
    first = found.rows[0]
    assert (first.tool_calls, first.output_tokens, first.claim, first.trials_total) == (6, 500, "true", 80)
    assert found.left_out == []
    (facts,) = found.facts
    assert (facts.planned, facts.arm, facts.controls["turns"]) == (6, "m/a", 40)


def test_an_errored_sample_is_an_errored_row(tmp_path: Path) -> None:
    """Read from the sample's error; it has no score."""
    log = fabricate.log("m/a", {"f0": "s"})
    assert log.samples
    error = EvalError(message="the engine went away", traceback="", traceback_ansi="")
    log.samples = [log.samples[0].model_copy(update={"error": error, "scores": None})]
    fabricate.write(tmp_path, log)
    (row,) = collect_logs((tmp_path,)).rows
    assert (row.outcome, row.why) == (Outcome.ERRORED, "the engine went away")


def edited(change: str) -> EvalLog:
    """A log of one episode that somebody touched."""
    log = fabricate.log("m/a", {"f0": "i"})
    assert log.samples
    (sample,) = log.samples
    score = (sample.scores or {})["oracle_grade"]
    if change == "score":
        sample.scores = {"oracle_grade": score.model_copy(update={"value": "solved"})}
    if change == "word":
        sample.scores = {"oracle_grade": score.model_copy(update={"value": "brilliant"})}
    if change == "history":
        score.history.append(_edit())
    if change == "submission":
        sample.store["SavedSubmission:saved"]["files"]["app.py"]["text"] = "VALUE = 2\n"
    if change == "swapped":
        other = fabricate.Submission({"app.py": b"VALUE = 3\n"})
        sample.store["SavedSubmission:saved"] = fabricate.to_data(other)
    if change == "gone":
        sample.store = {}
    return log


def _edit() -> Any:
    return ScoreEdit(value="solved")


@pytest.mark.parametrize("change", ["score", "word", "history", "submission", "swapped", "gone"])
def test_what_was_edited_by_hand_leaves_the_table(tmp_path: Path, change: str) -> None:
    """It is listed as manual, whatever was touched."""
    fabricate.write(tmp_path, edited(change))
    found = collect_logs((tmp_path,))
    assert found.rows == []
    assert [left.code for left in found.left_out] == ["manual"]


def test_a_redacted_episode_stays_in(tmp_path: Path) -> None:
    """Its submission is a hash, which must be the one that was graded."""
    log = fabricate.log("m/a", {"f0": "s"})
    assert log.samples
    saved = log.samples[0].store["SavedSubmission:saved"]
    log.samples[0].store["SavedSubmission:saved"] = {"sha256": saved["sha256"], "redacted": True}
    fabricate.write(tmp_path, log)
    assert len(collect_logs((tmp_path,)).rows) == 1


def test_an_older_report_is_said(tmp_path: Path) -> None:
    """Of a format that this version cannot read."""
    log = fabricate.log("m/a", {"f0": "s"})
    assert log.samples
    del (log.samples[0].scores or {})["oracle_grade"].metadata["grade"]["integrity"]  # type: ignore[index]
    (log.samples[0].scores or {})["oracle_grade"].metadata["grade"]["odd"] = 1  # type: ignore[index]
    fabricate.write(tmp_path, log)
    assert reasons(tmp_path) == {"older": 1}


def test_damaged_and_foreign_logs_are_listed(tmp_path: Path) -> None:
    """Beside a good one, which is read."""
    good, broken = fabricate.write(tmp_path, fabricate.log("m/a", TABLE), fabricate.log("m/b", TABLE, 1))
    broken.write_bytes(broken.read_bytes()[: broken.stat().st_size // 2])
    (tmp_path / "junk.eval").write_bytes(b"not a log")
    foreign = fabricate.log("m/c", TABLE, 2)
    foreign.eval.metadata = None
    fabricate.write(tmp_path, foreign)
    assert reasons(tmp_path) == {"damaged": 2, "foreign": 1}
    assert len(collect_logs((tmp_path,)).rows) == 6
    assert zipfile.is_zipfile(good)


def test_copies_and_earlier_tries_count_once(tmp_path: Path) -> None:
    """The same log under two names, and a log that was continued in another."""
    first = fabricate.log("m/a", {"f0": "sss", "f1": ""}, status="error")
    later = fabricate.log("m/a", TABLE, 1)
    later.eval.task_id = first.eval.task_id
    (path, _) = fabricate.write(tmp_path, first, later)
    shutil.copy(path, tmp_path / "copy.eval")
    found = collect_logs((tmp_path,))
    assert sorted(left.code for left in found.left_out) == ["duplicate", "retried"]
    assert len(found.rows) == 6


def test_a_half_finished_log_counts_what_it_has(tmp_path: Path) -> None:
    """Planned against present."""
    log = fabricate.log("m/a", TABLE, status="cancelled")
    assert log.samples
    log.samples = log.samples[:4]
    fabricate.write(tmp_path, log)
    found = collect_logs((tmp_path,))
    assert (len(found.rows), found.facts[0].planned) == (4, 6)
    assert found.left_out[0].reason == "2 of 6 planned episodes are missing (run cancelled)"


def test_more_episodes_than_planned_are_refused(tmp_path: Path) -> None:
    """Somebody put the log together."""
    log = fabricate.log("m/a", TABLE)
    log.eval.dataset.sample_ids = ["f0-plain"]
    fabricate.write(tmp_path, log)
    with pytest.raises(AgentbenchError, match="holds 6 episodes, of which its header plans 3"):
        collect_logs((tmp_path,))


@pytest.mark.parametrize(
    ("other", "code"),
    [
        ({"bank": {"frozen": False, "dataset": "d", "oracle": "o"}}, "unfrozen"),
        ({"agentbench_campaign": {"name": "c", "kind": "panel"}}, "panel"),
    ],
)
def test_unfrozen_banks_and_panels_are_no_evidence(tmp_path: Path, other: dict[str, Any], code: str) -> None:
    """They are listed, and what to do instead."""
    metadata = fabricate.header(TABLE)
    (metadata if "agentbench_campaign" in other else metadata["agentbench"]).update(other)
    fabricate.write(tmp_path, fabricate.log("m/a", TABLE, metadata=metadata))
    assert reasons(tmp_path) == {code: 1}


MIXTURES: dict[str, tuple[dict[str, Any], GenerateConfig, str]] = {
    "oracle": (
        {"bank": {"frozen": True, "dataset": "d", "oracle": "other"}},
        GenerateConfig(),
        "oracle is o",
    ),
    "grader": ({"grader": "other"}, GenerateConfig(), "grader is g"),
    "image": ({"image": {"fingerprint": "other"}}, GenerateConfig(), "image is i"),
    "package": ({"package": "0.2.0"}, GenerateConfig(), "package is 0.1.0"),
    "turns": (
        {"controls": {"turns": 20, "seconds": 1200, "prompt": "original"}},
        GenerateConfig(),
        "turns is 40",
    ),
    "prompt version": ({"versions": {"prompt": 2, "tools": 1}}, GenerateConfig(), "prompt_version is 1"),
    "temperature": ({}, GenerateConfig(temperature=0.5), "temperature is None"),
    "max_connections": ({}, GenerateConfig(max_connections=3), "max_connections is None"),
}


@pytest.mark.parametrize("name", MIXTURES)
def test_logs_that_were_not_run_alike_are_refused(tmp_path: Path, name: str) -> None:
    """The difference is named, with both values."""
    other, config, told = MIXTURES[name]
    metadata = fabricate.header(TABLE, **other)
    fabricate.write(
        tmp_path,
        fabricate.log("m/a", TABLE),
        fabricate.log("m/b", TABLE, 1, metadata=metadata, config=config),
    )
    found = collect_logs((tmp_path,))
    with pytest.raises(AgentbenchError, match=told):
        check_alike(found.facts, found.rows)


def test_what_is_varied_on_purpose_is_a_factor(tmp_path: Path) -> None:
    """It leaves the held controls, and its values name the arms."""
    metadata = fabricate.header(TABLE, controls={"turns": 40, "seconds": 1200, "prompt": "test-first"})
    fabricate.write(tmp_path, fabricate.log("m/a", TABLE), fabricate.log("m/a", TABLE, 1, metadata=metadata))
    found = collect_logs((tmp_path,), ["prompt"])
    check_alike(found.facts, found.rows)
    assert {log.arm for log in found.facts} == {"m/a [prompt=original]", "m/a [prompt=test-first]"}


def test_runs_of_several_logs_are_numbered_on(tmp_path: Path) -> None:
    """Two logs of one arm with three runs each are six runs."""
    fabricate.write(tmp_path, fabricate.log("m/a", {"f0": "sss"}), fabricate.log("m/a", {"f0": "fff"}, 1))
    assert [row.run for row in collect_logs((tmp_path,)).rows] == [1, 2, 3, 4, 5, 6]


def test_a_log_can_be_written_back_and_read(tmp_path: Path) -> None:
    """What is fabricated here is a log to Inspect as well."""
    (path,) = fabricate.write(tmp_path, fabricate.log("m/a", TABLE))
    write_eval_log(read_eval_log(str(path)), str(tmp_path / "again.eval"))
    assert isinstance((read_eval_log(str(path)).samples or [])[0], EvalSample)
    assert isinstance((read_eval_log(str(path)).samples or [])[0].scores["oracle_grade"], Score)  # type: ignore[index]


def regraded(path: Path, log: Path, differences: list[str], now: str | None = "failed") -> Path:
    entry = {"log": str(log), "episode": "f0-plain run 1", "now": now, "differences": differences}
    path.write_text(json.dumps([entry]))
    return path


@pytest.mark.parametrize(
    ("differences", "now", "left"),
    [
        (["outcome was solved, is failed"], "failed", ["contradicted"]),
        (["oracle hash was 1, is 2", "outcome was solved, is failed"], "failed", []),
        (["no submission was saved"], None, []),
        ([], "solved", []),
    ],
)
def test_what_a_later_grading_contradicts_leaves_the_table(
    tmp_path: Path, differences: list[str], now: str | None, left: list[str]
) -> None:
    """Only under the same hashes: another oracle may well judge otherwise."""
    (log,) = fabricate.write(tmp_path / "logs", fabricate.log("m/a", TABLE))
    report = regraded(tmp_path / "regraded.json", log, differences, now)
    found = without_contradicted(collect_logs((tmp_path / "logs",)), report)
    assert [one.code for one in found.left_out] == left
    assert len(found.rows) == 6 - len(left)


@pytest.mark.parametrize("content", ["", "[1]", '[{"log": 1}]'])
def test_a_file_that_is_no_such_report_is_one_line(tmp_path: Path, content: str) -> None:
    """And says which command makes one."""
    (tmp_path / "report.json").write_text(content)
    fabricate.write(tmp_path / "logs", fabricate.log("m/a", TABLE))
    found = collect_logs((tmp_path / "logs",))
    with pytest.raises(AgentbenchError, match="agentbench regrade --json"):
        without_contradicted(found, tmp_path / "report.json")
