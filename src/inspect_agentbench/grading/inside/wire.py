"""The one encoding in which plain data crosses a border: canonical, tagged, ASCII JSON.

It also runs in rooms and judges. `encode` gives every plain value exactly one spelling, so two values are
the same, type for type, if and only if their texts are.

| value | spelling |
|---|---|
| None, True, False, str, int, list | as JSON writes them |
| str with surrogates | {"S": hex of its UTF-8}: JSON writes a pair of them like the one character |
| float | {"f": hex}; "nan", "inf", "-inf", "-0x0.0p+0" |
| bytes | {"b": hex} |
| tuple, set, frozenset | {"t": [...]}, {"s": [...]}, {"z": [...]}, sets sorted by spelling |
| dict | {"d": [[key, value], ...]}, sorted by the key's spelling |
| Decimal | {"D": text} |
| date, time, datetime | {"Y": iso}, {"H": [iso, fold]}, {"T": [iso, fold]} |
| timedelta | {"E": [days, seconds, microseconds]} |

`decode` is meant for hostile text: it raises `Undecodable` with a reason and nothing else.
"""

from __future__ import annotations

import datetime as _dt
import json
import math
from decimal import Decimal

TYPE_CHECKING = False  # typing itself would make every fork of a room slower
if TYPE_CHECKING:
    from typing import Any

MAX_DEPTH = 60
MAX_DIGITS = 1000
MAX_BYTES = 1_000_000
MAX_VALUES = 20_000
"""Values in one text, containers and tags included: what bounds the time of reading hostile text."""


class Unencodable(Exception):
    """The value is not plain data, or too deep or too large."""


class Undecodable(Exception):
    """The text is not the canonical spelling of plain data."""


def encode(value: Any) -> str:
    """The canonical spelling of `value`. Subclasses of plain types are spelled as the plain value.

    Raises Unencodable, and whatever a hostile value raises when it is looked at.
    """
    text = _dumps(_tagged(value, 0, _Bounds(Unencodable)))
    if len(text) > MAX_BYTES:
        raise Unencodable(f"longer than {MAX_BYTES} bytes")
    return text


def decode(text: str | bytes) -> Any:
    """The plain value that `text` spells."""
    try:
        return _decode(text)
    except Undecodable:
        raise
    except Exception as error:
        raise Undecodable(f"not plain data ({type(error).__name__})") from None


class _Bounds:
    """How deep one pass over a value may go, and how many values it may meet."""

    def __init__(self, error: type[Exception]) -> None:
        self._error = error
        self._left = MAX_VALUES

    def enter(self, depth: int) -> None:
        self._left -= 1
        if depth > MAX_DEPTH:
            raise self._error(f"deeper than {MAX_DEPTH} levels")
        if self._left < 0:
            raise self._error(f"more than {MAX_VALUES} values")


_dumps = json.JSONEncoder(separators=(",", ":"), ensure_ascii=True).encode  # json.dumps makes one a call


# --- spelling: each entry takes the value and `each`, which spells what the value holds ----------


def _tagged(value: Any, depth: int, bounds: _Bounds) -> Any:
    bounds.enter(depth)
    if value is None or value is True or value is False:
        return value
    for kind, spell in _SPELLINGS:
        if isinstance(value, kind):
            return spell(value, lambda items: [_tagged(item, depth + 1, bounds) for item in items])
    raise Unencodable(f"{type(value).__name__} is not plain data")


def _spell_str(value: str, _: Any) -> Any:
    text = str.__str__(value)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return {"S": text.encode("utf-8", "surrogatepass").hex()}
    return text


def _spell_int(value: int, _: Any) -> int:
    number = int.__index__(value)
    if not -_TOO_LARGE < number < _TOO_LARGE:
        raise Unencodable(f"an integer of more than {MAX_DIGITS} digits")
    return number


def _spell_dict(value: dict[Any, Any], each: Any) -> dict[str, Any]:
    pairs = [each(pair) for pair in dict.items(value)]
    return {"d": sorted(pairs, key=lambda pair: _dumps(pair[0]))}


_TOO_LARGE = 10**MAX_DIGITS
_SPELLINGS: tuple[tuple[Any, Any], ...] = (
    (str, _spell_str),
    (int, _spell_int),
    (float, lambda v, _: {"f": float.hex(v)}),
    (list, lambda v, each: each(list.__iter__(v))),
    (dict, _spell_dict),
    (bytes, lambda v, _: {"b": bytes.hex(v)}),
    (tuple, lambda v, each: {"t": each(tuple.__iter__(v))}),
    (set, lambda v, each: {"s": sorted(each(set.__iter__(v)), key=_dumps)}),
    (frozenset, lambda v, each: {"z": sorted(each(frozenset.__iter__(v)), key=_dumps)}),
    (Decimal, lambda v, _: {"D": Decimal.__str__(v)}),
    (_dt.datetime, lambda v, _: {"T": [_dt.datetime.isoformat(v), v.fold]}),
    (_dt.date, lambda v, _: {"Y": _dt.date.isoformat(v)}),
    (_dt.time, lambda v, _: {"H": [_dt.time.isoformat(v), v.fold]}),
    (_dt.timedelta, lambda v, _: {"E": [v.days, v.seconds, v.microseconds]}),
)


# --- reading: each entry takes the tag's body and `each`, which reads what the body lists --------


def _decode(text: str | bytes) -> Any:
    if len(text) > MAX_BYTES:
        raise Undecodable(f"longer than {MAX_BYTES} bytes")
    if isinstance(text, bytes):
        text = text.decode("ascii")
    value = _plain(_loads(text), 0, _Bounds(Undecodable))
    if encode(value) != text:
        raise Undecodable("not the canonical spelling")
    return value


class _Pairs(list["Any"]):
    """A JSON object as its pairs, so that a duplicate key is not lost."""


def _loads(text: str) -> Any:
    return json.loads(
        text,
        object_pairs_hook=_Pairs,
        parse_int=_parse_int,
        parse_float=_refuse_number,
        parse_constant=_refuse_number,
    )


def _parse_int(digits: str) -> int:
    if len(digits) > MAX_DIGITS + 1:  # of them one may be a sign
        raise Undecodable(f"an integer of more than {MAX_DIGITS} digits")
    return int(digits)


def _refuse_number(text: str) -> Any:
    raise Undecodable("a bare float")


def _plain(tagged: Any, depth: int, bounds: _Bounds) -> Any:
    bounds.enter(depth)
    if not isinstance(tagged, list):
        return tagged

    def each(items: Any) -> list[Any]:
        if not isinstance(items, list):
            raise Undecodable("a tag without its list")
        return [_plain(item, depth + 1, bounds) for item in items]

    if not isinstance(tagged, _Pairs):
        return each(tagged)
    if len(tagged) != 1 or tagged[0][0] not in _READERS:
        raise Undecodable("an unknown tag")
    tag, body = tagged[0]
    return _READERS[tag](body, each)


def _read_float(text: str) -> float:
    return math.nan if text == "nan" else float.fromhex(text)


def _read_dict(body: Any, each: Any) -> dict[Any, Any]:
    return dict(each(pair) for pair in body)


def _read_datetime(body: Any) -> _dt.datetime:
    iso, fold = body
    return _dt.datetime.fromisoformat(iso).replace(fold=fold)


def _read_time(body: Any) -> _dt.time:
    iso, fold = body
    return _dt.time.fromisoformat(iso).replace(fold=fold)


_READERS: dict[str, Any] = {
    "S": lambda body, _: bytes.fromhex(body).decode("utf-8", "surrogatepass"),
    "f": lambda body, _: _read_float(body),
    "b": lambda body, _: bytes.fromhex(body),
    "t": lambda body, each: tuple(each(body)),
    "s": lambda body, each: set(each(body)),
    "z": lambda body, each: frozenset(each(body)),
    "d": _read_dict,
    "D": lambda body, _: Decimal(body),
    "T": lambda body, _: _read_datetime(body),
    "Y": lambda body, _: _dt.date.fromisoformat(body),
    "H": lambda body, _: _read_time(body),
    "E": lambda body, _: _dt.timedelta(*body),
}
