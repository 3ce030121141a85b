"""The plan that a room gets by value: the tree, the driver, the inputs. Never an expected answer."""

import base64
import json
import posixpath
import secrets
import struct
from collections.abc import Mapping, Sequence

from ..bank import Family, TreeFile, Variant
from .cases import Case
from .inside.wire import MAX_BYTES

VISIBLE_SECONDS = 20
"""Wall time of the visible suite."""
_LENGTH = struct.Struct(">I")
_CONTROL_TEST = "def test_control():\n    assert 0 == 1\n"


class Control:
    """A test that must fail, under a name that no submission can know beforehand.

    Its passing proves that the report of the visible suite was forged.
    """

    def __init__(self, variant: Variant) -> None:
        first = variant.family.manifest.test_paths[0]
        folder = posixpath.dirname(first) if posixpath.normpath(first) in variant.tree() else first
        self.path = posixpath.normpath(f"{folder or '.'}/test_{secrets.token_hex(6)}.py")
        self.test = f"{self.path}::test_control"
        self.file = TreeFile(_CONTROL_TEST.encode())


def room_plan(
    variant: Variant,
    tree: Mapping[str, TreeFile],
    cases: Sequence[Case],
    control: Control | None,
    preload: Sequence[str],
) -> bytes:
    """The length-prefixed plan for `cases` in their order; with a control, the visible suite runs first.

    `preload` comes from `standard_imports`.
    """
    family = variant.family
    files = dict(tree)
    if control is not None:
        files[control.path] = control.file
    return plan_bytes(
        {
            "tree": [[path, f.executable, _base64(f.content)] for path, f in sorted(files.items())],
            "import_root": family.manifest.import_root,
            "preload": list(preload),
            "driver": family.driver_source,
            "step_seconds": family.oracle.step_seconds,
            "answer_bytes": MAX_BYTES,
            "visible": _visible(family, control),
            "cases": [list(case.steps) for case in cases],
        }
    )


def driver_plan(driver: str, cases: Sequence[Case], step_seconds: float) -> bytes:
    """The plan for a driver alone, without any tree; for looking at a room from inside."""
    return plan_bytes(
        {
            "tree": [],
            "import_root": ".",
            "preload": [],
            "driver": driver,
            "step_seconds": step_seconds,
            "answer_bytes": MAX_BYTES,
            "visible": None,
            "cases": [list(case.steps) for case in cases],
        }
    )


def plan_bytes(plan: Mapping[str, object]) -> bytes:
    """A plan as the worker reads it: its length, then its JSON."""
    data = json.dumps(plan).encode("ascii")
    return _LENGTH.pack(len(data)) + data


def _visible(family: Family, control: Control | None) -> dict[str, object] | None:
    if control is None:
        return None
    paths = [posixpath.normpath(path) for path in family.manifest.test_paths]
    if not any(path in (".", posixpath.dirname(control.path)) for path in paths):
        paths.append(control.path)  # the manifest names files, not the folder that holds them
    return {"paths": paths, "seconds": VISIBLE_SECONDS}


def _base64(content: bytes) -> str:
    return base64.b64encode(content).decode("ascii")
