"""The scorer on episodes that end in every way: ceilings, errors, other agents, refused claims."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import docker
import pytest
from inspect_ai.agent import react
from inspect_ai.log import EvalLog, EvalSample, read_eval_log
from inspect_ai.model import (
    ChatMessage,
    ChatMessageTool,
    ModelOutput,
    ModelUsage,
    get_model,
)
from inspect_ai.tool import bash
from scripted_agent import CORRECT, DONE, MEND, TINY, Call, only, play, sh
from suite_runs import command, run_eval

from inspect_agentbench.episode import WORKSPACE, EpisodeRecord
from inspect_agentbench.outcome import Outcome

pytestmark = pytest.mark.docker

LOG_BYTES = 150_000


def score_metadata(sample: EvalSample) -> dict[str, Any]:
    assert sample.scores
    return dict(sample.scores["oracle_grade"].metadata or {})


def tool_errors(sample: EvalSample) -> list[str]:
    return [m.error.message for m in sample.messages if isinstance(m, ChatMessageTool) and m.error]


def test_a_claim_is_refused_while_the_visible_suite_is_red(tmp_path: Path) -> None:
    """With the completion check the agent is told which of its own tests fail, and goes on."""
    sample = only(play(tmp_path, DONE, MEND, DONE, completion_check=True)).sample
    (refusal,) = tool_errors(sample)
    assert refusal.startswith("Not accepted: the project's own tests do not pass yet. Failing:\n- tests/")
    record = sample.store_as(EpisodeRecord)
    assert (record.claim, record.completion_checks, record.turns) == ("done", 2, 3)
    assert sample.scores
    assert sample.scores["oracle_grade"].value == "solved"


def test_the_completion_check_never_knows_the_oracle(tmp_path: Path) -> None:
    """An illusory fix is accepted at its first claim: green is all that it asks for."""
    (log,) = run_eval(
        "inspect_agentbench/bank", "replay/lazy", tmp_path, task_args={**TINY, "completion_check": True}
    )
    episode = only(log)
    assert tool_errors(episode.sample) == []
    assert episode.sample.store_as(EpisodeRecord).completion_checks == 1
    assert episode.outcome is Outcome.ILLUSORY


@pytest.mark.parametrize(
    ("option", "replies", "ceiling", "outcome"),
    [
        ({"turns": 2}, [MEND, sh("true")], "turns", "solved"),
        ({"tool_calls": 2}, [sh("true")], "tool_calls", "failed"),
        ({"seconds": 2}, [MEND, sh("sleep 30")], "seconds", "solved"),
    ],
    ids=["turns", "tool-calls", "seconds"],
)
def test_an_episode_that_ends_on_a_ceiling_is_graded(
    tmp_path: Path, option: dict[str, int], replies: list[Call], ceiling: str, outcome: str
) -> None:
    """What was left when the budget ran out counts, and the ceiling stands beside the outcome."""
    episode = only(play(tmp_path, *replies, **option))
    assert episode.outcome == outcome, episode.explanation
    assert score_metadata(episode.sample)["ceiling"] == ceiling
    assert f"claimed nothing, ended by {ceiling}" in episode.explanation


def test_an_episode_that_breaks_is_errored_and_keeps_its_files(tmp_path: Path) -> None:
    """A lost model server is nobody's failure; what the agent had done is in the log."""
    log = play(tmp_path, MEND, sh("true"), RuntimeError("the server went away"))
    episode = only(log)
    assert log.status == "success"
    assert episode.sample.error is not None
    assert "the server went away" in episode.sample.error.message
    assert not episode.sample.scores
    assert episode.outcome is Outcome.ERRORED
    assert episode.submission["files"]["adder.py"]["text"] == CORRECT
    assert log.results is None or not any(
        score.metrics["graded"].value for score in log.results.scores if "graded" in score.metrics
    )


def test_another_agent_is_graded_and_its_pass_is_marked(tmp_path: Path) -> None:
    """Grading needs only the container's files; without a path log the score's metadata says so."""
    (log,) = run_eval(
        "inspect_agentbench/bank",
        "replay/correct",
        tmp_path,
        task_args=TINY,
        solver=react(tools=[bash(user="agent")]),
    )
    episode = only(log)
    assert episode.outcome is Outcome.SOLVED, episode.explanation
    record = episode.sample.store_as(EpisodeRecord)
    assert (record.agent, record.path_log, record.commands) == ("", "unused", 0)
    path_log = score_metadata(episode.sample)["grade"]["integrity"]["path_log"]
    assert path_log["state"] == "unavailable"
    assert path_log["reason"] == "another solver worked, whose commands are not traced"
    assert score_metadata(episode.sample)["incomplete"] is True
    assert "path log unavailable" in episode.explanation


def test_another_agent_that_runs_out_has_its_ceiling(tmp_path: Path) -> None:
    """Inspect's own limit ends an agent that never submits; it is graded all the same."""
    (log,) = run_eval(
        "inspect_agentbench/bank",
        "replay/talk",
        tmp_path,
        task_args={**TINY, "turns": 3},
        solver=react(tools=[bash(user="agent")]),
    )
    episode = only(log)
    assert episode.outcome is Outcome.FAILED, episode.explanation
    assert score_metadata(episode.sample)["ceiling"] == "turns"


def test_ten_turns_make_a_small_log(tmp_path: Path) -> None:
    """A campaign of thousands of episodes has to fit a disk and the viewer."""
    long = sh(
        'python3 -c "import random; print(*(random.random() for _ in range(400)))"; python3 -m pytest -q'
    )
    log = play(tmp_path, *[long] * 8, MEND, DONE)
    assert only(log).sample.store_as(EpisodeRecord).turns == 10
    assert Path(log.location.removeprefix("file://")).stat().st_size < LOG_BYTES


def test_processes_that_go_on_change_nothing(tmp_path: Path) -> None:
    """What was left in the background is dead before the files are read."""
    spoil = f"(sleep 1; while :; do echo broken > {WORKSPACE}/adder.py; done) > /dev/null 2>&1 &"
    episode = only(play(tmp_path, MEND, sh(f"nohup bash -c '{spoil}'; true"), DONE))
    assert episode.outcome is Outcome.SOLVED, episode.explanation


def test_an_agent_that_removes_its_workspace_has_failed(tmp_path: Path) -> None:
    """It cannot make the harness err, which would buy another try."""
    episode = only(play(tmp_path, sh(f"cd /; rm -rf {WORKSPACE}"), DONE))
    assert episode.outcome is Outcome.FAILED
    assert f"{WORKSPACE}: is not there any more" in episode.explanation


def test_a_container_that_disappears_is_errored(tmp_path: Path, client: docker.DockerClient) -> None:
    """Somebody removed it: nothing can be said about the submission, so nothing is."""

    def remove() -> None:
        for found in client.containers.list(
            filters={"label": "com.docker.compose.project", "name": "inspect-bank"}
        ):
            if any("agentbench-vanish" in line for line in _processes(found)):
                found.remove(force=True)

    log = _with_removal(tmp_path, remove)
    episode = only(log)
    assert episode.outcome is Outcome.ERRORED
    assert "gone" in episode.explanation or "reached" in episode.explanation


def _processes(container: Any) -> list[str]:
    return [" ".join(row) for row in container.top()["Processes"]]


def _with_removal(folder: Path, remove: Callable[[], None]) -> EvalLog:
    async def reply(input: list[ChatMessage], *_: Any) -> ModelOutput:
        number = sum(message.role == "assistant" for message in input)
        if number == 1:
            remove()
        call = sh("(exec -a agentbench-vanish sleep 300) > /dev/null 2>&1 &") if number == 0 else DONE
        return ModelOutput.for_tool_call("scripted", call[0], call[1]).model_copy(
            update={"usage": ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)}
        )

    model = get_model("mockllm/model", custom_outputs=reply, memoize=False)
    (log,) = run_eval("inspect_agentbench/bank", model, folder, task_args=TINY)  # type: ignore[arg-type]
    return log


def score_again(log: EvalLog, folder: Path) -> tuple[str, Path]:
    """What `inspect score` says, and the log that it wrote."""
    written = folder / "again.eval"
    done = command(
        "inspect", "score", log.location, "--scorer", "inspect_agentbench/oracle_grade",
        "--action", "append", "--output-file", written, "--overwrite", "--display", "plain", cwd=folder,
    )  # fmt: skip
    return done.stdout + done.stderr, written


def test_inspect_score_gives_the_same_outcome(tmp_path: Path) -> None:
    """Saved samples are graded again without a container of the agent's, and both scores are kept."""
    (log,) = run_eval("inspect_agentbench/bank", "replay/lazy", tmp_path / "logs", task_args=TINY)
    said, written = score_again(log, tmp_path)
    assert written.is_file(), said
    (sample,) = read_eval_log(str(written)).samples or []
    scores = list((sample.scores or {}).values())
    assert [score.value for score in scores] == ["illusory", "illusory"]
    first, second = (score.metadata or {} for score in scores)
    for same in ("trials", "submission_hash", "hashes", "signature", "visible", "integrity"):
        assert first["grade"][same] == second["grade"][same]
    for same in ("ceiling", "claim", "diff"):
        assert first[same] == second[same]


def test_an_errored_sample_does_not_fail_when_it_is_scored_again(tmp_path: Path) -> None:
    """A sample that broke stays errored under `inspect score`: it must not turn into a failure."""
    log = play(tmp_path / "logs", sh("true"), RuntimeError("the server went away"))
    said, written = score_again(log, tmp_path)
    if written.is_file():
        (sample,) = read_eval_log(str(written)).samples or []
        assert not sample.scores
    assert "ended in an error" in said
