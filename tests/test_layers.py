"""The layers point one way: who may import whom, read from the source itself."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = "inspect_agentbench"
SOURCE = Path(__file__).parents[1] / "src" / PACKAGE

ALLOWED: dict[str, set[str]] = {
    "errors": set(),
    "outcome": set(),
    "bank": {"errors", "outcome"},
    "engine": {"errors", "outcome", "bank"},
    "submission": {"errors", "outcome", "bank", "engine"},
    "integrity": {"errors", "outcome", "bank", "engine", "submission"},
    "grading": {"errors", "outcome", "bank", "engine", "submission", "integrity"},
    "stats": set(),
    "gate": {"errors", "outcome", "bank", "engine", "submission", "integrity", "grading", "stats"},
    "models": {"errors", "outcome"},
    "effort": set(),
    "claims": {"outcome", "effort"},
    "metrics": {"outcome", "claims"},
    "episode": {"errors", "outcome", "bank", "engine", "integrity", "models", "effort"},
    "replay": {"errors", "outcome", "bank", "episode"},
    "logs": {"errors", "outcome", "grading"},
    "compare": {"errors", "outcome", "stats"},
    "panel": {"stats"},
}
"""Layers in which a wrong import would do harm; what stands above them may import all of them."""

WITHOUT_INSPECT = (
    "errors",
    "outcome",
    "bank",
    "engine",
    "submission",
    "integrity",
    "grading",
    "gate",
    "stats",
    "effort",
    "claims",
    "compare",
    "panel",
)
WITHOUT_DOCKER = (
    "errors",
    "outcome",
    "bank",
    "models",
    "effort",
    "claims",
    "metrics",
    "replay",
    "stats",
    "compare",
    "panel",
)
INSIDE = ("episode/inside", "grading/inside", "gate/inside")
"""Folders whose programs run in containers, where only the standard library is."""


def modules() -> list[Path]:
    return sorted(SOURCE.rglob("*.py"))


def layer(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def dotted(path: Path) -> str:
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(path: Path) -> Iterator[str]:
    """Every module that a file imports, absolute, imports inside functions among them."""
    package = dotted(path) if path.name == "__init__.py" else dotted(path).rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            found = ".".join([*base, node.module] if node.module else base)
            yield found
            yield from (f"{found}.{alias.name}" for alias in node.names)


def layers_used(path: Path) -> set[str]:
    used = {name.split(".")[1] for name in imports(path) if name.startswith(f"{PACKAGE}.")}
    return {name for name in used if name != "__version__"} - {layer(path)}


@pytest.mark.parametrize("name", ALLOWED)
def test_a_layer_imports_only_what_is_below_it(name: str) -> None:
    """An import against the direction, such as grading knowing Inspect's scorer, is found at once."""
    wrong = {
        dotted(path): sorted(layers_used(path) - ALLOWED[name])
        for path in modules()
        if layer(path) == name and layers_used(path) - ALLOWED[name]
    }
    assert not wrong


@pytest.mark.parametrize(
    ("names", "foreign"),
    [(WITHOUT_INSPECT, "inspect_ai"), (WITHOUT_DOCKER, "docker")],
    ids=["inspect", "docker"],
)
def test_the_lower_layers_do_without(names: tuple[str, ...], foreign: str) -> None:
    """Grading works without Inspect, and the bank and the models without docker."""
    users = [
        dotted(path)
        for path in modules()
        if layer(path) in names and any(name.split(".")[0] == foreign for name in imports(path))
    ]
    assert not users


@pytest.mark.parametrize("folder", INSIDE)
def test_programs_for_containers_need_nothing_installed(folder: str) -> None:
    """In a container there is neither this package nor what it needs; only pytest, which runs the suite."""
    inside = [path for path in modules() if path.relative_to(SOURCE).as_posix().startswith(folder)]
    assert len(inside) > 1
    foreign = {
        name
        for path in inside
        for name in imports(path)
        if name.split(".")[0] not in {*sys.stdlib_module_names, "pytest"}
        and not name.startswith(f"{PACKAGE}.{folder.replace('/', '.')}")
    }
    assert not foreign


def test_no_two_modules_import_each_other_in_a_circle() -> None:
    """A circle works only as long as nobody changes the order of imports."""
    names = {dotted(path): path for path in modules()}
    graph = {
        name: {other for other in imports(path) if other in names} - {name} for name, path in names.items()
    }
    for package in [name for name, path in names.items() if path.name == "__init__.py"]:
        # A package stands for its modules; that they know each other through it would be a circle.
        graph[package] = {other for other in graph[package] if not other.startswith(f"{package}.")}
    assert not circle(graph)


def circle(graph: dict[str, set[str]]) -> list[str]:
    """One circle in the graph, or nothing."""
    left = dict(graph)
    while ends := [name for name, others in left.items() if not others & left.keys()]:
        left = {name: others for name, others in left.items() if name not in ends}
    return sorted(left)
