"""A bank: the folder pair `tasks/` + `oracles/`, read and checked as a whole."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import AgentbenchError
from .family import FIX_KINDS, Family
from .hashing import read_tree
from .locate import BANK_VARIABLE, default_bank_root
from .manifest import FamilyManifest, OracleSettings, Problem, read_model
from .syntax import check_python


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
    survey = survey_bank(root)
    problems = [problem for found in survey.problems.values() for problem in found]
    if problems:
        listed = "\n".join(f"  {problem}" for problem in problems)
        raise AgentbenchError(f"the bank {root} has {_counted(problems)}; mend these files:\n{listed}")
    if not survey.families:
        raise AgentbenchError(f"the bank {root} holds no family; add tasks/<family>/family.toml")
    return Bank(root, survey.families)


class Survey(NamedTuple):
    """What a bank's folder holds, mistakes and all."""

    families: dict[str, Family]
    """Those that can be read, by id."""
    problems: dict[str, list[Problem]]
    """The mistakes of the others, by the name of their folder."""


def survey_bank(root: Path) -> Survey:
    """Read every family of a bank by itself. Raises AgentbenchError only if the folder is no bank."""
    for name in ("tasks", "oracles"):
        if not (root / name).is_dir():
            raise AgentbenchError(
                f"{root} is not a bank: it has no folder {name}/; name a folder with tasks/ and oracles/ "
                f"(-T bank=DIR or {BANK_VARIABLE})"
            )
    survey = Survey({}, {})
    for folder in _family_folders(root):
        family, found = _read_family(root, folder)
        if family is not None and not found:
            survey.families[family.id] = family
        else:
            survey.problems[folder] = found
    return survey


def _counted(problems: list[Problem]) -> str:
    return "1 mistake" if len(problems) == 1 else f"{len(problems)} mistakes"


def _family_folders(root: Path) -> list[str]:
    """Names of every folder in either half, so that a half without its other is found."""
    halves = (root / "tasks", root / "oracles")
    return sorted({path.name for half in halves for path in half.iterdir() if _is_family_folder(path)})


def _is_family_folder(path: Path) -> bool:
    return path.is_dir() and not path.name.startswith((".", "_"))


def _read_family(root: Path, name: str) -> tuple[Family | None, list[Problem]]:
    tasks, oracles = root / "tasks" / name, root / "oracles" / name
    manifest, told, problems = read_model(FamilyManifest, tasks / "family.toml", f"tasks/{name}/family.toml")
    oracle, hidden, mistakes = read_model(
        OracleSettings, oracles / "oracle.toml", f"oracles/{name}/oracle.toml"
    )
    problems += [*mistakes, *_manifest_problems(tasks, name, told), *_oracle_problems(oracles, name, hidden)]
    if manifest is None or oracle is None:
        return None, problems
    return Family(tasks, oracles, manifest, oracle), problems


def _manifest_problems(folder: Path, name: str, told: Mapping[str, Any]) -> Iterator[Problem]:
    """What the manifest says against what is there; values of a wrong type are told elsewhere."""
    where, variants = f"tasks/{name}/family.toml", _variant_names(told)
    if isinstance(told.get("id"), str) and told["id"] != name:
        yield Problem(where, "id", f"is {told['id']!r}, but the folder is named {name!r}")
    default = told.get("default_variant")
    if isinstance(default, str) and variants and default not in variants:
        yield Problem(where, "default_variant", f"{default!r} is none of {', '.join(variants)}")
    for variant in variants:
        if not (folder / "variants" / variant / "issue.md").is_file():
            yield Problem(f"tasks/{name}/variants/{variant}/issue.md", "", "is missing")
    if not (folder / "repo").is_dir():
        yield Problem(f"tasks/{name}/repo", "", "is missing")
    for path in _texts(told.get("test_paths", ["tests"])):
        if not (folder / "repo" / path).exists():
            yield Problem(where, "test_paths", f"repo/{path} does not exist")
    import_root = told.get("import_root", ".")
    if isinstance(import_root, str) and not (folder / "repo" / import_root).is_dir():
        yield Problem(where, "import_root", f"repo/{import_root} is not a folder")


def _variant_names(told: Mapping[str, Any]) -> list[str]:
    entries = told.get("variants")
    listed = entries if isinstance(entries, list) else []
    return _texts([entry.get("name") for entry in listed if isinstance(entry, dict)])


def _texts(values: Any) -> list[str]:
    return [value for value in values if isinstance(value, str)] if isinstance(values, list) else []


def _oracle_problems(folder: Path, name: str, told: Mapping[str, Any]) -> Iterator[Problem]:
    canary, where = told.get("canary"), f"oracles/{name}/oracle.toml"
    if not isinstance(canary, str) or not canary:
        return
    hidden = folder / canary
    if not hidden.is_dir():
        yield Problem(where, "canary", f"there is no folder oracles/{name}/{canary}")
        return
    for file in ("oracle.py", "driver.py"):
        yield from _code_problems(hidden / file, f"oracles/{name}/{canary}/{file}")
    for kind in FIX_KINDS[:2]:
        if not (hidden / kind).is_dir() or not any(path.is_dir() for path in (hidden / kind).iterdir()):
            yield Problem(f"oracles/{name}/{canary}/{kind}", "", "holds no fix")
    obvious = told.get("obvious")
    if isinstance(obvious, str) and not (hidden / "lazy" / obvious).is_dir():
        yield Problem(where, "obvious", f"there is no lazy fix {obvious!r}")
    for path, (content, _) in read_tree(folder).items():
        if content and canary.encode() not in content and b"\0" not in content:
            yield Problem(f"oracles/{name}/{path}", "", f"does not hold the canary {canary}")


def _code_problems(path: Path, where: str) -> Iterator[Problem]:
    """Whether the file is there and is Python; nothing of it is run."""
    if not path.is_file():
        yield Problem(where, "", "is missing")
        return
    try:
        check_python(path.read_bytes(), path.name)
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None)
        yield Problem(where, f"line {line}" if line else "", f"is not Python ({error.args[0]})")
