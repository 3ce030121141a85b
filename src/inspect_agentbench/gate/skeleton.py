"""The beginning of a family: a working tiny example, the gate's own control family under another name."""

import re
import secrets
import shutil
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from ..bank import load_bank, survey_bank
from ..errors import AgentbenchError
from .controls import CONTROL_BANK, CONTROL_CANARY, CONTROL_FAMILY

_NAME = re.compile(r"[a-z][a-z0-9_-]{0,39}")
_TO_DO = "TODO"


def make_family(root: Path, name: str) -> tuple[Path, Path]:
    """Write `tasks/<name>` and `oracles/<name>` of a bank, whole or not at all, and give the two folders.

    Raises AgentbenchError for a name that cannot be one, a family that is there, or a folder that is no bank.
    """
    _check_name(name)
    try:
        _check_place(root, name)
        with tempfile.TemporaryDirectory(dir=root, prefix=".new-") as folder:
            made = _example(Path(folder), name)
            load_bank(made)
            return _moved(made, root, name)
    except OSError as error:
        raise AgentbenchError(f"{error.filename or root} cannot be written ({error.strerror})") from error


def _moved(made: Path, root: Path, name: str) -> tuple[Path, Path]:
    """Both halves from the one bank to the other, or neither."""
    tasks, oracles = root / "tasks" / name, root / "oracles" / name
    for half in (tasks, oracles):
        half.parent.mkdir(exist_ok=True)
    (made / "tasks" / name).rename(tasks)
    try:
        (made / "oracles" / name).rename(oracles)
    except OSError:
        shutil.rmtree(tasks)
        raise
    return tasks, oracles


def _check_name(name: str) -> None:
    if not _NAME.fullmatch(name):
        raise AgentbenchError(
            f"{name!r} cannot be a family's name: small letters, digits, - and _, a letter first, at most 40"
        )
    if name.replace("-", "_") in sys.stdlib_module_names:
        raise AgentbenchError(f"{name!r} is the name of a standard library module; choose another")


def _check_place(root: Path, name: str) -> None:
    if root.exists() and not root.is_dir():
        raise AgentbenchError(f"{root} is not a folder; name a bank, or a folder that is to become one")
    halves = [half for half in ("tasks", "oracles") if (root / half).is_dir()]
    if len(halves) == 2:
        survey = survey_bank(root)
        if name in {*survey.families, *survey.problems}:
            raise AgentbenchError(f"the bank {root} has a family {name!r} already; nothing was written")
    elif halves or (root.is_dir() and any(root.iterdir())):
        raise AgentbenchError(
            f"{root} is neither a bank (tasks/ and oracles/) nor an empty folder; name one of these"
        )
    root.mkdir(parents=True, exist_ok=True)


def _example(folder: Path, name: str) -> Path:
    """A bank that holds the example alone, under its new name and with a canary of its own."""
    canary = f"canary-{name}-{secrets.token_hex(6)}"
    made = folder / "bank"
    for half in ("tasks", "oracles"):
        shutil.copytree(CONTROL_BANK / half / CONTROL_FAMILY, made / half / name)
    hidden = made / "oracles" / name
    (hidden / CONTROL_CANARY).rename(hidden / canary)
    (hidden / canary / "signatures.json").unlink()
    for path in hidden.rglob("*"):
        if path.is_file():
            _replace(path, _hidden_changes(canary))
    _replace(made / "tasks" / name / "family.toml", _manifest_changes(name))
    predictions = made / "tasks" / name / "predictions.toml"
    predictions.write_text(
        re.sub(
            r'why = ".*"',
            f'why = "{_TO_DO}: what you expect, before any model has run"',
            predictions.read_text(),
        )
    )
    return made


def _hidden_changes(canary: str) -> dict[str, str]:
    return {
        CONTROL_CANARY: canary,
        "seed = 20261201": f"seed = {_today()}",
        "of a family that only tests the gate": "of the example; your own replace them",
    }


def _manifest_changes(name: str) -> dict[str, str]:
    return {
        f'id = "{CONTROL_FAMILY}"': f'id = "{name}"',
        'title = "Adding': f'title = "{_TO_DO} (example): Adding',
        'invariant = "Lines': f'invariant = "{_TO_DO} (example): Lines',
        'lever = "int()': f'lever = "{_TO_DO} (example): int()',
        'authors = ["the inspect_agentbench team"], assistance = ["Claude"]': (
            f'authors = ["{_TO_DO}"], assistance = ["{_TO_DO}: every model that helps, or nothing"]'
        ),
        'label = "smoke"': 'label = "scored"',
    }


def _replace(path: Path, changes: dict[str, str]) -> None:
    text = path.read_text(encoding="utf-8")
    for old, new in changes.items():
        text = text.replace(old, new)
    path.write_text(text, encoding="utf-8")


def _today() -> str:
    return datetime.now(UTC).strftime("%Y%m%d")
