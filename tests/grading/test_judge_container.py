import json
import shutil
from collections.abc import Callable
from pathlib import Path

import docker
import pytest

from inspect_agentbench.bank import Variant, load_bank
from inspect_agentbench.engine import ImageInfo, cache_folder
from inspect_agentbench.errors import HarnessFault
from inspect_agentbench.grading import Pins, make_cases
from inspect_agentbench.grading import judge as judge_module
from inspect_agentbench.grading.cases import Cases
from inspect_agentbench.grading.inside.wire import decode, encode
from inspect_agentbench.grading.judge import accepted

pytestmark = pytest.mark.docker
FEW = Pins(seed=7, trials=3)
Make = Callable[..., Cases]


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGENTBENCH_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def cases(client: docker.DockerClient, image: ImageInfo) -> Make:
    def make(variant: Variant, pins: Pins | None = FEW) -> Cases:
        return make_cases(client, image, variant, pins)

    return make


@pytest.fixture
def with_oracle(banks: Path, tmp_path: Path) -> Callable[[str], Variant]:
    """A variant of the tiny family whose oracle.py is another text."""

    def change(source: str, bank: str = "tiny", family: str = "tiny") -> Variant:
        root = Path(shutil.copytree(banks / bank, tmp_path / "bank"))
        changed = load_bank(root).family(family)
        (changed.hidden_folder / "oracle.py").write_text(source)
        return changed.variant()

    return change


def forbid_containers(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a container was asked for")

    monkeypatch.setattr(judge_module, "_ask", refuse)


def test_every_visible_test_has_a_fixed_case_and_every_trial_an_answer(cases: Make, banks: Path) -> None:
    """The judge makes what the manifest asks for: its trials, one answer for each step."""
    variant = load_bank(banks / "tiny").family("tiny").variant("terse")
    made = cases(variant, None)
    assert [case.test for case in made.fixed][-1] == "tests/test_more.py::test_single[40]"
    assert [case.id for case in made.trials] == [str(n) for n in range(variant.family.oracle.trials)]
    assert all(len(case.steps) == len(case.answers) > 0 for case in (*made.fixed, *made.trials))


def test_the_same_pins_give_the_same_cases_and_a_trial_does_not_depend_on_how_many(
    cases: Make, banks: Path
) -> None:
    """Trials are pinned: made again they are equal, and fewer of them are the first of many."""
    variant = load_bank(banks / "tiny").family("tiny").variant()
    three, five = cases(variant), cases(variant, Pins(7, 5))
    shutil.rmtree(cache_folder("judge"))
    assert cases(variant) == three
    assert five.trials[:3] == three.trials
    assert cases(variant, Pins(8, 3)).trials != three.trials


def test_answers_are_cached_and_the_cache_is_keyed_by_variant(
    cases: Make, banks: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second grading starts no judge; another variant, seed or number has its own file."""
    family = load_bank(banks / "tiny").family("tiny")
    made = cases(family.variant("plain"))
    cases(family.variant("terse"))
    assert len(list(cache_folder("judge").iterdir())) == 2
    forbid_containers(monkeypatch)
    assert cases(family.variant("plain")) == made
    with pytest.raises(AssertionError):
        cases(family.variant("plain"), Pins(7, 4))


@pytest.mark.parametrize("damage", ["", "{", "[]", "null", '{"fixed": [], "trials": []}', "\xff"])
def test_a_damaged_cache_file_is_made_anew(cases: Make, banks: Path, damage: str) -> None:
    """Whatever is wrong with it, the file is replaced, and nobody hears of it."""
    variant = load_bank(banks / "tiny").family("tiny").variant()
    made = cases(variant)
    (file,) = cache_folder("judge").iterdir()
    file.write_bytes(damage.encode("latin-1"))
    assert cases(variant) == made
    assert json.loads(file.read_bytes())["trials"]


def test_a_cache_file_that_lost_trials_is_made_anew(cases: Make, banks: Path) -> None:
    """Fewer trials than asked for are never the frozen number."""
    variant = load_bank(banks / "tiny").family("tiny").variant()
    made = cases(variant)
    (file,) = cache_folder("judge").iterdir()
    data = json.loads(file.read_bytes())
    data["trials"].pop()
    file.write_text(json.dumps(data))
    assert cases(variant) == made


RIGHT = """
def fixed_cases(variant):
    return [{"test": "t", "steps": [{}]}]
def trial(rng, number):
    return {"tags": ["fault"], "steps": [{"input": number}]}
def answers(steps):
    return [0 for step in steps]
"""
FAULTY = {
    "no python": ("def (", "SyntaxError"),
    "raises at import": ("1 / 0", "ZeroDivisionError"),
    "no trial function": (RIGHT.replace("def trial", "def other"), "trial"),
    "no fixed case": (RIGHT.replace('[{"test": "t", "steps": [{}]}]', "[]"), "no fixed case"),
    "a fixed case without a test": (RIGHT.replace('"test": "t", ', ""), "names no visible test"),
    "an unknown tag": (RIGHT.replace('"fault"', '"luck"'), "luck"),
    "no step": (RIGHT.replace('[{"input": number}]', "[]"), "has no step"),
    "a mistyped key": (RIGHT.replace('"input"', '"inputs"'), "unknown keys"),
    "an answer too few": (RIGHT.replace("for step in steps", "for step in steps[1:]"), "0 answers"),
    "no plain data": (RIGHT.replace("[0 for", "[object() for"), "not plain data"),
    "leaves": (RIGHT.replace("return [0", "raise SystemExit(0)\n    return [0"), "gave no reply"),
}


@pytest.mark.parametrize("name", FAULTY)
def test_a_faulty_oracle_is_a_fault_that_names_its_family(
    cases: Make, with_oracle: Callable[[str], Variant], name: str
) -> None:
    """A broken oracle is the harness's failure, never a verdict, and says which family and what."""
    source, reason = FAULTY[name]
    with pytest.raises(HarnessFault, match=f"(?s)tiny.*{reason}"):
        cases(with_oracle(source))
    assert not list(cache_folder("judge").iterdir())


def test_an_oracle_that_changes_its_input_changes_nothing_for_the_room(
    cases: Make, with_oracle: Callable[[str], Variant]
) -> None:
    """The room gets the input as the generator made it."""
    spoiling = RIGHT.replace("return [0", "[step.update(input='spoilt') for step in steps]\n    return [0")
    assert [decode(case.steps[0]["input"]) for case in cases(with_oracle(spoiling)).trials] == [0, 1, 2]


def test_what_an_oracle_prints_is_no_part_of_the_reply(
    cases: Make, with_oracle: Callable[[str], Variant]
) -> None:
    """A print left in from debugging does no harm."""
    assert len(cases(with_oracle("print('x' * 100_000)\n" + RIGHT)).trials) == 3


CHECKS = """
def accept(steps, answers):
    (answer,) = answers
    if answer == "hang":
        while True: pass
    if answer == "sleep":
        import time; time.sleep(1e6)
    if answer == "hog":
        [bytearray(1 << 24) for _ in range(10**6)]
    if answer == "exit":
        raise SystemExit(0)
    if answer == "kill":
        import os; os.abort()
    if answer == "recurse":
        return accept(steps, answers)
    if answer == "fewer":
        return []
    if answer == "more":
        return [True, True]
    if answer == "nothing":
        return None
    if answer == "truthy":
        return [1]
    return [len(answer) > 2]
"""


def test_no_answer_can_make_the_property_check_a_fault(
    client: docker.DockerClient, image: ImageInfo, with_oracle: Callable[[str], Variant]
) -> None:
    """A check that hangs, dies or raises on a hostile answer has not accepted it; the others still count."""
    variant = with_oracle(RIGHT + CHECKS)
    (case, *_) = make_cases(client, image, variant, FEW).trials
    hostile = ["hang", "sleep", "hog", "exit", "kill", "recurse", "fewer", "more", "nothing", "truthy"]
    given = ["good", *hostile, 5, None, "good"]
    verdicts = accepted(client, image, variant, [(case, [encode(answer)]) for answer in given])
    assert verdicts == [[True], *([[False]] * (len(given) - 2)), [True]]
