import json
import shutil
import struct
from pathlib import Path
from typing import Any

import pytest

from inspect_agentbench.bank import Family, Variant, load_bank
from inspect_agentbench.grading.cases import Case
from inspect_agentbench.grading.inside.wire import encode
from inspect_agentbench.grading.plan import Control, room_plan
from inspect_agentbench.grading.preload import standard_imports

SECRET = "expected-8f14e45fceea"


def asked(answer: Any = SECRET) -> Case:
    steps = ({"input": encode({"ledger": "a", "receipt": "b"}), "read": ["b"]},)
    return Case("0", steps, (encode(answer),), test="tests/test_adder.py::test_empty")


def read(plan: bytes) -> dict[str, Any]:
    assert struct.unpack(">I", plan[:4])[0] == len(plan) - 4
    whole: dict[str, Any] = json.loads(plan[4:])
    return whole


def made(variant: Variant, control: Control | None = None) -> bytes:
    return room_plan(variant, variant.tree(), [asked()], control, standard_imports(variant))


def test_a_plan_holds_no_answer_and_nothing_of_the_oracle(tiny: Family) -> None:
    """The room gets inputs, never the expected values, the reference, the generator or a known fix."""
    plan = made(tiny.variant(), Control(tiny.variant()))
    assert SECRET.encode() not in plan
    hidden = [tiny.oracle_source.encode()] + [
        content
        for kind in ("correct", "lazy", "wrong")
        for fix in tiny.fixes(kind).values()  # type: ignore[arg-type]
        for content in fix.files.values()
    ]
    sent = json.dumps(read(plan))
    tree = {file.content for file in tiny.variant().tree().values()}
    lines = {line.strip() for text in hidden for line in text.splitlines()}
    lines -= {line.strip() for text in tree for line in text.splitlines()}
    lines -= {line.strip() for line in tiny.driver_source.encode().splitlines()}
    for line in lines:
        assert len(line) < 30 or json.dumps(line.decode())[1:-1] not in sent


def test_a_plan_does_not_depend_on_the_answers(tiny: Family) -> None:
    """Whatever is right, the bytes that go to the room are the same."""
    variant = tiny.variant()
    plans = {
        room_plan(variant, variant.tree(), [asked(answer)], None, []) for answer in (SECRET, None, [1] * 999)
    }
    assert len(plans) == 1


def test_the_canary_goes_into_no_tree(tiny: Family) -> None:
    """Only the driver's source, which the candidate's process may see, has the line with it."""
    plan = read(made(tiny.variant()))
    assert tiny.oracle.canary not in json.dumps(plan["tree"])
    assert tiny.oracle.canary not in json.dumps(plan["cases"])


def test_the_control_has_another_name_each_time(tiny: Family) -> None:
    """No submission can know it beforehand."""
    assert len({Control(tiny.variant()).test for _ in range(20)}) == 20


@pytest.mark.parametrize(
    ("test_paths", "folder", "extra"),
    [
        ('["tests"]', "tests", 0),
        ('["tests/"]', "tests", 0),
        ('["./tests"]', "tests", 0),
        ('["tests/test_adder.py"]', "tests", 1),
        ('["tests/test_adder.py", "tests"]', "tests", 0),
        ('["."]', "", 0),
        ('["test_top.py"]', "", 1),
    ],
)
def test_the_control_is_where_pytest_finds_it_under_the_name_that_is_looked_for(
    banks: Path, tmp_path: Path, test_paths: str, folder: str, extra: int
) -> None:
    """Whether a manifest names folders or files, the control runs, and its id is the one pytest reports."""
    bank = Path(shutil.copytree(banks / "tiny", tmp_path / "bank"))
    (bank / "tasks/tiny/repo/test_top.py").write_text("")
    manifest = bank / "tasks/tiny/family.toml"
    manifest.write_text(manifest.read_text().replace('test_paths = ["tests"]', f"test_paths = {test_paths}"))
    variant = load_bank(bank).family("tiny").variant()
    control = Control(variant)
    assert str(Path(control.path).parent) == (folder or ".")
    assert control.test.startswith(f"{folder}/test_" if folder else "test_")
    plan = read(made(variant, control))
    assert control.path in {path for path, _, _ in plan["tree"]}
    assert (control.path in plan["visible"]["paths"]) == bool(extra)


def test_without_a_control_there_is_no_visible_run(tiny: Family) -> None:
    """A run of trials alone starts no pytest."""
    assert read(made(tiny.variant()))["visible"] is None


def test_the_preload_is_what_the_code_under_test_imports(tiny: Family) -> None:
    """Standard modules behind the entry points and the driver, none of the tests'."""
    found = standard_imports(tiny.variant())
    assert {"datetime", "decimal", "os", "pathlib", "zlib"} <= set(found)
    assert not {"math", "pytest", "adder"} & set(found)
