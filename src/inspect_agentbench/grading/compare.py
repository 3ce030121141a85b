"""Comparing what a candidate sent with the right answer. Every function here is total."""

import math
from typing import Any

from ..bank import Tolerance
from .inside.wire import decode, encode


def same(expected: str, got: str) -> bool:
    """Type for type: two plain values are the same if and only if their spellings are."""
    return expected == got


def equal(expected: str, got: str) -> bool:
    """Python's `==` on the plain values, as a test would compare them."""
    if expected == got:
        return True
    try:
        return bool(decode(expected) == decode(got))
    except Exception:  # whatever hostile data does to a comparison, it is a disagreement
        return False


def close(expected: str, got: str, tolerance: Tolerance) -> bool:
    """Type for type, but floats may differ by the declared tolerance."""
    if expected == got:
        return True
    try:
        return _close(decode(expected), decode(got), tolerance)
    except Exception:
        return False


def _close(expected: Any, got: Any, tolerance: Tolerance) -> bool:
    if type(expected) is not type(got):
        return False
    if isinstance(expected, float):
        return _close_floats(expected, got, tolerance)
    if isinstance(expected, list | tuple):
        pairs = zip(expected, got, strict=True)
        return len(expected) == len(got) and all(_close(e, g, tolerance) for e, g in pairs)
    if isinstance(expected, dict):
        return _same_keys(expected, got) and all(_close(expected[k], got[k], tolerance) for k in expected)
    return encode(expected) == encode(got)


def _same_keys(expected: dict[Any, Any], got: dict[Any, Any]) -> bool:
    return encode(set(expected)) == encode(set(got))


def _close_floats(expected: float, got: float, tolerance: Tolerance) -> bool:
    if not (math.isfinite(expected) and math.isfinite(got)):
        return encode(expected) == encode(got)
    return abs(expected - got) <= max(tolerance.absolute, tolerance.relative * abs(expected))
