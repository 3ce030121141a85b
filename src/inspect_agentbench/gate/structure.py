"""What can be read off a family's files, without running anything."""

import ast
import itertools
import posixpath
import sys
from collections import Counter
from collections.abc import Iterator, Mapping

from ..bank import FIX_KINDS, Family, FixKind, KnownFix, Problem, TreeFile, parse_python
from .contract import Contract
from .reasons import Finding, Reason

_NAMELESS = ("__init__", "__main__", "conftest")


def problem_finding(family: str, problem: Problem) -> Finding:
    """The finding for what kept a family from being loaded."""
    reason = Reason.CANARY_MISSING if "the canary" in problem.message else Reason.MANIFEST
    return Finding(family, reason, problem.where, ": ".join(filter(None, [problem.field, problem.message])))


def check_structure(family: Family, contract: Contract) -> list[Finding]:
    """Every finding that the files alone give."""
    return [
        *_standard_names(family),
        *_few_fixes(family, contract),
        *_duplicate_names(family),
        *_same_code(family),
        *_not_editable(family),
        *_few_trials(family, contract),
        *_predictions(family),
    ]


def _repo(family: Family) -> str:
    return f"tasks/{family.id}/repo"


def modules(family: Family, tree: Mapping[str, TreeFile]) -> dict[str, TreeFile]:
    """The Python modules of a tree, tests apart; one without any code is none."""
    tests = [posixpath.normpath(path) for path in family.manifest.test_paths]
    return {
        path: file
        for path, file in tree.items()
        if path.endswith(".py")
        and not any(path == test or path.startswith(f"{test}/") for test in tests)
        and code_lines(file.content)
    }


def code_lines(content: bytes) -> int:
    """Lines that are neither blank nor nothing but a comment."""
    stripped = (line.strip() for line in content.splitlines())
    return sum(1 for line in stripped if line and not line.startswith(b"#"))


def small_repository(family: Family, contract: Contract) -> Iterator[Finding]:
    """Whether the starting tree is a repository and not an example."""
    if family.oracle.groups:
        return  # built from a specification: there is nothing yet that could be large
    found = modules(family, family.variant().tree())
    lines = sum(code_lines(file.content) for file in found.values())
    for count, wanted, what in (
        (len(found), contract.modules, "modules"),
        (lines, contract.code_lines, "lines of code"),
    ):
        if count < wanted:
            yield Finding(
                family.id,
                Reason.REPOSITORY_TOO_SMALL,
                _repo(family),
                f"has {count} {what} beside its tests; at least {wanted} are needed",
            )


def unfinished(family: Family) -> Iterator[Finding]:
    """What `agentbench new` left for the author to say."""
    told = family.manifest
    texts = (told.title, told.invariant, told.lever, *told.lane.authors, *told.lane.assistance)
    if any("TODO" in text for text in texts):
        yield Finding(
            family.id,
            Reason.MANIFEST,
            f"tasks/{family.id}/family.toml",
            "says TODO in title, invariant, lever or lane; say what it is",
        )


def _standard_names(family: Family) -> Iterator[Finding]:
    of_variants = {path for variant in family.variants.values() for path in variant.tree()}
    of_fixes = {path for fix in every_fix(family) for path in fix.files}
    paths = {path for path in of_variants | of_fixes if path.endswith(".py")}
    for path in sorted(paths):
        name = posixpath.basename(path).removesuffix(".py")
        if name in sys.stdlib_module_names and name not in _NAMELESS:
            yield Finding(
                family.id,
                Reason.STANDARD_NAME,
                path,
                f"another module might import this `{name}` for the standard one; rename it",
            )


def _few_fixes(family: Family, contract: Contract) -> Iterator[Finding]:
    demanded: tuple[tuple[FixKind, int], ...] = (
        ("correct", contract.correct_fixes),
        ("lazy", contract.lazy_fixes),
    )
    for kind, wanted in demanded:
        count = len(family.fixes(kind))
        if count < wanted:
            yield Finding(
                family.id,
                Reason.TOO_FEW_FIXES,
                f"oracles/{family.id}/{family.oracle.canary}/{kind}",
                f"holds {count}; at least {wanted}, written in different ways, are needed",
            )


def every_fix(family: Family) -> list[KnownFix]:
    """All known fixes of a family, by kind and name."""
    return [fix for kind in FIX_KINDS for fix in family.fixes(kind).values()]


def _duplicate_names(family: Family) -> Iterator[Finding]:
    counted = Counter(fix.name.casefold() for fix in every_fix(family))
    for name in sorted(name for name, count in counted.items() if count > 1):
        where = ", ".join(
            f"{fix.kind}/{fix.name}" for fix in every_fix(family) if fix.name.casefold() == name
        )
        yield Finding(family.id, Reason.DUPLICATE_NAME, where, "give each known fix a name of its own")


def _same_code(family: Family) -> Iterator[Finding]:
    variant = family.variant()
    code = {f"{fix.kind}/{fix.name}": meaning(variant.apply(fix.files)) for fix in every_fix(family)}
    for (one, first), (other, second) in itertools.combinations(code.items(), 2):
        if first == second:
            yield Finding(
                family.id,
                Reason.SAME_FIX_TWICE,
                f"{one} and {other}",
                "are the same but for comments and layout; replace one by another way of writing it",
            )


def meaning(tree: Mapping[str, TreeFile]) -> dict[str, str | bytes]:
    """A tree without the comments and the layout of its Python."""
    return {
        path: _syntax(file.content) if path.endswith(".py") else file.content for path, file in tree.items()
    }


def _syntax(content: bytes) -> str | bytes:
    """A module without its comments and layout, or its bytes if it is no Python."""
    try:
        return ast.dump(parse_python(content))
    except (SyntaxError, ValueError):
        return content


def _not_editable(family: Family) -> Iterator[Finding]:
    for fix in every_fix(family):
        for path in sorted(fix.files):
            if not family.is_editable(path):
                yield Finding(
                    family.id,
                    Reason.NOT_EDITABLE,
                    f"{fix.kind}/{fix.name}/{path}",
                    "an agent may not change this file, so the fix is none; see `editable` in family.toml",
                )


def _few_trials(family: Family, contract: Contract) -> Iterator[Finding]:
    if family.oracle.trials < contract.trials:
        yield Finding(
            family.id,
            Reason.TOO_FEW_TRIALS,
            f"oracles/{family.id}/oracle.toml",
            f"trials is {family.oracle.trials}; at least {contract.trials} are needed",
        )


def _predictions(family: Family) -> Iterator[Finding]:
    where = f"tasks/{family.id}/predictions.toml"
    try:
        family.predictions()
    except (OSError, ValueError) as error:
        yield Finding(family.id, Reason.PREDICTION_MISSING, where, f"cannot be read: {error}")
        return
    for name, variant in family.variants.items():
        if variant.prediction() is None:
            yield Finding(
                family.id,
                Reason.PREDICTION_MISSING,
                where,
                f"[{name}] needs solve_rate, from 0 to 1, written before any panel",
            )
