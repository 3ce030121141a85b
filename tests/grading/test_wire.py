import contextlib
import datetime as dt
import json
import math
import time
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from inspect_agentbench.grading.inside.wire import (
    MAX_BYTES,
    MAX_DEPTH,
    MAX_DIGITS,
    MAX_VALUES,
    Undecodable,
    Unencodable,
    decode,
    encode,
)

OFFSETS = st.builds(
    dt.timezone, st.timedeltas(dt.timedelta(hours=-23), dt.timedelta(hours=23)) | st.just(dt.timedelta())
)
FOLDS = st.integers(0, 1)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.text("\ud83d\ude00\U0001f600a")
    | st.binary()
    | st.decimals(allow_nan=False)
    | st.dates()
    | st.builds(lambda t, tz, fold: t.replace(tzinfo=tz, fold=fold), st.times(), st.none() | OFFSETS, FOLDS)
    | st.builds(
        lambda t, tz, fold: t.replace(tzinfo=tz, fold=fold), st.datetimes(), st.none() | OFFSETS, FOLDS
    )
    | st.timedeltas()
)
KEYS = (
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.text("ab\ud800", max_size=2)
    | st.binary(max_size=2)
    | st.sampled_from(
        [0.0, 1.0, math.inf, Decimal(1), Decimal("1.0"), dt.date(2020, 1, 1), (1, "a"), frozenset()]
    )
)
PLAIN = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(KEYS, inner, max_size=4)
        | st.sets(KEYS, max_size=4)
        | st.frozensets(KEYS, max_size=4)
    ),
    max_leaves=12,
)
TAGS = st.sampled_from([*"SfbtszdDTYHE", "!", "t ", ""])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text("0123456789abcdefnainxp+-.: ", max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TAGS, inner, min_size=1, max_size=2),
    max_leaves=8,
)


def kinds(value: Any) -> Any:
    """The value with every type in it spelled out, hashable, so that == is type for type."""
    if isinstance(value, list | tuple):
        return type(value), tuple(map(kinds, value))
    if isinstance(value, set | frozenset):
        return type(value), frozenset(map(kinds, value))
    if isinstance(value, dict):
        return dict, frozenset((kinds(key), kinds(item)) for key, item in value.items())
    if isinstance(value, float):
        return float, value.hex()
    if isinstance(value, dt.time | dt.datetime):
        return type(value), value.isoformat(), value.fold
    return type(value), str(value) if isinstance(value, Decimal) else value


@given(PLAIN)
@example({"\ud83d\ude00": "\U0001f600"})
@example([-0.0, math.nan, -math.inf])
def test_every_plain_value_comes_back_type_for_type(value: Any) -> None:
    """What one side encodes is what the other side decodes, and its spelling is canonical."""
    back = decode(encode(value))
    assert kinds(back) == kinds(value)
    assert encode(back) == encode(value)


@given(PLAIN, PLAIN)
@example(1, True)
@example(1, 1.0)
@example(0.0, -0.0)
@example((1,), [1])
@example({1: 2}, {"1": 2})
@example({1}, frozenset({1}))
@example(b"a", "a")
@example(Decimal("1.0"), Decimal("1.00"))
@example("\ud83d\ude00", "\U0001f600")
@example(dt.datetime(2020, 1, 1), dt.datetime(2020, 1, 1, fold=1))
@example(dt.datetime(2020, 1, 1), dt.date(2020, 1, 1))
@example(dt.time(1, tzinfo=dt.UTC), dt.time(1))
def test_two_values_have_one_spelling_only_if_they_are_the_same(one: Any, other: Any) -> None:
    """Equality of spellings is equality of types and values, deep down."""
    assert (encode(one) == encode(other)) == (kinds(one) == kinds(other))


@given(st.dictionaries(KEYS, st.integers(), max_size=5), st.randoms())
def test_order_of_dicts_and_sets_does_not_count(value: dict[Any, int], random: Any) -> None:
    """Neither insertion nor hashing shows in a spelling."""
    keys = list(value)
    random.shuffle(keys)
    assert encode({key: value[key] for key in keys}) == encode(value)
    assert encode(set(keys)) == encode(set(value))


class Liar(str):
    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = str.__hash__

    def __str__(self) -> str:
        return "lie"


class Zero(int):
    def __index__(self) -> int:
        return 0

    def __bool__(self) -> bool:
        return False


class Bag(list[int]):
    def __iter__(self) -> Any:
        return iter([42])


class Table(dict[str, int]):
    def items(self) -> Any:
        return [("lie", 0)]


@pytest.mark.parametrize(
    ("value", "plain"), [(Liar("x"), "x"), (Zero(7), 7), (Bag([1]), [1]), (Table(a=1), {"a": 1})]
)
def test_subclasses_are_spelled_as_the_plain_value_they_hold(value: Any, plain: Any) -> None:
    """No method of a subclass takes part."""
    assert encode(value) == encode(plain)


@pytest.mark.parametrize(
    "value", [object(), 1j, range(3), iter([]), print, bytearray(b"x"), [{"a": {1, 2}, "b": ...}]]
)
def test_what_is_no_plain_data_has_no_spelling(value: Any) -> None:
    """The list of plain types is closed."""
    with pytest.raises(Unencodable):
        encode(value)


def nested(levels: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(levels - 1):
        value = [value]
    return value


def test_the_bounds_are_the_same_for_writer_and_reader() -> None:
    """What can be encoded at all can be decoded: depth, number, digits and bytes end at the same place."""
    for fits in (
        nested(MAX_DEPTH + 1),
        [0] * (MAX_VALUES - 1),
        10**MAX_DIGITS - 1,
        1 - 10**MAX_DIGITS,
        "x" * (MAX_BYTES - 2),
    ):
        assert decode(encode(fits)) == fits
    for too_much in (
        nested(MAX_DEPTH + 2),
        [0] * MAX_VALUES,
        10**MAX_DIGITS,
        -(10**MAX_DIGITS),
        "x" * (MAX_BYTES - 1),
    ):
        with pytest.raises(Unencodable):
            encode(too_much)


@given(st.binary() | st.text() | JSON.map(lambda value: json.dumps(value, separators=(",", ":"))))
def test_reading_hostile_text_gives_plain_data_or_undecodable(text: str | bytes) -> None:
    """Nothing else is raised, and what is accepted is the one canonical spelling."""
    try:
        value = decode(text)
    except Undecodable:
        return
    assert encode(value) == (text if isinstance(text, str) else text.decode("ascii"))


HOSTILE = {
    "deep lists": "[" * 100_000 + "]" * 100_000,
    "deep objects": '{"t":[' * 50_000,
    "deep but closed": '{"t":[' * 100 + "]}" * 100,
    "an integer of many digits": "9" * 5000,
    "a negative one": "-" + "9" * 5000,
    "an integer over the bound": "9" * (MAX_DIGITS + 1),
    "bare float": "1.5",
    "bare exponent": "1e5",
    "NaN": "NaN",
    "Infinity": "-Infinity",
    "negative zero": "-0",
    "a space": "[1, 2]",
    "a line break": "[1]\n",
    "duplicate keys": '{"f":"nan","f":"nan"}',
    "duplicate keys of a dict": '{"d":[[1,2],[1,3]]}',
    "keys that Python takes for one": '{"d":[[1,2],[true,2]]}',
    "dict out of order": '{"d":[["b",1],["a",1]]}',
    "set out of order": '{"s":[2,1]}',
    "set with a doublet": '{"s":[1,1]}',
    "unhashable in a set": '{"s":[[1]]}',
    "unhashable key": '{"d":[[[],1]]}',
    "two tags": '{"b":"","t":[]}',
    "no tag": "{}",
    "unknown tag": '{"!":"not plain data"}',
    "tag without its list": '{"t":{"t":[]}}',
    "text for a list": '{"d":"ab"}',
    "capital hex": '{"b":"AB"}',
    "hex with spaces": '{"b":"ab cd"}',
    "float as text": '{"f":"1.5"}',
    "float of another kind": '{"f":1}',
    "float that overflows": '{"f":"0x1p99999"}',
    "spelled infinity": '{"f":"Infinity"}',
    "Decimal with an underscore": '{"D":"1_0"}',
    "Decimal that is none": '{"D":"one"}',
    "Decimal as a tuple": '{"D":{"t":[0,[1],0]}}',
    "signalling NaN in a set": '{"s":[{"D":"sNaN"}]}',
    "Decimal out of range": '{"D":"1E+9999999999999999999"}',
    "escaped ASCII": '"\\u0061"',
    "raw umlaut": '"\u00e4"',
    "a lone surrogate": '"\\ud800"',
    "surrogates as such without need": '{"S":"61"}',
    "surrogates that are no UTF-8": '{"S":"ff"}',
    "date of another form": '{"Y":"20200101"}',
    "datetime of another form": '{"T":["2020-01-01 00:00",0]}',
    "fold of two": '{"H":["01:00:00",2]}',
    "timedelta in hours": '{"E":[0,90000,0]}',
    "timedelta too long": '{"E":[9999999999,0,0]}',
    "timedelta of much": '{"E":[' + "1," * 50 + "1]}",
    "bytes that are no text": b"\xff\xfe",
    "null byte": "\0",
    "nothing": "",
    "two values": "1 2",
    "a megabyte and one": '"' + "x" * MAX_BYTES + '"',
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_undecodable(name: str) -> None:
    """Whatever is not the canonical spelling within the bounds is refused with a reason."""
    with pytest.raises(Undecodable, match=r"."):
        decode(HOSTILE[name])


def filled(item: str) -> str:
    return "[" + ",".join([item] * ((MAX_BYTES - 10) // (len(item) + 1))) + "]"


@pytest.mark.parametrize("item", ["1", "[]", '{"z":[]}', "[" * 40 + "]" * 40, '{"D":"1"}', "9" * 900])
def test_the_longest_text_is_read_in_bounded_time(item: str) -> None:
    """A room may send megabytes; reading them must not outlast the room."""
    started = time.process_time()
    with contextlib.suppress(Undecodable):
        decode(filled(item))
    assert time.process_time() - started < 3
