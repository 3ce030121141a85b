"""A family on disk: one class owns every path of its two folders.

tasks/<family>/family.toml          the manifest
tasks/<family>/predictions.toml     predicted solve rates, written before any panel
tasks/<family>/repo/                the starting tree
tasks/<family>/variants/<name>/     issue.md, and repo/ with the files this variant replaces
oracles/<family>/oracle.toml        the hidden settings
oracles/<family>/<canary>/          oracle.py, driver.py, correct/, lazy/, wrong/, signatures.json,
                                    strength.json, equivalent.json
"""

import posixpath
import tomllib
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, NamedTuple

import pathspec

from ..errors import AgentbenchError
from .hashing import TreeFile, read_tree, tree_hash
from .manifest import FamilyManifest, Label, OracleSettings

FixKind = Literal["correct", "lazy", "wrong"]
FIX_KINDS: tuple[FixKind, ...] = ("correct", "lazy", "wrong")
TAKEN_UP_BY_NAME = ("conftest.py", "sitecustomize.py", "usercustomize.py", "*.pth", "*.pyc", "__pycache__/")
"""Git-style patterns of files that Python or pytest run or import without being asked to."""


RECORDED = ("signatures.json", "strength.json", "equivalent.json")
"""Files in the hidden folder that the tool writes about the oracle."""


class KnownFix(NamedTuple):
    """A fix whose verdict is known: files that lie over the tree."""

    kind: FixKind
    name: str
    files: dict[str, bytes]
    """Without the lines that hold the canary."""


class Variant:
    """A family told in one way: what an agent sees."""

    def __init__(self, family: "Family", name: str, label: Label) -> None:
        self.family = family
        self.name = name
        self.label = label

    @property
    def calibration(self) -> str:
        """`none`, or the record of the panel that calibrated it."""
        return next(entry.calibration for entry in self.family.manifest.variants if entry.name == self.name)

    def prediction(self) -> float | None:
        """The solve rate that the author predicted, from 0 to 1; None if there is no such number."""
        try:
            rate = self.family.predictions()[self.name]["solve_rate"]
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return rate if isinstance(rate, int | float) and 0 <= rate <= 1 else None

    @property
    def folder(self) -> Path:
        """`tasks/<family>/variants/<name>`."""
        return self.family.tasks_folder / "variants" / self.name

    @cached_property
    def issue_text(self) -> str:
        """The bug report."""
        return (self.folder / "issue.md").read_text(encoding="utf-8")

    @cached_property
    def _files(self) -> dict[str, TreeFile]:
        return read_tree(self.family.tasks_folder / "repo") | read_tree(self.folder / "repo")

    def tree(self) -> dict[str, TreeFile]:
        """The starting tree by POSIX path, the variant's own files laid over `repo/`."""
        return dict(self._files)

    def tree_hash(self) -> str:
        """The hash of the starting tree."""
        return tree_hash(self._files)

    def visible_hash(self) -> str:
        """The hash of all that the agent is given: the tree and the issue text."""
        issue = TreeFile(self.issue_text.encode())
        return tree_hash({f"tree/{path}": file for path, file in self._files.items()} | {"issue.md": issue})

    def apply(self, files: Mapping[str, bytes]) -> dict[str, TreeFile]:
        """The starting tree with `files` laid over it, executable bits kept."""
        tree = self.tree()
        for path, content in files.items():
            tree[path] = TreeFile(content, path in tree and tree[path].executable)
        return tree

    def with_submission(self, files: Mapping[str, bytes]) -> dict[str, TreeFile]:
        """The pristine tree whose editable files are exactly those of the submission."""
        legal = {path: content for path, content in files.items() if self.family.is_editable(path)}
        dropped = {path for path in self._files if self.family.is_editable(path) and path not in legal}
        return {path: file for path, file in self.apply(legal).items() if path not in dropped}

    def editable_files(self, tree: Mapping[str, TreeFile]) -> dict[str, bytes]:
        """The part of a tree that a submission consists of."""
        return {path: file.content for path, file in tree.items() if self.family.is_editable(path)}


class Family:
    """One bug in one small repository, with its hidden oracle."""

    def __init__(
        self, tasks_folder: Path, oracles_folder: Path, manifest: FamilyManifest, oracle: OracleSettings
    ) -> None:
        self.tasks_folder = tasks_folder
        self.oracles_folder = oracles_folder
        self.manifest = manifest
        self.oracle = oracle
        self.variants = {v.name: Variant(self, v.name, v.label) for v in manifest.variants}

    @property
    def id(self) -> str:
        """The family's name, which is its folder's."""
        return self.manifest.id

    @property
    def hidden_folder(self) -> Path:
        """`oracles/<family>/<canary>`; every path in it carries the canary."""
        return self.oracles_folder / self.oracle.canary

    @cached_property
    def oracle_source(self) -> str:
        """The code of reference, generator and fixed cases; runs only in a judge."""
        return (self.hidden_folder / "oracle.py").read_text(encoding="utf-8")

    @cached_property
    def driver_source(self) -> str:
        """The code that calls the candidate; runs in a room."""
        return (self.hidden_folder / "driver.py").read_text(encoding="utf-8")

    @property
    def signatures_path(self) -> Path:
        """Where the tool records which trials each lazy fix gets wrong."""
        return self.hidden_folder / "signatures.json"

    def predictions(self) -> dict[str, Any]:
        """What predictions.toml says. Raises OSError or ValueError if it cannot be read."""
        return tomllib.loads((self.tasks_folder / "predictions.toml").read_text(encoding="utf-8"))

    def variant(self, name: str | None = None) -> Variant:
        """The variant of that name, by default the manifest's."""
        wanted = name or self.manifest.default_variant
        if wanted not in self.variants:
            raise AgentbenchError(
                f"family {self.id} has no variant {wanted!r}; it has {', '.join(self.variants)}"
            )
        return self.variants[wanted]

    def is_editable(self, path: str) -> bool:
        """Whether a submission may hold the file at this POSIX path.

        A wide pattern does not open what decides about it: visible tests, protected files, and files that
        Python or pytest take up by their name.
        """
        return self._editable.match_file(path) and not self._never_editable.match_file(path)

    def is_protected(self, path: str) -> bool:
        """Whether a change of the file at this POSIX path is recorded."""
        return self._protected.match_file(path)

    @cached_property
    def _editable(self) -> pathspec.GitIgnoreSpec:
        return pathspec.GitIgnoreSpec.from_lines(self.manifest.editable)

    @cached_property
    def _never_editable(self) -> pathspec.GitIgnoreSpec:
        tests = [f"/{path}" for path in map(posixpath.normpath, self.manifest.test_paths) if path != "."]
        return pathspec.GitIgnoreSpec.from_lines([*TAKEN_UP_BY_NAME, *tests, *self.manifest.protected])

    @cached_property
    def _protected(self) -> pathspec.GitIgnoreSpec:
        return pathspec.GitIgnoreSpec.from_lines(self.manifest.protected)

    def fixes(self, kind: FixKind) -> dict[str, KnownFix]:
        """The known fixes of one kind by name, sorted."""
        folder = self.hidden_folder / kind
        names = sorted(path.name for path in folder.iterdir() if path.is_dir()) if folder.is_dir() else []
        return {name: KnownFix(kind, name, self._fix_files(folder / name)) for name in names}

    def _fix_files(self, folder: Path) -> dict[str, bytes]:
        return {path: self.without_canary(file.content) for path, file in read_tree(folder).items()}

    def without_canary(self, content: bytes) -> bytes:
        """The content less every line that holds the canary."""
        canary = self.oracle.canary.encode()
        return b"".join(line for line in content.splitlines(keepends=True) if canary not in line)

    def oracle_hash(self) -> str:
        """The hash of everything hidden but what was recorded of it, which follows from the rest."""
        hidden = read_tree(self.oracles_folder)
        for name in RECORDED:
            hidden.pop(f"{self.oracle.canary}/{name}", None)
        return tree_hash(hidden)
