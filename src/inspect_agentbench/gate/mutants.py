"""Mutants of a known fix, by Cosmic Ray's operators: small changes that a good oracle tells from the fix."""

import ast
import difflib
import hashlib
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ..bank import parse_python
from ..errors import AgentbenchError

OPERATORS = (
    "ReplaceBinaryOperator_Add_Sub",
    "ReplaceBinaryOperator_Sub_Add",
    "ReplaceBinaryOperator_Mul_FloorDiv",
    "ReplaceBinaryOperator_Div_Mul",
    "ReplaceBinaryOperator_FloorDiv_Mul",
    "ReplaceBinaryOperator_Mod_FloorDiv",
    "ReplaceBinaryOperator_Pow_Mul",
    "ReplaceBinaryOperator_LShift_RShift",
    "ReplaceBinaryOperator_RShift_LShift",
    "ReplaceBinaryOperator_BitAnd_BitOr",
    "ReplaceBinaryOperator_BitXor_BitOr",
    "ReplaceComparisonOperator_Eq_NotEq",
    "ReplaceComparisonOperator_NotEq_Eq",
    "ReplaceComparisonOperator_Lt_LtE",
    "ReplaceComparisonOperator_Lt_GtE",
    "ReplaceComparisonOperator_LtE_Lt",
    "ReplaceComparisonOperator_LtE_Gt",
    "ReplaceComparisonOperator_Gt_GtE",
    "ReplaceComparisonOperator_Gt_LtE",
    "ReplaceComparisonOperator_GtE_Gt",
    "ReplaceComparisonOperator_GtE_Lt",
    "ReplaceComparisonOperator_Is_IsNot",
    "ReplaceComparisonOperator_IsNot_Is",
    "ReplaceUnaryOperator_USub_UAdd",
    "ReplaceUnaryOperator_Delete_USub",
    "ReplaceUnaryOperator_Delete_Not",
    "AddNot",
    "ReplaceTrueWithFalse",
    "ReplaceFalseWithTrue",
    "ReplaceAndWithOr",
    "ReplaceOrWithAnd",
    "ReplaceBreakWithContinue",
    "ReplaceContinueWithBreak",
    "ExceptionReplacer",
    "NumberReplacer",
    "ZeroIterationForLoop",
)
"""One or two replacements for each operator of the language: all of them would say the same ten times over.

Left out besides: swaps of `==` and `is`, which make mutants that are equal by chance of the interpreter,
type unions, and decorators.
"""


class Mutant(NamedTuple):
    """A known fix with one small change."""

    fix: str
    path: str
    code: str
    """The whole mutated file."""
    diff: str
    """Unified, without headers."""

    @property
    def id(self) -> str:
        """Ten hexadecimal digits that follow from fix, path, change and neighbouring lines, not its place."""
        return hashlib.sha256("\n".join([self.fix, self.path, self.diff]).encode()).hexdigest()[:10]


def mutants_of(fix: str, files: Mapping[str, bytes]) -> list[Mutant]:
    """Every mutant of the Python files of a fix, each different from the fix and from the others.

    Raises AgentbenchError if Cosmic Ray is not installed.
    """
    found: dict[str, Mutant] = {}
    for path, content in sorted(files.items()):
        if path.endswith(".py"):
            source = content.decode("utf-8")
            seen = {_meaning(source)}
            for code in _mutations(source):
                meaning = _meaning(code)
                if meaning is not None and meaning not in seen:
                    seen.add(meaning)
                    mutant = Mutant(fix, path, code, _diff(source, code))
                    found.setdefault(mutant.id, mutant)
    return list(found.values())


def _mutations(source: str) -> Iterator[str]:
    mutate_code, operators = _cosmic_ray()
    for operator in operators:
        occurrence = 0
        while (code := mutate_code(source, operator, occurrence)) is not None:
            occurrence += 1
            yield code


def _cosmic_ray() -> tuple[Any, list[Any]]:
    try:
        from cosmic_ray.mutating import mutate_code
        from cosmic_ray.plugins import get_operator
    except ImportError:
        raise AgentbenchError(
            "mutants need Cosmic Ray, which is not installed: pip install 'inspect_agentbench[authoring]'"
        ) from None
    return mutate_code, [get_operator(f"core/{name}")() for name in OPERATORS]


def _meaning(source: str) -> str | None:
    """The code without its layout, None if it is no Python."""
    try:
        return ast.dump(parse_python(source))
    except (SyntaxError, ValueError):
        return None


def _diff(before: str, after: str) -> str:
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=1)
    return "\n".join(line for line in lines if not line.startswith(("---", "+++", "@@")))
