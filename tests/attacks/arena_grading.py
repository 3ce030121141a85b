"""Grading in the arena, with what must be true of every grading, whatever was submitted."""

import time
from collections.abc import Mapping
from textwrap import dedent, indent

import docker

from inspect_agentbench import engine
from inspect_agentbench.bank import Variant
from inspect_agentbench.grading import GradeReport, Pins, grade, make_cases
from inspect_agentbench.submission import Submission

MAX_SECONDS = 60.0
FIRST = 2
"""The number of the first trial that an attack is made in; those before and after it are honest."""

HONEST = """
import hashlib

def honest(folder, number):
    with open(f"{folder}/note.txt", "rb") as file:
        found = hashlib.sha256(file.read()).hexdigest()
    with open(f"{folder}/seen.txt", "w") as file:
        file.write(found)
    return found

digest = honest
"""
LAZY = HONEST.replace("file.read()", "file.read().strip()")
"""Passes the visible suite, and is wrong in every trial."""
WRONG = HONEST.replace("sha256", "md5")
"""Fails the visible suite too."""

_DISPATCH = """
def digest(folder, number):
    attack, mark = ATTACKS.get(number), f"{folder}/attacked"
    if attack is None or os.path.exists(mark):
        return honest(folder, number)
    open(mark, "w").close()
    return attack(folder, number)
"""


class Arena:
    """Grades submissions; each must come to a verdict in bounded time and leave no container."""

    def __init__(self, client: docker.DockerClient, image: engine.ImageInfo, variant: Variant) -> None:
        self.client = client
        self.image = image
        self.variant = variant

    def grade(
        self, source: str | bytes, trials: int = 3, others: Mapping[str, bytes] | None = None
    ) -> GradeReport:
        """Grade `arena.py` (and other files) over so many trials. A HarnessFault would come through."""
        content = source.encode() if isinstance(source, str) else source
        cases = make_cases(self.client, self.image, self.variant, Pins(1, trials))
        submission = Submission({"arena.py": content, **(others or {})})
        started = time.monotonic()
        report = grade(self.client, self.image, self.variant, submission, cases).report
        assert time.monotonic() - started < MAX_SECONDS
        assert self.leftovers() == []
        assert report.trials.total == trials
        return report

    def leftovers(self) -> list[str]:
        """Containers of this run."""
        label = f"inspect_agentbench.run={engine.run_id()}"
        return [c["Id"] for c in self.client.api.containers(all=True, filters={"label": label})]

    def grade_steps(
        self, attacks: Mapping[str, str], helpers: str = ""
    ) -> tuple[GradeReport, dict[str, int]]:
        """Make each attack in the first step of a trial of its own, honest trials around each."""
        numbers = {name: FIRST + 2 * place for place, name in enumerate(attacks)}
        functions = [
            f"def attack_{numbers[name]}(folder, number):\n{indent(dedent(code).strip(), '    ')}\n"
            for name, code in attacks.items()
        ]
        table = "ATTACKS = {" + ", ".join(f"{n}: attack_{n}" for n in numbers.values()) + "}\n"
        source = "\n".join(["import os", HONEST, helpers, *functions, table, _DISPATCH])
        return self.grade(source, FIRST + 2 * len(attacks) + 1), numbers


def names_of(report: GradeReport, numbers: Mapping[str, int]) -> set[str]:
    """The attacks whose trials disagree; an honest trial that disagrees is named by its number."""
    names = {number: name for name, number in numbers.items()}
    return {names.get(trial, f"honest trial {trial}") for trial in report.trials.disagreeing}
