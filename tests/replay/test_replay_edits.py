"""Typing a fix in: the edit found really makes the one file of the other."""

from hypothesis import given
from hypothesis import strategies as st

from inspect_agentbench.replay.edits import replacement

LINES = st.lists(st.sampled_from(["a\n", "b\n", "a\r\n", "\n", "é", "c"]), max_size=12)


@given(LINES, LINES)
def test_a_replacement_is_unique_and_right(before: list[str], after: list[str]) -> None:
    """Where an edit is offered, its old text stands in the file once and gives the wanted file."""
    old, new = "".join(before), "".join(after)
    edit = replacement(old.encode(), new.encode())
    if edit is not None:
        assert old.count(edit.old) == 1
        assert old.replace(edit.old, edit.new) == new


def test_a_small_edit_in_a_long_file_is_found() -> None:
    """One changed line among many is one small replacement, with lines around it until it is unique."""
    before = "".join(f"x = {n}\ny = 0\n" for n in range(200)).encode()
    after = before.replace(b"x = 7\ny = 0\n", b"x = 7\ny = 1\n")
    edit = replacement(before, after)
    assert edit is not None
    assert edit.old.count("\n") <= 4


def test_no_edit_where_the_whole_file_must_be_written() -> None:
    """Bytes that are no text, an unchanged file, an empty file and a long change are not edited."""
    assert replacement(b"\xff\n", b"x\n") is None
    assert replacement(b"x\n", b"x\n") is None
    assert replacement(b"", b"x\n") is None
    long = "".join(f"{n}\n" for n in range(100))
    assert replacement(long.encode(), long.replace("\n", "!\n").encode()) is None
