"""The one encoding in which plain data crosses a border: canonical, tagged, ASCII JSON.

Standard library only: its source is also sent into rooms and judges. `encode` gives every plain value
exactly one spelling, so two values are the same, type for type, if and only if their texts are.

| value | spelling |
|---|---|
| None, True, False, str, int, list | as JSON writes them |
| float | {"f": hex}; "nan", "inf", "-inf", "-0x0.0p+0" |
| bytes | {"b": hex} |
| tuple, set, frozenset | {"t": [...]}, {"s": [...]}, {"z": [...]}, sets sorted by spelling |
| dict | {"d": [[key, value], ...]}, sorted by the key's spelling |
| Decimal | {"D": text} |
| date, time, datetime | {"Y": iso}, {"H": [iso, fold]}, {"T": [iso, fold]} |
| timedelta | {"E": [days, seconds, microseconds]} |

`decode` is meant for hostile text: it raises `Undecodable` with a reason and nothing else.
"""

import datetime as _dt
import json
import math
from decimal import Decimal
from typing import Any

MAX_DEPTH = 60
MAX_DIGITS = 1000
MAX_BYTES = 1_000_000


class Unencodable(Exception):
    """The value is not plain data, or too deep or too large."""


class Undecodable(Exception):
    """The text is not the canonical spelling of plain data."""


def encode(value: Any) -> str:
    """The canonical spelling of `value`. Subclasses of plain types are spelled as the plain value."""
    text = json.dumps(_tagged(value, 0), separators=(",", ":"), ensure_ascii=True)
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


def _tagged(value: Any, depth: int) -> Any:
    if depth > MAX_DEPTH:
        raise Unencodable(f"deeper than {MAX_DEPTH} levels")
    if value is None or value is True or value is False:
        return value
    for kind, spell in _SPELLINGS:
        if isinstance(value, kind):
            return spell(value, depth + 1)
    raise Unencodable(f"{type(value).__name__} is not plain data")


def _spell_int(value: int, _: int) -> int:
    if value.bit_length() > MAX_DIGITS * 3:
        raise Unencodable(f"an integer of more than {MAX_DIGITS} digits")
    return int.__index__(value)


def _spell_float(value: float, _: int) -> dict[str, str]:
    return {"f": float.hex(value)}


def _items(values: Any, depth: int) -> list[Any]:
    return [_tagged(item, depth) for item in values]


def _sorted_items(values: Any, depth: int) -> list[Any]:
    return sorted(_items(values, depth), key=_dumps)


def _spell_dict(value: dict[Any, Any], depth: int) -> dict[str, Any]:
    pairs = [[_tagged(key, depth), _tagged(item, depth)] for key, item in dict.items(value)]
    return {"d": sorted(pairs, key=lambda pair: _dumps(pair[0]))}


def _dumps(tagged: Any) -> str:
    return json.dumps(tagged, separators=(",", ":"))


_SPELLINGS: tuple[tuple[Any, Any], ...] = (
    (str, lambda v, d: str.__str__(v)),
    (int, _spell_int),
    (float, _spell_float),
    (list, lambda v, d: _items(list.__iter__(v), d)),
    (dict, _spell_dict),
    (bytes, lambda v, d: {"b": bytes.hex(v)}),
    (tuple, lambda v, d: {"t": _items(tuple.__iter__(v), d)}),
    (set, lambda v, d: {"s": _sorted_items(set.__iter__(v), d)}),
    (frozenset, lambda v, d: {"z": _sorted_items(frozenset.__iter__(v), d)}),
    (Decimal, lambda v, d: {"D": Decimal.__str__(v)}),
    (_dt.datetime, lambda v, d: {"T": [_dt.datetime.isoformat(v), v.fold]}),
    (_dt.date, lambda v, d: {"Y": _dt.date.isoformat(v)}),
    (_dt.time, lambda v, d: {"H": [_dt.time.isoformat(v), v.fold]}),
    (_dt.timedelta, lambda v, d: {"E": [v.days, v.seconds, v.microseconds]}),
)


def _decode(text: str | bytes) -> Any:
    if len(text) > MAX_BYTES:
        raise Undecodable(f"longer than {MAX_BYTES} bytes")
    if isinstance(text, bytes):
        text = text.decode("ascii")
    value = _plain(_loads(text), 0)
    if encode(value) != text:
        raise Undecodable("not the canonical spelling")
    return value


class _Pairs(list[Any]):
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
    if len(digits) > MAX_DIGITS:
        raise Undecodable(f"an integer of more than {MAX_DIGITS} digits")
    return int(digits)


def _refuse_number(text: str) -> Any:
    raise Undecodable("a bare float")


def _plain(tagged: Any, depth: int) -> Any:
    if depth > MAX_DEPTH:
        raise Undecodable(f"deeper than {MAX_DEPTH} levels")
    if not isinstance(tagged, list):
        return tagged
    if not isinstance(tagged, _Pairs):
        return [_plain(item, depth + 1) for item in tagged]
    if len(tagged) != 1 or tagged[0][0] not in _READERS:
        raise Undecodable("an unknown tag")
    tag, body = tagged[0]
    return _READERS[tag](body, depth + 1)


def _plain_items(body: Any, depth: int) -> list[Any]:
    if type(body) is not list:
        raise Undecodable("a tag without its list")
    return [_plain(item, depth) for item in body]


def _read_float(text: str, _: int) -> float:
    return math.nan if text == "nan" else float.fromhex(text)


def _read_dict(body: Any, depth: int) -> dict[Any, Any]:
    return {_plain(key, depth): _plain(item, depth) for key, item in body}


def _read_datetime(body: Any, _: int) -> _dt.datetime:
    iso, fold = body
    return _dt.datetime.fromisoformat(iso).replace(fold=fold)


def _read_time(body: Any, _: int) -> _dt.time:
    iso, fold = body
    return _dt.time.fromisoformat(iso).replace(fold=fold)


_READERS: dict[str, Any] = {
    "f": _read_float,
    "b": lambda body, d: bytes.fromhex(body),
    "t": lambda body, d: tuple(_plain_items(body, d)),
    "s": lambda body, d: set(_plain_items(body, d)),
    "z": lambda body, d: frozenset(_plain_items(body, d)),
    "d": _read_dict,
    "D": lambda body, d: Decimal(body),
    "T": _read_datetime,
    "Y": lambda body, d: _dt.date.fromisoformat(body),
    "H": _read_time,
    "E": lambda body, d: _dt.timedelta(*body),
}
