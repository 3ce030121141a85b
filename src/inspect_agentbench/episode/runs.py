"""Which shell commands run the visible tests, how many of them, and what came of it.

The exit status is the container's word, and decides wherever it is the suite's own. Where it is another
program's (`pytest | tail`), only the runner's summary line tells; that is text, which an agent can print,
so a result that rests on it says so.
"""

import posixpath
import re
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Final, Literal, NamedTuple

from ..bank import Variant
from ..effort import RunResult, Scope
from .layout import HOME, WORKSPACE
from .shell import Command, parse

_LONGEST_COMMAND: Final = 100_000
_DEEPEST: Final = 3
_SHELLS: Final = {"bash", "sh", "dash"}
_PYTHON: Final = re.compile(r"python(?:3(?:\.\d+)?)?")
_ASSIGNMENT: Final = re.compile(r"[A-Za-z_]\w*=.*", re.DOTALL)
_WRAPPERS: Final = {"command", "env", "exec", "nice", "nohup", "stdbuf", "sudo", "time", "timeout"}
_HARMLESS: Final = {":", "clear", "export", "pwd", "set", "true"}
"""Commands whose failure nobody has to think of when a later one in the same `&&` chain is red."""
_RUNS_NOTHING: Final = {
    "--version", "-V", "--help", "-h", "--collect-only", "--co", "--fixtures", "--markers",
    "--setup-plan", "--setup-only", "--cache-show",
}  # fmt: skip
_NARROWS: Final = {
    "-k", "-m", "--lf", "--last-failed", "--deselect", "--ignore", "--ignore-glob", "--sw", "--stepwise",
}  # fmt: skip
_OPTIONS_WITH_VALUE: Final = {
    "-k", "-m", "-p", "-c", "-o", "-n", "-W", "--tb", "--rootdir", "--durations", "--maxfail", "--timeout",
    "--deselect", "--ignore", "--ignore-glob", "--color", "--junitxml",
}  # fmt: skip
_PYTEST_SUMMARY: Final = re.compile(
    r"^(?:=+ )?((?:no tests ran|\d+ [a-z]+)(?:, \d+ [a-z]+)*) in \d+(?:\.\d+)?s(?: \([\d:]+\))?(?: =+)?$",
    re.MULTILINE,
)
_UNITTEST_SUMMARY: Final = re.compile(r"^(?:OK|FAILED)(?: \([a-z =,\d]+\))?$", re.MULTILINE)
_RED: Final = re.compile(r"\d+ (?:failed|errors?)\b|^FAILED")
_GREEN: Final = re.compile(r"\d+ passed\b|^OK")


Status = Literal["exact", "zero", "none"]
"""What an exit status tells: the result; green if it is 0, else nothing; nothing."""


class SuiteRun(NamedTuple):
    """A command line that runs visible tests."""

    scope: Scope
    runs: int
    """How often a runner is started in it."""
    status: Status
    """What the exit status of the whole line tells."""


class RunOutcome(NamedTuple):
    """What came of a run, and how that is known."""

    result: RunResult
    told_by: Literal["status", "summary"] | None


class _Found(NamedTuple):
    """One start of a runner: the visible files that it names, or None for all, and what it tells."""

    files: frozenset[str] | None
    narrowed: bool
    status: Status


class VisibleSuite:
    """The visible tests of a tree, to recognise commands that run them."""

    def __init__(self, variant: Variant) -> None:
        tree = {path: file.content for path, file in variant.tree().items()}
        roots = [posixpath.normpath(path) for path in variant.family.manifest.test_paths]
        self._files = frozenset(
            path for path in tree if path.endswith(".py") and any(_is_below(path, root) for root in roots)
        )
        self._tests = frozenset(path for path in self._files if _is_test_file(path))
        self._scripts = _scripts(tree)

    def find(self, command: str) -> SuiteRun | None:
        """How a command line runs visible tests; None if it does not."""
        found = self._line(command, WORKSPACE, 0) if len(command) <= _LONGEST_COMMAND else []
        if not found:
            return None
        named: frozenset[str] = frozenset().union(*(run.files or frozenset() for run in found))
        covered = any(run.files is None and not run.narrowed for run in found)
        covered |= not any(run.narrowed for run in found) and self._tests <= named
        statuses = {run.status for run in found}
        status: Status = "zero" if statuses <= {"exact", "zero"} else "none"
        return SuiteRun(
            "whole" if covered else "part", len(found), "exact" if statuses == {"exact"} else status
        )

    def _line(self, text: str, folder: str, depth: int) -> list[_Found]:
        if depth > _DEEPEST:
            return []
        line = parse(text)
        found: list[_Found] = []
        for number, command in enumerate(line.commands):
            words = _unwrapped(command.words)
            folder = _changed_folder(words, folder)
            told = _status(line.commands, number) if line.plain else "none"
            found += [
                run._replace(status=_weaker(run.status, told)) for run in self._command(words, folder, depth)
            ]
        for inner in line.inner:
            found += [run._replace(status="none") for run in self._line(inner, folder, depth + 1)]
        return found

    def _command(self, words: Sequence[str], folder: str, depth: int) -> list[_Found]:
        if not words:
            return []
        program, arguments = posixpath.basename(words[0]), list(words[1:])
        if program in _SHELLS:
            return self._shell(arguments, folder, depth)
        if program in ("pytest", "py.test"):
            return self._pytest(arguments, folder)
        if _PYTHON.fullmatch(program):
            return self._python(arguments, folder)
        if program == "make":
            return self._script("Makefile", folder)
        return self._script(words[0], folder) if "/" in words[0] else []

    def _shell(self, arguments: list[str], folder: str, depth: int) -> list[_Found]:
        for number, argument in enumerate(arguments):
            if argument.startswith("-") and "c" in argument.lstrip("-"):
                return self._line("".join(arguments[number + 1 : number + 2]), folder, depth + 1)
            if not argument.startswith("-"):
                return self._script(argument, folder)
        return []

    def _python(self, arguments: list[str], folder: str) -> list[_Found]:
        while arguments:
            argument = arguments.pop(0)
            if argument == "-m" and arguments:
                module = arguments.pop(0)
                if module == "pytest":
                    return self._pytest(arguments, folder)
                return self._unittest(arguments, folder) if module == "unittest" else []
            if argument in ("-X", "-W") and arguments:
                arguments.pop(0)
            elif argument == "-" or argument.startswith("-c"):
                return []
            elif not argument.startswith("-"):
                return self._script(argument, folder)
        return []

    def _pytest(self, arguments: list[str], folder: str) -> list[_Found]:
        if not _RUNS_NOTHING.isdisjoint(arguments):
            return []
        targets = _targets(arguments) or ["."]
        files = frozenset().union(*(self._below(target, folder) for target in targets))
        narrowed = any("::" in target for target in targets) or any(map(_narrows, arguments))
        return [_Found(files, narrowed, "exact")] if files else []

    def _unittest(self, arguments: list[str], folder: str) -> list[_Found]:
        if not _RUNS_NOTHING.isdisjoint(arguments):
            return []
        named = [argument for argument in arguments if not argument.startswith("-")]
        if not named or named[0] == "discover":
            return [_Found(None, "-k" in arguments or "-p" in arguments, "exact")]
        files = frozenset().union(*(self._below(_module_path(name), folder) for name in named))
        return [_Found(files, "-k" in arguments, "exact")] if files else []

    def _script(self, path: str, folder: str) -> list[_Found]:
        inside = _inside(path, folder)
        if inside not in self._scripts:
            return []
        return [_Found(frozenset({inside}) if inside in self._files else None, False, "exact")]

    def _below(self, target: str, folder: str) -> frozenset[str]:
        """The visible test files that a path names, or holds."""
        inside = _inside(target.partition("::")[0], folder)
        if inside is None:
            return frozenset()
        return frozenset(path for path in self._tests if _is_below(path, inside) or fnmatchcase(path, inside))


def run_outcome(run: SuiteRun, exit_status: int | None, output: str) -> RunOutcome:
    """What came of a run. `exit_status` is None if the command was killed or stopped."""
    if run.status != "none" and exit_status == 0:
        return RunOutcome("green", "status")
    if run.status == "exact":
        return RunOutcome("red", "status") if exit_status in (1, 2) else RunOutcome("unknown", None)
    return _by_summary(output, run.runs)


def _by_summary(output: str, runs: int) -> RunOutcome:
    """By the runners' summary lines: red if one is, green if each run has a green one."""
    lines = [match.group(1) for match in _PYTEST_SUMMARY.finditer(output)]
    lines += [match.group() for match in _UNITTEST_SUMMARY.finditer(output)]
    if any(_RED.search(line) for line in lines):
        return RunOutcome("red", "summary")
    if sum(_GREEN.search(line) is not None for line in lines) >= runs:
        return RunOutcome("green", "summary")
    return RunOutcome("unknown", None)


def _status(commands: Sequence[Command], number: int) -> Status:
    """What the status of the whole line tells about one of its commands.

    0 tells that every command of the last chain of `&&` was 0; another status may be of any of them.
    """
    behind = commands[number:]
    if any(command.after not in ("", "&&", ";") for command in behind):
        return "none"
    if any(command.after == ";" for command in behind[:-1]):
        return "none"
    if len(behind) > 1:
        return "zero"
    before = number
    while before and commands[before].before != ";":
        before -= 1
    chain = commands[before:number]
    return "exact" if all(command.after == "&&" and _cannot_fail(command) for command in chain) else "zero"


def _cannot_fail(command: Command) -> bool:
    words = _unwrapped(command.words)
    return (
        not words or words[0] in _HARMLESS or (words[0] == "cd" and _changed_folder(words, "") == WORKSPACE)
    )


def _weaker(first: Status, second: Status) -> Status:
    order: tuple[Literal["none", "zero", "exact"], ...] = ("none", "zero", "exact")
    return order[min(order.index(first), order.index(second))]


def _unwrapped(words: Sequence[str]) -> list[str]:
    """The words without assignments in front, and without programs that run another with their own status."""
    left = list(words)
    while left and (_ASSIGNMENT.fullmatch(left[0]) or posixpath.basename(left[0]) in _WRAPPERS):
        wrapper = posixpath.basename(left.pop(0))
        while wrapper in _WRAPPERS and left and (left[0].startswith("-") or _is_duration(wrapper, left[0])):
            left.pop(0)
    return left


def _is_duration(wrapper: str, word: str) -> bool:
    """A number, which `timeout` and the options of the others take and which is no program's name."""
    return wrapper in ("timeout", "nice") and re.fullmatch(r"\d+(?:\.\d+)?[smhd]?", word) is not None


def _changed_folder(words: Sequence[str], folder: str) -> str:
    """The folder after a command; taken for the workspace if it cannot be known from the text."""
    if not words or words[0] != "cd":
        return folder
    target = _from_home(words[1] if len(words) > 1 else "~")
    return WORKSPACE if "$" in target or target == "-" else posixpath.normpath(posixpath.join(folder, target))


def _inside(path: str, folder: str) -> str | None:
    """The path relative to the workspace, `.` for itself or what holds it; None if it is elsewhere."""
    full = posixpath.normpath(posixpath.join(folder, _from_home(path)))
    if _is_below(WORKSPACE, full):
        return "."
    return posixpath.relpath(full, WORKSPACE) if full.startswith(f"{WORKSPACE}/") else None


def _from_home(path: str) -> str:
    path = re.sub(r"\$(?:HOME\b|\{HOME\})", HOME, path)
    return HOME + path[1:] if path == "~" or path.startswith("~/") else path


def _is_below(path: str, root: str) -> bool:
    return root in (".", path) or path.startswith(root.rstrip("/") + "/")


def _is_test_file(path: str) -> bool:
    name = posixpath.basename(path)
    return name.startswith("test_") or name.endswith("_test.py")


def _narrows(argument: str) -> bool:
    return argument.partition("=")[0] in _NARROWS or argument.startswith("-k")


def _module_path(name: str) -> str:
    """The file of a module that unittest is given by its dotted name, or by its path."""
    return name if "/" in name or name.endswith(".py") else f"{name.replace('.', '/')}.py"


def _targets(arguments: Iterable[str]) -> list[str]:
    """The paths among pytest's arguments."""
    left, targets = list(arguments), []
    while left:
        argument = left.pop(0)
        if argument in _OPTIONS_WITH_VALUE and left:
            left.pop(0)
        elif not argument.startswith("-"):
            targets.append(argument)
    return targets


def _scripts(tree: Mapping[str, bytes]) -> frozenset[str]:
    """Files of the tree that run the tests when they are run."""
    return frozenset(path for path, content in tree.items() if _runs_tests(path, content))


def _runs_tests(path: str, content: bytes) -> bool:
    if path.endswith(".py"):
        return b"pytest.main(" in content or b"unittest.main(" in content
    is_script = path.endswith(".sh") or content.startswith(b"#!") or posixpath.basename(path) == "Makefile"
    return is_script and (b"pytest" in content or b"unittest" in content)
