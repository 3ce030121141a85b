"""Which commands run the visible tests, and what their status and their output tell."""

import time

import pytest
from episode_cases import tiny

from inspect_agentbench.episode.runs import RunOutcome, SuiteRun, VisibleSuite, run_outcome
from inspect_agentbench.episode.shell import parse

PLAIN = VisibleSuite(tiny())  # one file: tests/test_adder.py
TERSE = VisibleSuite(tiny("terse"))  # and tests/test_more.py

EXACT = [
    "pytest",
    "pytest -q",
    "python3 -m pytest -q tests",
    "cd /home/agent/repo && python3 -m pytest -q tests",
    "cd ~/repo && pytest",
    "cd $HOME/repo; pytest -x --tb short -p no:cacheprovider",
    "PYTHONPATH=. timeout -k 5 60 pytest -q 2>&1",
    "PYTHONDONTWRITEBYTECODE=1 python -W error -X dev -m pytest",
    "ls -la; pytest > out.txt 2>&1",
    "cat > note.txt <<'EOF'\ndon't\nEOF\npytest",
    "(pytest -q)",
    "bash -c 'pytest -q tests'",
    "python -m unittest discover -s tests",
    "pytest tests/test_*.py",
    "set -e\npytest  # the project's own tests",
    "cd tests; pytest test_adder.py; ",
]
"""The exit status is the suite's."""


@pytest.mark.parametrize("command", EXACT)
def test_the_status_is_the_suites(command: str) -> None:
    """0 is green, 1 and 2 are red, and anything else is no result of the tests."""
    run = PLAIN.find(command)
    assert run is not None
    assert (run.scope, run.runs) == ("whole", 1)
    assert run_outcome(run, 0, "9 failed in 0.01s") == RunOutcome("green", "status")
    assert run_outcome(run, 1, "9 passed in 0.01s") == RunOutcome("red", "status")
    for other in (3, 4, 5, 124, 127, None):
        assert run_outcome(run, other, "9 passed in 0.01s") == RunOutcome("unknown", None)


@pytest.mark.parametrize(
    ("command", "status"),
    [
        ("cd tests && pytest", "zero"),  # cd may have failed
        ("sed -i s/a/b/ adder.py && pytest -q", "zero"),
        ("pytest -q && git diff", "zero"),
        ("false || pytest", "zero"),
        ("pytest | tail -3", "none"),
        ("pytest -q 2>&1 | tee out.txt", "none"),
        ("pytest || true", "none"),
        ("pytest; echo $?", "none"),
        ("pytest &", "none"),
        ("! pytest", "none"),
        ("if pytest; then echo green; fi", "none"),
        ("for i in 1 2; do pytest; done", "none"),
        ("out=$(pytest -q); echo \"$out\"", "none"),
        ("pytest && echo ok || echo bad", "none"),
        ("bash -c 'pytest | tail -1'", "none"),
        ("bash -c pytest | tail -1", "none"),
    ],
)  # fmt: skip
def test_another_programs_status_tells_nothing(command: str, status: str) -> None:
    """What the line's own status cannot say is left to the summary line."""
    run = PLAIN.find(command)
    assert run is not None
    assert run.status == status
    assert run_outcome(run, 1, "2 passed in 0.01s") == RunOutcome("green", "summary")
    assert run_outcome(run, 1, "no summary") == RunOutcome("unknown", None)
    assert run_outcome(run, 0, "").result == ("green" if status == "zero" else "unknown")


@pytest.mark.parametrize(
    "command",
    [
        "",
        "pytest --version",
        "python3 -m pytest --collect-only -q",
        "cat pytest.ini",
        "grep -rn pytest .",
        "echo pytest",
        "# pytest",
        "which pytest; pip show pytest",
        "git commit -m 'run pytest && pytest'",
        "cat > run.md <<EOF\npytest -q\nEOF",
        "python3 -c 'import pytest; pytest.main()'",
        "python3 adder.py",
        "python3 - <<EOF\nimport pytest\nEOF",
        "cd /tmp && pytest",
        "pytest /tmp/test_mine.py",
        "pytest test_mine.py",
        "python3 tests/test_adder.py",
        "make test",
        "x" * 200_000 + "; pytest",
    ],
)
def test_what_only_names_the_runner_is_no_run(command: str) -> None:
    """Neither is a run of the agent's own tests alone."""
    assert PLAIN.find(command) is None


@pytest.mark.parametrize(
    ("command", "scope", "runs"),
    [
        ("pytest", "whole", 1),
        ("pytest tests/test_adder.py", "part", 1),
        ("pytest tests/test_adder.py tests/test_more.py", "whole", 1),
        ("pytest tests/test_adder.py && pytest tests/test_more.py", "whole", 2),
        ("pytest tests/test_adder.py::test_empty", "part", 1),
        ("pytest -k empty", "part", 1),
        ("pytest --lf", "part", 1),
        ("pytest --ignore=tests/test_more.py", "part", 1),
        ("python -m unittest tests.test_more", "part", 1),
        ("python -m unittest", "whole", 1),
    ],
)
def test_a_part_of_the_suite_is_told_from_all_of_it(command: str, scope: str, runs: int) -> None:
    """Only the whole suite, seen green, makes a state worth saving."""
    run = TERSE.find(command)
    assert run is not None
    assert (run.scope, run.runs) == (scope, runs)


@pytest.mark.parametrize(
    ("output", "result"),
    [
        ("..\n2 passed in 0.01s\n", "green"),
        ("===== 2 passed, 1 warning in 0.01s =====", "green"),
        ("== 1 failed, 2 passed in 61.00s (0:01:01) ==", "red"),
        ("1 error in 0.01s", "red"),
        ("no tests ran in 0.00s", "unknown"),
        ("3 skipped in 0.01s", "unknown"),
        ("Ran 2 tests in 0.001s\n\nOK", "green"),
        ("Ran 2 tests in 0.001s\n\nFAILED (failures=1)", "red"),
        ("2 passed in 0.01s\n1 failed in 0.01s", "red"),
        ("it says: 2 passed in 0.01s, really", "unknown"),
        ("", "unknown"),
    ],
)
def test_the_summary_line_tells_where_the_status_cannot(output: str, result: str) -> None:
    """Only a line of the runner's own form counts."""
    assert run_outcome(SuiteRun("whole", 1, "none"), 0, output).result == result


def test_each_of_several_runs_needs_its_summary() -> None:
    """The last one green does not make the first one green."""
    both = SuiteRun("whole", 2, "none")
    assert run_outcome(both, 0, "1 passed in 0.01s").result == "unknown"
    assert run_outcome(both, 0, "1 passed in 0.01s\n2 passed in 0.02s").result == "green"


@pytest.mark.parametrize("piece", ["$(", '"', "`", "(", "$()", "<<x\n", "\\", "$(a", "a|", "'", "#"])
def test_no_text_takes_long(piece: str) -> None:
    """What an agent types must not hold up the harness."""
    started = time.process_time()
    parse(piece * (100_000 // len(piece)))
    assert time.process_time() - started < 5
