"""The options of tasks: what is refused, and how it is told."""

from typing import Any

import pytest

from inspect_agentbench.errors import AgentbenchError
from inspect_agentbench.options import TaskOptions, read_bank_options, read_options


def test_the_defaults_are_the_held_controls() -> None:
    """Nothing given means the budget and prompt that every published number stands on."""
    assert read_options("tailer", {}) == TaskOptions(
        variant=None,
        prompt="original",
        completion_check=False,
        turns=40,
        seconds=1_200,
        tool_calls=None,
        allow_unfrozen=False,
    )


def test_an_unknown_option_names_the_known_ones() -> None:
    """Inspect itself passes over a misspelt -T; here it is the one thing told."""
    with pytest.raises(AgentbenchError) as refused:
        read_options("tailer", {"vairant": "ascii"})
    assert str(refused.value) == (
        "task tailer: unknown option 'vairant'; options are variant, prompt, completion_check, turns, "
        "seconds, tool_calls, allow_unfrozen"
    )


@pytest.mark.parametrize("name", ["family", "bank"])
def test_options_of_the_bank_are_none_of_a_family_task(name: str) -> None:
    """`-T bank=DIR` on a family's task would be silently without effect."""
    with pytest.raises(AgentbenchError, match=f"unknown option '{name}'"):
        read_options("tailer", {name: "x"})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("turns", "many"),
        ("turns", 0),
        ("turns", -1),
        ("turns", 10_001),
        ("turns", 2.5),
        ("turns", True),
        ("turns", None),
        ("turns", [1]),
        ("seconds", 0),
        ("seconds", "60"),
        ("tool_calls", 0),
        ("completion_check", "yes"),
        ("completion_check", 1),
        ("allow_unfrozen", "true"),
        ("prompt", "terse"),
        ("prompt", 1),
        ("variant", 7),
        ("variant", ["ascii"]),
    ],
)
def test_a_value_of_the_wrong_kind_is_refused(name: str, value: Any) -> None:
    """Nothing is converted by guessing: the message names the option and the value, on one line."""
    with pytest.raises(AgentbenchError) as refused:
        read_options("tailer", {name: value})
    message = str(refused.value)
    assert message.startswith(f"task tailer: option {name}={value!r}: ")
    assert "\n" not in message


def test_all_mistakes_are_told_at_once() -> None:
    """Three mistakes need one run to be found, not three."""
    with pytest.raises(AgentbenchError) as refused:
        read_options("tailer", {"turns": "many", "seconds": 0, "colour": "red"})
    assert [part in str(refused.value) for part in ("turns", "seconds", "colour")] == [True] * 3


def test_families_come_as_text_or_as_a_list() -> None:
    """Inspect reads `-T family=a,b` as a list already."""
    assert read_bank_options({"family": "a, b"}).family == "a, b"
    assert read_bank_options({"family": ["a", "b"]}).family == "a,b"


def test_options_cannot_change_after_they_were_read() -> None:
    """They are recorded in the log; what is recorded is what ran."""
    options = read_options("tailer", {"turns": 3})
    with pytest.raises(ValueError, match="frozen"):
        options.turns = 4  # type: ignore[misc]
