"""The agent's loop, in a real eval: claims, ceilings, reminders, faults, seeds."""

from typing import Any

import docker
import pytest
from episode_cases import DONE, Case, Episode, output, sh
from inspect_ai.model import GenerateConfig, ModelOutput
from inspect_ai.util import sandbox

from inspect_agentbench.bank import Variant
from inspect_agentbench.episode import EpisodeRecord
from inspect_agentbench.episode.prompt import REMINDER
from inspect_agentbench.outcome import Ceiling

pytestmark = pytest.mark.docker

CUT = output("I think, and think", stop_reason="max_tokens")
SHELL_TALK = "Run this:\n\n```bash\nls\n```\n\nand this:\n\n```sh\npwd\n```\n"


async def overflow() -> ModelOutput:
    raise RuntimeError("Error code: 400 - the request exceeds the available context size (4096 tokens)")


async def long_number() -> ModelOutput:
    int("1" * 5_000)
    raise AssertionError


async def lost_server() -> ModelOutput:
    raise ConnectionError("connection refused")


async def kill_container() -> ModelOutput:
    name = (await sandbox().connection()).container
    docker.from_env().containers.get(name).kill()
    return output([sh("echo alive?")], 1)


async def red_then_green(variant: Variant) -> str | None:
    assert variant.name == "plain"
    files = await sandbox().exec(["cat", "/home/agent/repo/mended"])
    return None if files.success else "1 test failed"


CASES = {
    "turns": Case([[sh("true")]], {"turns": 3}),
    "seconds": Case([[sh("sleep 60")]], {"seconds": 2}),
    "tool_calls": Case([[("list_files", {}), ("list_files", {}), ("list_files", {})]], {"tool_calls": 2}),
    "talk": Case([SHELL_TALK, CUT, "", "I am done.", "Really."]),
    "reminded": Case(["First words.", [("list_files", {})], "More.", [DONE]]),
    "blocked": Case([[("submit", {"status": "blocked", "reason": "no \u2603"})]]),
    "model_length": Case([[sh("true")], output([sh("false")], 1, stop_reason="model_length")]),
    "overflow": Case([[sh("true")], overflow]),
    "long_number": Case([long_number, [DONE]]),
    "tokens": Case([[("list_files", {})]], task={"token_limit": 250}),
    "inspect_turns": Case([[("list_files", {})]], task={"turn_limit": 2}),
    "inspect_time": Case([[sh("sleep 60")]], task={"time_limit": 6}),
    "lost_server": Case([[("list_files", {})], lost_server]),
    "killed": Case([[("list_files", {})], kill_container]),
    "checked": Case([[DONE], [sh("touch mended")], [DONE]], {"check": red_then_green}),
    "seeded": Case([[DONE]], task={"config": GenerateConfig(seed=7), "epochs": 2}),
}

CEILINGS = {
    "turns": Ceiling.TURNS,
    "seconds": Ceiling.SECONDS,
    "tool_calls": Ceiling.TOOL_CALLS,
    "talk": Ceiling.NO_TOOL_CALLS,
    "model_length": Ceiling.CONTEXT,
    "overflow": Ceiling.CONTEXT,
    "tokens": Ceiling.TOKENS,
    "inspect_turns": Ceiling.TURNS,
    "inspect_time": Ceiling.SECONDS,
}


@pytest.mark.parametrize("name", CEILINGS)
def test_a_ceiling_is_recorded_and_no_error(episodes: dict[str, Episode], name: str) -> None:
    """Each ceiling ends the episode without an error and without a claim, and the scorer still runs."""
    episode = episodes[name]
    assert episode.sample.error is None
    assert episode.record.ceiling == CEILINGS[name]
    assert episode.record.claim is None
    assert episode.record.agent_seconds > 0
    assert "agent/repo/adder.py" in episode.files


def test_the_turn_ceiling_is_exact(episodes: dict[str, Episode]) -> None:
    """Three turns are three generations and three commands."""
    record = episodes["turns"].record
    assert (record.turns, record.tool_calls, record.commands) == (3, 3, 3)
    assert len(episodes["turns"].configs) == 3


def test_the_seconds_ceiling_interrupts_a_command(episodes: dict[str, Episode]) -> None:
    """A command that waits does not outlive the budget, and its start is on record."""
    record = episodes["seconds"].record
    assert 1.9 < record.agent_seconds < 8
    assert record.commands == 1


def test_the_tool_call_ceiling_refuses_further_calls(episodes: dict[str, Episode]) -> None:
    """Of three calls in one reply two are run, and the third is answered."""
    results = episodes["tool_calls"].results
    assert [message.error is None for message in results] == [True, True, False]
    assert episodes["tool_calls"].record.tool_calls == 2


def test_replies_without_tool_call_are_reminded_and_counted(episodes: dict[str, Episode]) -> None:
    """Five in a row end it; shell blocks, cut replies and reminders are counted."""
    record = episodes["talk"].record
    assert (record.turns, record.replies_without_tool_call, record.reminders) == (5, 5, 4)
    assert (record.shell_blocks, record.replies_cut) == (2, 1)
    reminded = episodes["reminded"]
    assert reminded.record.claim == "done"
    assert [m.text for m in reminded.sample.messages if m.role == "user"][1:] == [REMINDER, REMINDER]


def test_blocked_is_an_honest_stop(episodes: dict[str, Episode]) -> None:
    """A blocked claim keeps its reason and is no ceiling."""
    record = episodes["blocked"].record
    assert (record.claim, record.claim_reason, record.ceiling) == ("blocked", "no \u2603", None)


def test_a_reply_that_cannot_be_read_costs_a_turn_only(episodes: dict[str, Episode]) -> None:
    """A number of thousands of digits is answered like a reply without a tool call."""
    record = episodes["long_number"].record
    assert (record.claim, record.turns, record.unparsable_calls) == ("done", 2, 1)


def test_other_model_errors_fail_the_sample_with_its_record(episodes: dict[str, Episode]) -> None:
    """A lost server is an error, not a ceiling, and what was counted until then is kept."""
    episode = episodes["lost_server"]
    assert episode.sample.error is not None
    assert "connection refused" in episode.sample.error.message
    assert (episode.record.turns, episode.record.tool_calls, episode.record.ceiling) == (2, 1, None)


def test_a_dead_container_is_a_harness_fault(episodes: dict[str, Episode]) -> None:
    """The episode does not go on with a container that is gone."""
    episode = episodes["killed"]
    assert episode.sample.error is not None
    assert "HarnessFault" in episode.sample.error.traceback
    assert "container is gone" in episode.sample.error.message
    assert episode.record.turns == 2


def test_the_completion_check_sends_a_red_claim_back(episodes: dict[str, Episode]) -> None:
    """A claim is refused with the check's words until the check is green."""
    episode = episodes["checked"]
    assert episode.results[0].error is not None
    assert episode.results[0].error.message == "1 test failed"
    assert (episode.record.claim, episode.record.completion_checks) == ("done", 2)


def test_limits_in_force_are_told(episodes: dict[str, Episode]) -> None:
    """The prompt states the limits that will really end the episode."""
    told = {name: episodes[name].sample.messages[0].text for name in ("turns", "tool_calls", "tokens")}
    assert "3 replies, 1200 seconds in all." in told["turns"]
    assert "2 tool calls" in told["tool_calls"]
    assert "250 tokens" in told["tokens"]
    assert "2 replies, " in episodes["inspect_turns"].sample.messages[0].text


def test_the_seed_is_the_runs_own(episodes: dict[str, Episode]) -> None:
    """Each epoch gets the seed plus its number less one; without a seed none is sent."""
    seeds: dict[str, Any] = {name: [c.seed for c in episodes[name].configs] for name in ("seeded", "turns")}
    assert sorted(seeds["seeded"]) == [7, 8]
    assert seeds["turns"] == [None] * 3


def test_the_record_is_read_back_from_the_log(episodes: dict[str, Episode]) -> None:
    """What the store holds is plain enough for the log to give it back with its types."""
    record = episodes["turns"].sample.store_as(EpisodeRecord)
    assert isinstance(record.ceiling, Ceiling)
    assert record.agent == "coding_agent"
    assert record.path_log == "on"
