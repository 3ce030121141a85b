"""Covering hidden lines in text: however they are shown, and nothing else."""

import json

import pytest

from inspect_agentbench.bank import Family
from inspect_agentbench.integrity import Hidden
from inspect_agentbench.integrity.cover import CANARY, LINE, MIN_LINE, covered


@pytest.fixture
def hidden(tiny: Family) -> Hidden:
    return Hidden([tiny])


@pytest.fixture
def line(hidden: Hidden) -> str:
    return max(hidden.own_lines, key=len)


@pytest.mark.parametrize("shown", ["{}", "    {}", "  12\t{}", "12:{}", "before\n{}\nafter", "a\r\n{}\r\nb"])
def test_a_hidden_line_is_covered_however_it_is_shown(hidden: Hidden, line: str, shown: str) -> None:
    """Indented, numbered, or between others, whose text stays."""
    clean = covered(hidden, shown.format(line))
    assert line not in clean
    assert LINE in clean
    assert clean.count("before") == shown.count("before")


def test_a_line_inside_json_is_covered(hidden: Hidden) -> None:
    """Arguments of a tool call are logged as JSON, where line breaks and quotes are escaped."""
    line = next(line for line in sorted(hidden.own_lines) if '"' in line and len(line) >= MIN_LINE)
    clean = covered(hidden, json.dumps({"content": f"first\n{line}\nlast"}))
    assert json.loads(clean)["content"] == f"first\n{LINE}\nlast"


def test_a_canary_is_covered_inside_a_word(hidden: Hidden, tiny: Family) -> None:
    """Also in a path or glued to something."""
    assert covered(hidden, f"/x/{tiny.oracle.canary}.py") == f"/x/{CANARY}.py"


def test_what_agents_are_given_is_left_alone(hidden: Hidden, tiny: Family) -> None:
    """Visible files and known fixes come back as the same object."""
    for file in tiny.variant().tree().values():
        text = file.content.decode("utf-8", "replace")
        assert covered(hidden, text) is text
    for fix in tiny.fixes("correct").values():
        for content in fix.files.values():
            text = content.decode()
            assert covered(hidden, text) is text
