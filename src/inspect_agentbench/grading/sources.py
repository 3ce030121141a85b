"""The sources that are sent into rooms and judges by value, and their hash."""

import hashlib
from functools import cache
from pathlib import Path

_INSIDE = Path(__file__).parent / "inside"
_WORKER = ("wire", "children", "world", "runner", "worker")
_JUDGE = ("wire", "judge")
_DECIDING = ("cases", "compare", "grade", "plan", "preload", "regrade", "room", "verdict")

# Makes modules of texts, under a package whose name no candidate would import by chance.
_PROGRAM = """\
import sys, types
package = types.ModuleType("agentbench_inside")
package.__path__ = []
sys.modules["agentbench_inside"] = package
for name, source in {sources!r}:
    module = types.ModuleType("agentbench_inside." + name)
    module.__package__ = "agentbench_inside"
    sys.modules[module.__name__] = module
    setattr(package, name, module)
    exec(compile(source, name + ".py", "exec"), module.__dict__)
module.main()
"""


@cache
def worker_program() -> str:
    """The program of a room, for `python3 -c`."""
    return _program(_WORKER)


@cache
def judge_program() -> str:
    """The program of a judge, for `python3 -c`."""
    return _program(_JUDGE)


@cache
def known_program() -> str:
    """The program that runs known code on many trials, for `python3 -c`."""
    return _program((*_JUDGE, "children", "world", "runner", "known"))


def _program(names: tuple[str, ...]) -> str:
    return _PROGRAM.format(sources=[(name, _source(name)) for name in names])


def _source(name: str) -> str:
    return (_INSIDE / f"{name}.py").read_text(encoding="utf-8")


@cache
def grader_hash() -> str:
    """SHA-256 (hex) over everything that decides a verdict: what runs inside, and who compares outside."""
    deciding = [(_INSIDE.parent / f"{name}.py").read_text(encoding="utf-8") for name in _DECIDING]
    return hashlib.sha256("\0".join([worker_program(), judge_program(), *deciding]).encode()).hexdigest()
