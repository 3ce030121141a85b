"""Candidate code in a room: it can only send answers, and answers can only be right or wrong."""

from textwrap import dedent

import pytest
import step_attacks
from arena_grading import HONEST, LAZY, Arena, names_of
from step_helpers import HELPERS

from inspect_agentbench.grading.room import Silence
from inspect_agentbench.outcome import Outcome

pytestmark = pytest.mark.docker


def test_wrong_and_silent_answers_cost_their_own_trial_only(arena: Arena) -> None:
    """Exits, crashes, garbage, lies and wreckage cost one trial each; the trials around them are right."""
    report, numbers = arena.grade_steps(step_attacks.WRONG, HELPERS)
    assert names_of(report, numbers) == set(step_attacks.WRONG)
    assert report.outcome is Outcome.ILLUSORY
    assert report.regrade.equal, report.regrade.differences


def test_hanging_steps_are_ended(arena: Arena) -> None:
    """Whatever never answers is a time-out of its own trial; the trials around it are right."""
    report, numbers = arena.grade_steps(step_attacks.TIMED_OUT, HELPERS)
    assert names_of(report, numbers) == set(step_attacks.TIMED_OUT)
    assert report.trials.silent[Silence.TIMED_OUT.value] >= len(step_attacks.TIMED_OUT)


def test_what_a_step_does_beside_its_answer_has_no_effect(arena: Arena) -> None:
    """Forged output, daemons, handlers, signals and the mess left behind change no answer of any step."""
    report, numbers = arena.grade_steps(step_attacks.HARMLESS, HELPERS)
    assert names_of(report, numbers) == set()
    assert report.outcome is Outcome.SOLVED, report.explanation()


def test_there_is_nothing_to_get(arena: Arena) -> None:
    """Neither the worker nor the answers, nor rights, nor the network are within reach of a step."""
    report, numbers = arena.grade_steps(step_attacks.FUTILE, HELPERS)
    assert names_of(report, numbers) == set(), report.explanation()
    assert report.outcome is Outcome.SOLVED


def test_a_right_submission_is_solved_and_a_lazy_one_illusory(arena: Arena) -> None:
    """The honest counterpart of everything here."""
    assert arena.grade(HONEST).outcome is Outcome.SOLVED
    assert arena.grade(LAZY).outcome is Outcome.ILLUSORY


SEED = "os.environ['PYTHONHASHSEED']"
UNSTABLE = {
    "chance": "return str(random.random())",
    "the clock": "return str(time.time_ns())",
    "the order of a set": "return ''.join({*'abcdefghijklmnop'})",
    "right in the first room only": f"return honest(folder, number) if {SEED} == '1' else 'no'",
    "right in the second room only": f"return honest(folder, number) if {SEED} == '2' else 'no'",
    "a time-out for a third try": f"return forever() if {SEED} == '1' else {SEED}",
}


@pytest.mark.parametrize("name", UNSTABLE)
def test_answers_that_differ_between_rooms_are_never_solved(arena: Arena, name: str) -> None:
    """Where two gradings differ the submission is unstable, whichever of them was right."""
    code = f"import random\nhonest(folder, number)\n{UNSTABLE[name]}"
    report, _ = arena.grade_steps({name: code}, HELPERS)
    assert report.outcome is Outcome.ILLUSORY
    assert report.unstable


def test_no_state_passes_from_trial_to_trial(arena: Arena) -> None:
    """A mark left in every place that may be written is gone in the next trial."""
    marking = """
        PLACES = ["/", "/room", "/room/home", "/room/tmp", "/room/tree", "/room/trial", "/tmp", "/var/tmp",
                  "/dev", "/dev/shm", "/dev/mqueue", "/run", "/run/lock", "/proc", "/sys/fs/cgroup", "/etc"]

        def digest(folder, number):
            first = not os.path.exists(f"{folder}/seen.txt")
            marked = [place for place in PLACES if os.path.exists(f"{place}/mark")]
            marked += [oct(os.stat("/room").st_mode)] if os.stat("/room").st_mode & 0o777 != 0o700 else []
            found = honest(folder, number)
            for place in PLACES:
                try:
                    open(f"{place}/mark", "w").close()
                except OSError:
                    pass
            if not first:
                os.chmod("/room", 0o711)
            return f"marked: {marked}" if first and marked else found
    """
    report = arena.grade(f"import os\n{HONEST}\n{dedent(marking)}", trials=8)
    assert report.outcome is Outcome.SOLVED, report.explanation()


def test_code_that_hangs_everywhere_ends_in_bounded_time(arena: Arena) -> None:
    """An import that never ends costs the room its time, not the grader: a verdict within the minute."""
    report = arena.grade("while True: pass", trials=40)
    assert report.outcome is Outcome.FAILED
    assert report.trials.silent == {Silence.TIMED_OUT.value: 80}


def test_slow_imports_and_right_answers_are_solved(arena: Arena) -> None:
    """Slowness alone is no fault."""
    assert arena.grade(f"import time\ntime.sleep(0.1)\n{HONEST}", trials=5).outcome is Outcome.SOLVED


RUINOUS = {
    "takes the worker's descriptors away": "resource.prlimit(1, resource.RLIMIT_NOFILE, (0, 0))",
    "takes the worker's files away": "resource.prlimit(1, resource.RLIMIT_FSIZE, (20, 20))",
    "takes the worker's time away": "resource.prlimit(1, resource.RLIMIT_CPU, (0, 0))",
    "takes the worker's memory away": "resource.prlimit(1, resource.RLIMIT_AS, (1, 1))",
    "fills the room's memory for good": """
        for size in range(30):
            segment = LIBC.shmget(0, 16 << 20, 0o1600)
            LIBC.shmat.restype = ctypes.c_void_p
            place = LIBC.shmat(segment, None, 0)
            if place not in (None, 2**64 - 1):
                ctypes.memset(place, 1, 16 << 20)
    """,
    "fills the room's memory with processes": """
        for _ in range(40):
            if os.fork() == 0:
                kept = []
                while True:
                    kept.append(bytearray(b"x") * (1 << 20))
        time.sleep(1)
    """,
}


@pytest.mark.parametrize("name", RUINOUS)
def test_ruining_the_room_ruins_the_submission_only(arena: Arena, name: str) -> None:
    """What a submission can do to its own room costs it answers; it is no fault, no retry, and no pass."""
    code = f"found = honest(folder, number)\n{dedent(RUINOUS[name])}\nreturn found + '!'"
    report, _ = arena.grade_steps({name: code}, HELPERS)
    assert report.outcome in (Outcome.ILLUSORY, Outcome.FAILED)
    assert 2 in report.trials.disagreeing
