import base64
import json
import struct
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspect_agentbench.engine import ExchangeEnded
from inspect_agentbench.grading.cases import Case
from inspect_agentbench.grading.inside.children import ANSWERED, END, LEFT, NO_ANSWER, TIMED_OUT, TOO_LONG
from inspect_agentbench.grading.inside.wire import decode, encode
from inspect_agentbench.grading.inside.worker import FRAME, VISIBLE
from inspect_agentbench.grading.room import Answer, Silence, VisibleRun, _Frames, read_answer

STEPS = ({"input": "1"}, {"input": "2", "read": ["out", "gone"]})
CASES = (Case("first", STEPS, ("1", "2")), Case("second", STEPS[:1], ("1",)))


class Stream:
    """Bytes as a room sends them; at their end it has closed, or fallen silent."""

    def __init__(self, data: bytes, end: str = "closed") -> None:
        self.data = data
        self.end = end

    def receive(self, count: int, deadline: float) -> bytes:
        if len(self.data) < count:
            raise ExchangeEnded(self.end)
        taken, self.data = self.data[:count], self.data[count:]
        return taken


def frame(case: int, step: int, kind: int, payload: bytes = b"") -> bytes:
    return FRAME.pack(case, step, kind, len(payload)) + payload


def read(data: bytes, end: str = "closed") -> _Frames:
    frames, stream = _Frames(CASES), Stream(data, end)
    source: Any = stream
    try:
        while frames.read(source, 0.0):
            pass
    except ExchangeEnded as ended:
        frames.end(ended)
    return frames


def left(**files: bytes | None) -> bytes:
    spelled = {path: None if c is None else base64.b64encode(c).decode() for path, c in files.items()}
    return json.dumps(spelled).encode()


def test_answers_and_files_are_put_together() -> None:
    """A step that reads files has one answer: what was returned, and what is there now."""
    frames = read(
        frame(0, 0, ANSWERED, b"1")
        + frame(0, 1, ANSWERED, b'"x"')
        + frame(0, 1, LEFT, left(out=b"\xff", gone=None))
        + frame(1, 0, ANSWERED, b"null")
        + frame(VISIBLE, 0, END)
    )
    first, second = frames.answers()["first"], frames.answers()["second"]
    assert first[0] == Answer("1")
    assert decode(first[1].text or "") == {"returned": "x", "left": {"out": b"\xff", "gone": None}}
    assert second == (Answer("null"),)


@pytest.mark.parametrize(
    ("kind", "silence"),
    [(NO_ANSWER, Silence.MISSING), (TIMED_OUT, Silence.TIMED_OUT), (TOO_LONG, Silence.TOO_LONG)],
)
def test_silence_has_its_reason(kind: int, silence: Silence) -> None:
    """The worker says why a child gave no answer."""
    assert read(frame(1, 0, kind)).answers()["second"] == (Answer(None, silence),)


@pytest.mark.parametrize(
    ("end", "silence"), [("closed", Silence.MISSING), ("out of time", Silence.TIMED_OUT)]
)
def test_what_a_room_did_not_come_to_is_missing_or_out_of_time(end: str, silence: Silence) -> None:
    """A room that dies leaves missing answers, one that is too slow leaves time-outs; the rest counts."""
    answers = read(frame(0, 0, ANSWERED, b"1"), end).answers()
    assert answers["first"] == (Answer("1"), Answer(None, silence))
    assert answers["second"] == (Answer(None, silence),)


def test_the_first_answer_to_a_step_counts() -> None:
    """A second one is not looked at."""
    frames = read(frame(1, 0, ANSWERED, b"1") + frame(1, 0, ANSWERED, b"2"))
    assert frames.answers()["second"] == (Answer("1"),)


def test_a_frame_for_nothing_that_was_asked_is_left_alone() -> None:
    """Number and position of a frame are looked up, never trusted."""
    frames = read(frame(7, 0, ANSWERED, b"1") + frame(1, 9, ANSWERED, b"1") + frame(-5, -5, LEFT, b"{"))
    assert frames.answers()["second"] == (Answer(None, Silence.MISSING),)


def test_a_frame_that_ends_early_is_no_answer() -> None:
    """What was announced and never came is missing."""
    frames = read(struct.pack(">iiBI", 1, 0, ANSWERED, 2**32 - 1) + b"1")
    assert frames.answers()["second"] == (Answer(None, Silence.MISSING),)


@given(st.binary(max_size=60), st.sampled_from([None, b"", b"{", b"[]", b'{"out": 1}', b'{"out": "%%%"}']))
def test_reading_a_hostile_answer_never_raises(payload: bytes, files: bytes | None) -> None:
    """Whatever comes, there is a canonical spelling or a reason."""
    for with_left in (True, False):
        answer = read_answer(payload, files, with_left)
        assert (answer.text is None) == (answer.silence is Silence.UNDECODABLE)
        assert answer.text is None or encode(decode(answer.text)) == answer.text


@pytest.mark.parametrize(
    ("payload", "run"),
    [
        (encode({"exit": 1, "outcomes": {"t": "passed"}}), VisibleRun(1, {"t": "passed"})),
        (encode({"exit": 1, "outcomes": {3: ["x"]}}), VisibleRun(1, {"3": "['x']"})),
        (encode({"exit": "x", "outcomes": {}}), None),
        (encode({"exit": 0}), None),
        (encode(["exit", "outcomes"]), None),
        (encode(None), None),
        ("", None),
        ("\xff", None),
    ],
)
def test_a_forged_report_is_strings_or_nothing(payload: str, run: VisibleRun | None) -> None:
    """The report of the visible suite comes out of a process that candidate code was in."""
    assert read(frame(VISIBLE, 0, ANSWERED, payload.encode("latin-1"))).visible == run


def test_no_report_is_none() -> None:
    """A suite that timed out or died has no outcomes."""
    assert read(frame(VISIBLE, 0, TIMED_OUT)).visible is None
    assert read(b"").visible is None
