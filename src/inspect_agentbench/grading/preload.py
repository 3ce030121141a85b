"""Which standard modules a room's worker imports before it forks.

Those that the pristine code behind the entry points imports, and no others: a module that every child
would import is paid for once, one that none needs makes every fork slower. Only trusted text is read.
"""

import ast
import posixpath
import sys
from collections.abc import Iterator, Mapping

from inspect_agentbench.bank import TreeFile, Variant, parse_python


def standard_imports(variant: Variant) -> list[str]:
    """Names of the standard modules, sorted."""
    tree, manifest = variant.tree(), variant.family.manifest
    waiting = {entry.partition(":")[0] for entry in manifest.entry_points}
    waiting |= set(_imports(variant.family.driver_source.encode(), ""))
    seen: set[str] = set()
    while waiting:
        name = waiting.pop()
        seen.add(name)
        found = _source(tree, manifest.import_root, name)
        if found is not None:
            waiting |= set(_imports(*found)) - seen
    return sorted(name for name in seen if _is_standard(name))


def _source(tree: Mapping[str, TreeFile], root: str, module: str) -> tuple[bytes, str] | None:
    """A module's text in the tree and the package that its relative imports start from."""
    base = posixpath.normpath(posixpath.join(root, *module.split(".")))
    for path, package in ((f"{base}.py", module.rpartition(".")[0]), (f"{base}/__init__.py", module)):
        if path in tree:
            return tree[path].content, package
    return None


def _imports(source: bytes, package: str) -> Iterator[str]:
    """Every module that a text names in an import, and its packages."""
    for node in ast.walk(parse_python(source)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _with_packages(alias.name)
        elif isinstance(node, ast.ImportFrom):
            base = _absolute(node, package)
            yield from _with_packages(base)
            if not _is_standard(base):  # what is imported from it may be a module too
                yield from (f"{base}.{alias.name}".lstrip(".") for alias in node.names)


def _is_standard(module: str) -> bool:
    return module.partition(".")[0] in sys.stdlib_module_names


def _absolute(node: ast.ImportFrom, package: str) -> str:
    if not node.level:
        return node.module or ""
    parts = package.split(".")[: len(package.split(".")) - node.level + 1]
    return ".".join([*parts, node.module] if node.module else parts)


def _with_packages(name: str) -> Iterator[str]:
    parts = name.split(".")
    for count in range(1, len(parts) + 1):
        yield ".".join(parts[:count])
