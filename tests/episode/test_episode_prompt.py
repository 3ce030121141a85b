"""What the agent is told, and what is seen in its replies."""

import pytest
from episode_cases import TINY, tiny
from hypothesis import given
from hypothesis import strategies as st
from inspect_ai.model import ChatMessageAssistant, ChatMessageTool, ChatMessageUser, ContentText
from inspect_ai.tool import ToolCall, ToolCallError

from inspect_agentbench.episode import sample_messages, variant_of, visible_test_command
from inspect_agentbench.episode.inside.command import Output
from inspect_agentbench.episode.prompt import PROMPT_STYLES, Budget, system_message
from inspect_agentbench.episode.replies import (
    count_shell_blocks,
    exit_status,
    make_loggable,
    shorten_errors,
)
from inspect_agentbench.errors import AgentbenchError


def test_the_sample_says_what_counts_and_nothing_hidden() -> None:
    """Issue, place, test command and editable patterns are told; lever, canary and title are not."""
    variant = tiny()
    text = sample_messages(variant)[0].text
    for told in (variant.issue_text.strip(), "/home/agent/repo", "python3 -m pytest -q tests", "`/adder.py`"):
        assert told in text
    manifest, oracle = variant.family.manifest, variant.family.oracle
    for hidden in (manifest.lever, manifest.invariant, manifest.title, oracle.canary, "oracle", "hidden"):
        assert hidden not in text


def test_test_first_adds_an_instruction() -> None:
    """The styles differ by the added instruction only."""
    original, test_first = (sample_messages(tiny(), style=style)[0].text for style in PROMPT_STYLES)
    assert test_first.startswith(original)
    assert "write a test of your own that fails" in test_first.removeprefix(original)


def test_a_sample_names_its_variant() -> None:
    """The metadata of the first user message leads back to the variant, in any bank."""
    messages = sample_messages(tiny("terse"), bank=str(TINY))
    found = variant_of([system_message(Budget(1, 2, 3)), *messages])
    assert (found.family.id, found.name) == ("tiny", "terse")
    with pytest.raises(AgentbenchError, match="none of inspect_agentbench's"):
        variant_of([ChatMessageUser(content="hello", metadata={"agentbench": 3})])


def test_the_budget_names_each_limit_in_force() -> None:
    """Limits that do not exist are not told."""
    assert Budget(40, 1200, 120).text() == (
        "Your budget: 40 replies, 1200 seconds in all. A command is stopped after 120 seconds."
    )
    assert "7 tool calls, 9000 tokens" in Budget(40, 1200, 120, tool_calls=7, tokens=9000).text()


def test_the_test_command_takes_the_manifests_paths() -> None:
    """What the agent is told to run is what is graded."""
    assert visible_test_command(tiny()) == "python3 -m pytest -q tests"


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("```bash\nls\n```", 1),
        ("text\n  ```sh\nls\n```\n~~~shell\npwd\n~~~", 2),
        ("```python\nprint()\n```", 0),
        ("```\nls\n```", 0),
        ("```bashful\n```", 0),
        ("inline ```bash``` is none", 0),
    ],
)
def test_shell_blocks(text: str, blocks: int) -> None:
    """Only fenced blocks marked as shell count."""
    assert count_shell_blocks(text) == blocks


@pytest.mark.parametrize(
    ("result", "status"),
    [
        ("out\n[exit status 3]", 3),
        ("[exit status 0]", 0),
        ("[exit status 0]\n[killed by signal 9]", None),
        ("[exit status 0]\n[exit status 1]", 1),
        ("", None),
    ],
)
def test_exit_status(result: str, status: int | None) -> None:
    """Only the last line counts: what a command prints cannot stand for it."""
    assert exit_status(result) == status


def test_lone_surrogates_become_a_call_that_cannot_be_parsed() -> None:
    """A reply is made fit for a log in place, and only calls that held a surrogate are refused."""
    good = ToolCall(id="1", function="bash", arguments={"command": "\U0001f600"})
    bad = ToolCall(id="2", function="bash", arguments={"a": ["x\ud800", {"\udfff": 1}]})
    message = ChatMessageAssistant(content=[ContentText(text="a\ud800b")], tool_calls=[good, bad])
    make_loggable(message)
    message.model_dump_json()
    assert message.text == "a?b"
    assert (good.parse_error, good.arguments) == (None, {"command": "\U0001f600"})
    assert bad.parse_error is not None


def test_long_errors_are_cut() -> None:
    """An error that quotes a huge argument does not fill the context."""
    error = ToolCallError("parsing", "start" + "x" * 100_000 + "end")
    message = ChatMessageTool(content="", error=error, tool_call_id="1")
    shorten_errors([message])
    assert error.message.startswith("start")
    assert error.message.endswith("end")
    assert len(error.message) < 2_100


@given(st.lists(st.binary(max_size=60), max_size=30), st.sampled_from([4, 10, 40]))
def test_output_shows_all_or_head_and_tail(chunks: list[bytes], chars: int) -> None:
    """Short output is shown whole; of longer output the head, the tail, and that something is missing."""
    output, everything = Output(chars), b"".join(chunks).decode("utf-8", "replace").replace("\0", "\ufffd")
    for chunk in chunks:
        output.write(chunk)
    text, cut = output.clipped()
    if len(everything) <= chars:
        assert (text, cut) == (everything, 0)
    else:
        head, _, tail = text.partition("\n[... ")
        assert cut > 0
        assert everything.startswith(head)
        assert everything.endswith(tail.partition(" bytes cut here ...]\n")[2])
