"""A bank: the folder pair `tasks/` + `oracles/`, read and checked as a whole."""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from ..errors import AgentbenchError
from .family import FIX_KINDS, Family
from .locate import BANK_VARIABLE, default_bank_root
from .manifest import FamilyManifest, OracleSettings, Problem, read_model


class Bank:
    """The families of one folder, by id."""

    def __init__(self, root: Path, families: dict[str, Family]) -> None:
        self.root = root
        self.families = families

    def family(self, name: str) -> Family:
        """The family of that name."""
        if name not in self.families:
            known = ", ".join(self.families)
            raise AgentbenchError(f"no family {name!r} in the bank {self.root}; it has {known}")
        return self.families[name]


def default_bank() -> Bank:
    """The bank named by AGENTBENCH_BANK, otherwise the one that the project ships."""
    return load_bank(default_bank_root())


def load_bank(root: Path) -> Bank:
    """Read a bank. Raises AgentbenchError that lists every mistake in every file."""
    return _load_bank(root.expanduser().resolve())


@lru_cache(maxsize=8)
def _load_bank(root: Path) -> Bank:
    for name in ("tasks", "oracles"):
        if not (root / name).is_dir():
            raise AgentbenchError(
                f"{root} is not a bank: it has no folder {name}/; name a folder with tasks/ and oracles/ "
                f"(-T bank=DIR or {BANK_VARIABLE})"
            )
    families: dict[str, Family] = {}
    problems: list[Problem] = []
    for folder in _family_folders(root):
        family, found = _read_family(root, folder)
        problems += found
        if family is not None:
            families[family.id] = family
    if problems:
        listed = "\n".join(f"  {problem}" for problem in problems)
        raise AgentbenchError(f"the bank {root} has {len(problems)} mistakes; mend these files:\n{listed}")
    if not families:
        raise AgentbenchError(f"the bank {root} holds no family; add tasks/<family>/family.toml")
    return Bank(root, families)


def _family_folders(root: Path) -> list[str]:
    """Names of every folder in either half, so that a half without its other is found."""
    halves = (root / "tasks", root / "oracles")
    return sorted({path.name for half in halves for path in half.iterdir() if _is_family_folder(path)})


def _is_family_folder(path: Path) -> bool:
    return path.is_dir() and not path.name.startswith((".", "_"))


def _read_family(root: Path, name: str) -> tuple[Family | None, list[Problem]]:
    tasks, oracles = root / "tasks" / name, root / "oracles" / name
    manifest, problems = read_model(FamilyManifest, tasks / "family.toml", f"tasks/{name}/family.toml")
    oracle, hidden_problems = read_model(
        OracleSettings, oracles / "oracle.toml", f"oracles/{name}/oracle.toml"
    )
    problems += hidden_problems
    if manifest is not None:
        problems += _manifest_problems(tasks, name, manifest)
    if oracle is not None:
        problems += _oracle_problems(oracles, name, oracle)
    if manifest is None or oracle is None:
        return None, problems
    return Family(tasks, oracles, manifest, oracle), problems


def _manifest_problems(folder: Path, name: str, manifest: FamilyManifest) -> Iterator[Problem]:
    where = f"tasks/{name}/family.toml"
    names = [variant.name for variant in manifest.variants]
    if manifest.id != name:
        yield Problem(where, "id", f"is {manifest.id!r}, but the folder is named {name!r}")
    if manifest.default_variant not in names:
        yield Problem(where, "default_variant", f"{manifest.default_variant!r} is none of {', '.join(names)}")
    for variant in names:
        if not (folder / "variants" / variant / "issue.md").is_file():
            yield Problem(f"tasks/{name}/variants/{variant}/issue.md", "", "is missing")
    if not (folder / "repo").is_dir():
        yield Problem(f"tasks/{name}/repo", "", "is missing")
    for path in manifest.test_paths:
        if not (folder / "repo" / path).exists():
            yield Problem(where, "test_paths", f"repo/{path} does not exist")
    if not (folder / "repo" / manifest.import_root).is_dir():
        yield Problem(where, "import_root", f"repo/{manifest.import_root} is not a folder")


def _oracle_problems(folder: Path, name: str, oracle: OracleSettings) -> Iterator[Problem]:
    hidden, where = folder / oracle.canary, f"oracles/{name}/oracle.toml"
    if not hidden.is_dir():
        yield Problem(where, "canary", f"there is no folder oracles/{name}/{oracle.canary}")
        return
    for file in ("oracle.py", "driver.py"):
        if not (hidden / file).is_file():
            yield Problem(f"oracles/{name}/{oracle.canary}/{file}", "", "is missing")
    for kind in FIX_KINDS[:2]:
        if not (hidden / kind).is_dir() or not any(path.is_dir() for path in (hidden / kind).iterdir()):
            yield Problem(f"oracles/{name}/{oracle.canary}/{kind}", "", "holds no fix")
    if not (hidden / "lazy" / oracle.obvious).is_dir():
        yield Problem(where, "obvious", f"there is no lazy fix {oracle.obvious!r}")
