"""Files of a submission: what may not be edited is pristine, whatever was submitted under its name."""

import shutil
from pathlib import Path

import pytest
from arena_grading import HONEST, LAZY, WRONG, Arena

from inspect_agentbench.bank import load_bank
from inspect_agentbench.outcome import Outcome

pytestmark = pytest.mark.docker
RAISE = b"raise SystemExit('taken up')\n"


@pytest.fixture
def open_arena(arena: Arena, tmp_path: Path) -> Arena:
    """The arena with a manifest that lets everything be edited, by one careless pattern."""
    bank = Path(shutil.copytree(Path(__file__).parent / "arena", tmp_path / "bank"))
    manifest = bank / "tasks/arena/family.toml"
    manifest.write_text(manifest.read_text().replace('["/arena.py"]', '["**"]'))
    return Arena(arena.client, arena.image, load_bank(bank).family("arena").variant())


DECIDING = {
    "conftest.py": b"def pytest_collection_modifyitems(items): items.clear()\n",
    "tests/conftest.py": b"collect_ignore_glob = ['*']\n",
    "pytest.ini": b"[pytest]\naddopts = --collect-only\n",
    "pyproject.toml": b"[tool.pytest.ini_options]\naddopts = '--co'\n",
    "tox.ini": b"[pytest]\naddopts = -k nothing\n",
    "setup.cfg": b"[tool:pytest]\naddopts = -k nothing\n",
    "setup.py": RAISE,
    "tests/test_arena.py": b"def test_empty_note(): pass\ndef test_seen(): pass\n",
    "tests/test_more.py": b"def test_more(): assert False\n",
    "tests/__init__.py": RAISE,
    "sitecustomize.py": RAISE,
    "usercustomize.py": RAISE,
    "evil.pth": b"import os; os._exit(0)\n",
    "evil-1.0.dist-info/entry_points.txt": b"[pytest11]\nevil = evil\n",
    "evil.py": RAISE,
    "__pycache__/arena.cpython-313.pyc": b"junk",
    "arena.pyc": b"junk",
}


@pytest.mark.parametrize("source", [HONEST, LAZY, WRONG], ids=["honest", "lazy", "wrong"])
@pytest.mark.parametrize("manifest", ["closed", "open"])
def test_files_that_would_decide_about_the_suite_have_no_effect(
    arena: Arena, open_arena: Arena, manifest: str, source: str
) -> None:
    """Configuration, tests, start-up files and compiled code change no verdict, for better or worse."""
    place = arena if manifest == "closed" else open_arena
    plain = place.grade(source)
    decorated = place.grade(source, others=DECIDING)
    assert decorated.outcome is plain.outcome
    assert decorated.visible == plain.visible
    assert decorated.trials == plain.trials


SHADOWS = [
    *(
        "json",
        "random",
        "pytest",
        "_pytest",
        "hashlib",
        "os",
        "time",
        "decimal",
        "typing",
        "select",
        "signal",
    ),
    *("driver", "oracle", "reference", "worker", "wire", "runner", "children", "world", "agentbench_inside"),
    *(
        "pluggy",
        "iniconfig",
        "py",
        "unittest",
        "doctest",
        "ast",
        "importlib",
        "traceback",
        "test_arena",
        "judge",
    ),
]


def test_modules_that_shadow_others_have_no_effect_on_trusted_code(open_arena: Arena) -> None:
    """Names of the standard library, of pytest and of the grader are just names of files in the tree."""
    others = {f"{name}.py": RAISE for name in SHADOWS}
    assert open_arena.grade(HONEST, others=others).outcome is Outcome.SOLVED
    assert open_arena.grade(WRONG, others=others).outcome is Outcome.FAILED


@pytest.mark.parametrize(("package", "outcome"), [(HONEST, Outcome.SOLVED), (WRONG, Outcome.FAILED)])
def test_a_package_that_shadows_the_module_is_graded_as_the_agent_left_it(
    open_arena: Arena, package: str, outcome: Outcome
) -> None:
    """Python imports the package, in the suite and in the trials alike."""
    others = {"arena/__init__.py": package.encode()}
    assert open_arena.grade(HONEST if outcome is Outcome.FAILED else WRONG, others=others).outcome is outcome


def test_an_honest_file_of_any_name_is_an_honest_file(open_arena: Arena) -> None:
    """An agent may split its code, and call a part of it oracle.py."""
    source = "from oracle import digest\n"
    assert open_arena.grade(source, others={"oracle.py": HONEST.encode()}).outcome is Outcome.SOLVED


@pytest.mark.parametrize("coding", ["latin-1", "utf-16-le", "utf-7"])
def test_an_odd_encoding_is_read_as_python_reads_it(arena: Arena, coding: str) -> None:
    """A declared encoding is honoured, one that Python cannot use is a broken module: no fault either way."""
    text = f"# -*- coding: {coding} -*-\nNAME = 'caf\xe9'\n{HONEST}"
    report = arena.grade(text.encode(coding))
    assert report.outcome is (Outcome.FAILED if coding == "utf-16-le" else Outcome.SOLVED)


HOSTILE = {
    "deep brackets": b"(" * 100_000,
    "deep operators": b"x = " + b"-" * 400_000 + b"1\n",
    "a long line": b"x = '" + b"a" * 900_000 + b"'\n",
    "null bytes": b"\0" * 1000,
    "a byte order mark alone": b"\xef\xbb\xbf",
    "an unknown encoding": b"# coding: nothing-of-the-kind\n",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_source_that_breaks_the_compiler_is_a_failed_submission(arena: Arena, name: str) -> None:
    """The parser may crash or run on: in a child of the room, and nowhere else."""
    assert arena.grade(HOSTILE[name], trials=2).outcome is Outcome.FAILED


@pytest.mark.parametrize(
    "path", ["../evil.py", "/etc/evil.py", "a/../../b.py", "\udcff.py", "a\nb.py", "x" * 300, "a\0b"]
)
def test_an_odd_path_is_no_fault_and_no_pass_by_itself(open_arena: Arena, path: str) -> None:
    """Collection takes no such names; a log edited by hand may hold them."""
    report = open_arena.grade(WRONG, others={path: RAISE})
    assert report.outcome is Outcome.FAILED


def test_many_files_are_laid_down_for_every_trial(open_arena: Arena) -> None:
    """As many as a submission may hold."""
    others = {f"pkg/m{number}/__init__.py": b"x = 1\n" for number in range(499)}
    assert open_arena.grade(HONEST, trials=5, others=others).outcome is Outcome.SOLVED
