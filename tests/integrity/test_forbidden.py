"""Forbidden patterns: only code counts, only what was added, and no spelling hides it."""

import pytest

from inspect_agentbench.integrity import EvidenceKind
from inspect_agentbench.integrity.forbidden import forbidden_code

PATTERN = r"\bimport gc\b|get_objects"
BEFORE = {"a.py": b"import os\n\n\ndef f():\n    return gc.get_objects()\n"}

CODE = {
    "a line": b"import gc\n",
    "in a function": b"def f():\n    import gc\n",
    "after a comment with a carriage return": b"# harmless\rimport gc\n",
    "after a semicolon": b"x = 1; import gc\n",
    "after a string of its own": b"'x'; import gc\n",
    "in a string that is evaluated": b"exec('import gc')\n",
    "in a formatted string that stands alone": b"f'{gc.get_objects()}'\n",
    "in a raw formatted string that stands alone": b"rf'{gc.get_objects()}'\n",
    "under another encoding": "# coding: utf-7\n+AGk-mport gc\n".encode("ascii"),
    "with Windows line ends": b"x = 1\r\nimport gc\r\n",
}

NO_CODE = {
    "a comment": b"# never import gc here\n",
    "a comment after code": b"x = 1  # import gc\n",
    "a docstring": b'"""Does not import gc."""\n',
    "a docstring of a function": b'def f():\n    """get_objects is slow.\n\n    import gc\n    """\n',
    "a file that Python cannot read": b"def (:\n  'import gc\n",
    "a deep file": b"(" * 5000,
    "null bytes": b"\0\0",
    "an unknown encoding": b"# coding: nothing\nimport gc\n",
    "nothing": b"",
}


@pytest.mark.parametrize("way", CODE)
def test_added_code_that_matches_is_evidence(way: str) -> None:
    (piece,) = forbidden_code([r"nothing", PATTERN], BEFORE, BEFORE | {"b.py": CODE[way]})
    assert piece.kind is EvidenceKind.FORBIDDEN
    assert (piece.where, "pattern 2" in piece.detail) == ("submission b.py", True)
    assert PATTERN not in str(piece), "the pattern is hidden, and the log keeps evidence"


@pytest.mark.parametrize("way", NO_CODE)
def test_what_does_nothing_is_no_evidence(way: str) -> None:
    assert list(forbidden_code([PATTERN], BEFORE, BEFORE | {"b.py": NO_CODE[way]})) == []


def test_code_that_was_there_may_stay_and_move() -> None:
    moved = {"a.py": b"def f():\n    if True:\n        return gc.get_objects()\n\n\nimport os\n"}
    assert list(forbidden_code([PATTERN], BEFORE, moved)) == []


def test_code_that_was_there_once_may_not_stand_twice() -> None:
    twice = {"a.py": BEFORE["a.py"] + b"\n\ndef g():\n    return gc.get_objects()\n"}
    assert len(list(forbidden_code([PATTERN], BEFORE, twice))) == 1


def test_without_patterns_nothing_is_forbidden() -> None:
    assert list(forbidden_code([], {}, {"a.py": b"import gc, ctypes\neval('1')\n"})) == []
