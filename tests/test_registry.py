"""What Inspect finds by name, and the private names of Inspect's that are leant on."""

import importlib
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest
from inspect_ai._util.registry import registry_info, registry_lookup
from inspect_ai.model import get_model

from inspect_agentbench import _registry
from inspect_agentbench.bank import default_bank
from inspect_agentbench.replay import ReplayAPI

PRIVATE_NAMES = [
    ("inspect_ai._util.error", "PrerequisiteError"),
    ("inspect_ai.model._generate_config", "active_generate_config"),
]


def test_the_entry_point_loads() -> None:
    """Inspect turns an error in here into a warning and "task not found"."""
    (entry,) = [e for e in entry_points(group="inspect_ai") if e.name == "inspect_agentbench"]
    assert entry.load() is _registry


def test_every_family_is_a_task_without_a_line_of_code() -> None:
    """Two new folders are enough for `inspect eval inspect_agentbench/<family>`."""
    assert set(_registry.FAMILY_TASKS) >= set(default_bank().families)
    for name, task in _registry.FAMILY_TASKS.items():
        assert registry_info(task).name == f"inspect_agentbench/{name}"


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("task", "inspect_agentbench/bank"),
        ("task", "inspect_agentbench/tailer"),
        ("scorer", "inspect_agentbench/oracle_grade"),
        ("solver", "inspect_agentbench/coding_agent"),
        ("solver", "inspect_agentbench/setup_workspace"),
        ("metric", "inspect_agentbench/solved_rate"),
        ("metric", "inspect_agentbench/by_family"),
    ],
)
def test_everything_public_has_the_package_in_its_name(kind: str, name: str) -> None:
    """A log or a command line that names it by package finds it."""
    assert registry_lookup(kind, name) is not None  # type: ignore[arg-type]


def test_a_broken_bank_does_not_break_loading(banks: Path, tmp_path: Path) -> None:
    """The mistakes are told when a task is made; an import that failed would hide them."""
    program = "import inspect_agentbench._registry as r; print(*sorted(r.FAMILY_TASKS))"
    for bank in (banks / "broken", banks / "nowhere"):
        done = subprocess.run(
            [sys.executable, "-c", program],
            env={"AGENTBENCH_BANK": str(bank), "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert "tailer" in done.stdout.split(), "a task that is asked for must be there to say what is wrong"


@pytest.mark.parametrize(("module", "name"), PRIVATE_NAMES)
def test_private_names_of_inspect_are_where_they_were(module: str, name: str) -> None:
    """A new Inspect that moves one fails here, and not in a user's run."""
    assert hasattr(importlib.import_module(module), name)


def test_the_private_names_listed_are_all_that_are_used() -> None:
    """A new use of a private module of Inspect's has to be added to the guard."""
    source = Path(_registry.__file__).parent
    lines = [
        line.split("#")[0].split()
        for path in source.rglob("*.py")
        for line in path.read_text().splitlines()
        if line.lstrip().startswith("from inspect_ai.") and "._" in line.partition(" import ")[0]
    ]
    used = {(words[1], name.strip(",")) for words in lines for name in words[3:]}
    assert used == set(PRIVATE_NAMES)


def test_the_replay_models_are_found_by_inspect() -> None:
    """`--model replay/idle` needs neither a key nor an address."""
    model = get_model("replay/idle")
    assert (str(model), type(model.api)) == ("replay/idle", ReplayAPI)
