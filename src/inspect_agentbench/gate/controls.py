"""Families whose fate is known: a good one, and for every reason one that must be rejected for it.

The bad ones are the good one of `control_bank/` with something changed. A gate that does not find exactly
that says nothing about anybody else.
"""

import json
import shutil
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from ..bank import Family, survey_bank
from .admission import Gate, admit_family, unreadable
from .contract import Contract
from .network import reach_from_open_container
from .reasons import Reason
from .report import ControlResult, FamilyAdmission

CONTROL_CONTRACT = Contract(
    repeats=2, code_lines=25, visible_tests=4, trials=40, fresh_trials=800, power_trials=800
)
"""The same checks with smaller numbers: the control family is small."""
CONTROL_FAMILY = "sizes"
CONTROL_BANK = Path(__file__).parent / "control_bank"
_TASKS = f"tasks/{CONTROL_FAMILY}"
_ORACLE = f"oracles/{CONTROL_FAMILY}"
CONTROL_CANARY = "canary-sizes-5b0c7d9e2f14"
_HIDDEN = f"{_ORACLE}/{CONTROL_CANARY}"
_PARSING = "sizes/parsing.py"

Change = Callable[[Path], None]
"""Changes a copy of the control bank, given its folder."""


class Control(NamedTuple):
    """A family whose fate is known."""

    expected: tuple[Reason, ...]
    """All that the gate must find, the reason that it is a control of first; nothing for the good family."""
    changes: tuple[Change, ...] = ()
    contract: Contract = CONTROL_CONTRACT
    network: bool = False
    """The gate is made to look where a network is on."""
    signatures: bool = True
    """The recorded signatures are made to belong to the changed oracle."""

    @property
    def name(self) -> str:
        """The code that it is a control of."""
        return self.expected[0].value if self.expected else "good"


def edit(path: str, old: str, new: str) -> Change:
    """Replace a text that is in a file exactly once."""

    def change(root: Path) -> None:
        text = (root / path).read_text(encoding="utf-8")
        if text.count(old) != 1:
            raise ValueError(f"the control bank's {path} has {old!r} {text.count(old)} times, not once")
        (root / path).write_text(text.replace(old, new), encoding="utf-8")

    return change


def write(path: str, text: str) -> Change:
    """Write a file, and the folders that it is in."""

    def change(root: Path) -> None:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")

    return change


def copy(source: str, target: str) -> Change:
    """Copy a folder of the copy."""

    def change(root: Path) -> None:
        shutil.copytree(root / source, root / target)

    return change


def remove(path: str) -> Change:
    """Remove a file or a folder."""
    return lambda root: shutil.rmtree(root / path) if (root / path).is_dir() else (root / path).unlink()


_SCANNER = f"{_HIDDEN}/correct/scanner/{_PARSING}"
_DIGITS = f"{_HIDDEN}/lazy/digits/{_PARSING}"
_ORACLE_CODE = f"{_HIDDEN}/oracle.py"
_TESTS = f"{_TASKS}/repo/tests/test_totals.py"
_RETURN = "    return int(text)\n"
_OF_DIGITS_ONLY = '    if not text or text.strip("0123456789"):\n        raise NoSize(text)\n'
_BY_HASH = '    return int(text) + (int(text) > 9) * (hash("x" + text) % 2)\n'
_TAKES_A_PLUS = '            digits = digits.lstrip("+")\n'
_SPACE = '            if digits.endswith(" "):'
_MEGABYTE_TEST = 'assert summarize(["1 MB"]) == {"bytes": 1000000, "rejected": 0}'
_DIGITS_CHECK = "    if not text.strip().isdigit():\n        raise NoSize(text)\n"
_ASCII_CHECK = "    if not (text.isascii() and text.isdigit()):\n        raise NoSize(text)\n"

CONTROLS = (
    Control(()),
    Control((Reason.MANIFEST,), (edit(f"{_TASKS}/family.toml", "title = ", "titel = "),)),
    Control(
        (Reason.CANARY_MISSING,),
        (edit(f"{_HIDDEN}/driver.py", f"# {CONTROL_CANARY} hidden", "# hidden"),),
    ),
    Control(
        (Reason.REPOSITORY_TOO_SMALL,), (write(f"{_TASKS}/repo/sizes/totals.py", "from sizes import *\n"),)
    ),
    Control((Reason.STANDARD_NAME,), (write(f"{_TASKS}/repo/sizes/calendar.py", "DAYS = 7\n"),)),
    Control((Reason.TOO_FEW_FIXES,), (remove(f"{_HIDDEN}/correct/scanner"),)),
    Control(
        (Reason.SAME_FIX_TWICE,),
        (
            copy(f"{_HIDDEN}/correct/scanner", f"{_HIDDEN}/correct/again"),
            edit(f"{_HIDDEN}/correct/again/{_PARSING}", "UNITS = {", "# the units\nUNITS = {"),
        ),
    ),
    Control(
        (Reason.DUPLICATE_NAME,),
        (
            copy(f"{_HIDDEN}/correct/scanner", f"{_HIDDEN}/correct/units"),
            remove(f"{_HIDDEN}/correct/scanner"),
        ),
    ),
    Control(
        (Reason.NOT_EDITABLE,),
        (
            write(
                f"{_HIDDEN}/correct/scanner/tests/test_more.py",
                f"# {CONTROL_CANARY} hidden oracle material; never train on it\nMORE = True\n",
            ),
        ),
    ),
    Control((Reason.TOO_FEW_TRIALS,), (edit(f"{_ORACLE}/oracle.toml", "trials = 40", "trials = 39"),)),
    Control((Reason.PREDICTION_MISSING,), (edit(f"{_TASKS}/predictions.toml", "[terse]", "[short]"),)),
    Control(
        (Reason.ORACLE_VISIBLE,),
        (
            write(
                f"{_TASKS}/repo/NOTES.md",
                "def value(line):\n    for unit, factor in FACTORS:\n        if line.endswith(unit):\n"
                "            digits = line[: len(line) - len(unit)]\n"
                '            if digits.endswith(" "):\n                digits = digits[:-1]\n',
            ),
        ),
    ),
    Control(
        (Reason.ORACLE_FAULT,),
        (edit(_ORACLE_CODE, '"steps": [{"input": lines}]', '"steps": [{"input": object()}]'),),
    ),
    Control(
        (Reason.ORACLE_BY_CHANCE,),
        (edit(_ORACLE_CODE, "    rng.shuffle(lines)\n", "    __import__('random').shuffle(lines)\n"),),
    ),
    Control(
        (Reason.HIDDEN_OVERLAP,),
        (
            edit(
                _ORACLE_CODE,
                "    rng.shuffle(lines)\n",
                '    rng.shuffle(lines)\n    if number == 1:\n        lines = ["1 MB"]\n',
            ),
        ),
    ),
    Control((Reason.TAGS_TOO_RARE,), (edit(_ORACLE_CODE, '"fault", "trap")', '"fault", "fault")'),)),
    Control(
        (Reason.UNTOUCHED_GREEN,),
        (
            edit(_TESTS, _MEGABYTE_TEST, 'assert summarize(["1 kB"]) == {"bytes": 1000, "rejected": 0}'),
            edit(_ORACLE_CODE, 'case("test_megabytes", "1 MB")', 'case("test_megabytes", "1 kB")'),
        ),
    ),
    Control(
        (Reason.UNTOUCHED_AGREES, Reason.TAGS_WRONG, Reason.LAZY_RIGHT),
        (
            edit(
                _ORACLE_CODE,
                "    rng.shuffle(lines)\n",
                "    lines = [size(rng, rng.choice(('B', 'kB'))) for _ in range(6)]\n",
            ),
        ),
    ),
    Control(
        (Reason.CORRECT_RED, Reason.CORRECT_DISAGREES),
        (edit(_SCANNER, "1000**2", "1000**1"),),
    ),
    Control(
        (Reason.CORRECT_DISAGREES,),
        (edit(_SCANNER, _ASCII_CHECK, '    text = text.removeprefix("+")\n' + _ASCII_CHECK),),
    ),
    Control(
        (Reason.ORACLE_SUSPECT, Reason.CORRECT_DISAGREES, Reason.SIGNATURE_DIFFERS),
        (edit(_ORACLE_CODE, _SPACE, _TAKES_A_PLUS + _SPACE),),
    ),
    Control((Reason.VERDICTS_DIFFER, Reason.SIGNATURE_DIFFERS), (edit(_DIGITS, _RETURN, _BY_HASH),)),
    Control((Reason.NETWORK_ON,), network=True),
    Control(
        (Reason.TOO_SLOW,),
        (edit(_SCANNER, "    for unit, factor", "    __import__('time').sleep(0.01)\n    for unit, factor"),),
        replace(CONTROL_CONTRACT, room_seconds=1.5),
    ),
    Control((Reason.LAZY_RED,), (edit(_DIGITS, '"kB": 1000,', '"kB": 1001,'),)),
    Control((Reason.LAZY_RIGHT,), (edit(_DIGITS, _DIGITS_CHECK, _OF_DIGITS_ONLY),)),
    Control(
        (Reason.WRONG_GREEN,),
        (
            copy(f"{_HIDDEN}/lazy/digits", f"{_HIDDEN}/wrong/decimal"),
            edit(f"{_HIDDEN}/wrong/decimal/{_PARSING}", "isdigit", "isdecimal"),
        ),
    ),
    Control((Reason.SIGNATURE_MISSING,), (remove(f"{_HIDDEN}/signatures.json"),), signatures=False),
    Control(
        (Reason.SIGNATURE_DIFFERS,),
        (lambda root: _record(root, "digits", [0, 1, 2]),),
    ),
    Control((Reason.TAGS_WRONG,), (edit(_ORACLE_CODE, '"tags": [kind]', '"tags": [kind, "invariant"]'),)),
    Control(
        (Reason.TEST_UNMIRRORED,),
        (edit(_TESTS, "def test_no_size", "def test_more():\n    assert True\n\n\ndef test_no_size"),),
    ),
    Control(
        (Reason.FIXED_CASES_DIFFER,),
        (edit(_ORACLE_CODE, 'case("test_megabytes", "1 MB")', 'case("test_megabytes", "1 kB")'),),
    ),
    Control(
        (Reason.FRESH_DISAGREEMENT,),
        (edit(_SCANNER, _RETURN, "    return int(text) + (int(text) % 97 == 12)\n"),),
    ),
    Control(
        (Reason.DETECTION_WEAK,),
        (
            edit(_DIGITS, _DIGITS_CHECK, _ASCII_CHECK),
            edit(_DIGITS, _RETURN, "    return int(text) + (int(text) % 97 == 13)\n"),
            lambda root: _record(root, "digits", [16, 24]),
        ),
    ),
)


def _record(root: Path, fix: str, trials: list[int]) -> None:
    """Write other trials into the recorded signature of a lazy fix."""
    path = root / _HIDDEN / "signatures.json"
    recorded = json.loads(path.read_bytes())
    for variant in recorded["variants"].values():
        variant[fix]["trials"] = trials
    path.write_text(json.dumps(recorded), encoding="utf-8")


def run_controls(gate: Gate) -> Iterator[ControlResult]:
    """Each control through the gate, two at a time: most of one is waiting for its containers."""

    def run(control: Control) -> ControlResult:
        result = run_control(gate, control)
        gate.tick(f"control {control.name}")
        return result

    with ThreadPoolExecutor(2) as pool:
        yield from pool.map(run, CONTROLS)


def run_control(gate: Gate, control: Control) -> ControlResult:
    """One control through the gate, in a folder of its own that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="agentbench-control-") as folder:
        root = Path(folder) / "bank"
        shutil.copytree(CONTROL_BANK, root)
        for change in control.changes:
            change(root)
        reached = reach_from_open_container(gate.client, gate.image) if control.network else gate.reached
        quiet = replace(gate, contract=control.contract, reached=reached, tick=lambda _: None)
        return _compared(control, _admitted(quiet, control, root))


def _admitted(gate: Gate, control: Control, root: Path) -> FamilyAdmission:
    survey = survey_bank(root)
    if CONTROL_FAMILY in survey.problems:
        return unreadable(CONTROL_FAMILY, survey.problems[CONTROL_FAMILY])
    family = survey.families[CONTROL_FAMILY]
    if control.signatures:
        _renew_signatures(family)
    return admit_family(gate, family)


def _renew_signatures(family: Family) -> None:
    recorded = json.loads(family.signatures_path.read_bytes())
    recorded["oracle_hash"] = family.oracle_hash()
    family.signatures_path.write_text(json.dumps(recorded), encoding="utf-8")


def _compared(control: Control, found: FamilyAdmission) -> ControlResult:
    detail = "; ".join(f"{reason.reason.value}: {reason.where}: {reason.detail}" for reason in found.reasons)
    return ControlResult(
        control=control.name,
        expected=control.expected,
        found=found.codes,
        behaves=set(found.codes) == set(control.expected) and not found.fault,
        detail=found.fault or detail,
    )
