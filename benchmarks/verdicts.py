"""`python -m benchmarks.verdicts`: how often a verdict is wrong, on submissions whose right verdict is known.

Every known fix of every variant and every attack goes through the grader that ships. The attacks that an
agent makes in its container, and the known fixes once more, go through Inspect; the fixes are compared trial
by trial. Exit code 1 if any verdict is wrong.
"""

import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import click
import docker
from inspect_ai import eval as inspect_eval
from rich.console import Console
from rich.table import Table

from inspect_agentbench.bank import FIX_KINDS, Bank, default_bank
from inspect_agentbench.engine import ImageInfo, connect, ensure_image
from inspect_agentbench.grading import GradeReport, grade
from inspect_agentbench.logs import Episode, episodes, local_path
from inspect_agentbench.outcome import Outcome
from inspect_agentbench.replay.attacks import attack_names, read_attack
from inspect_agentbench.stats import upper_bound

from .labelled import Labelled, attacks, known_fixes
from .setting import removed_on_interrupt, say

COMPARED = {"outcome", "visible", "trials", "score", "invariant_hold", "signature", "submission_hash"}
SMALL_BANK = Path(__file__).parents[1] / "tests" / "banks" / "tiny"
"""Its family is graded fastest, and what an agent does in its container depends on no family."""


class Judged(NamedTuple):
    """One labelled grading."""

    source: str
    name: str
    expected: Outcome
    got: Outcome
    why: str

    @property
    def right(self) -> bool:
        return self.expected is self.got


class Agreement(NamedTuple):
    """Known fixes graded through Inspect and by the command, compared trial by trial."""

    of: int
    different: tuple[str, ...]


def graded(
    client: docker.DockerClient, image: ImageInfo, labelled: Sequence[Labelled]
) -> Iterator[tuple[Labelled, GradeReport]]:
    """Grade each submission as `agentbench grade` does."""
    for number, item in enumerate(labelled, 1):
        if number % 25 == 0:
            say(f"verdicts: {number} of {len(labelled)}")
        yield item, grade(client, image, item.variant, item.submission).report


def judged(item: Labelled, report: GradeReport) -> Judged:
    """The verdict beside its label."""
    name = f"{item.variant.family.id} {item.variant.name}: {item.name}"
    return Judged(item.source, name, item.expected, report.outcome, report.explanation())


def played_attacks(folder: Path) -> Iterator[Judged]:
    """Every attack in a container, around a lazy and around a right fix, and both fixes alone."""
    bases = {"lazy": Outcome.ILLUSORY, "correct": Outcome.SOLVED}
    labels = {f"replay/{kind}": ("honest counterpart", outcome) for kind, outcome in bases.items()}
    for name in attack_names():
        for kind, outcome in bases.items():
            label = "attack in a container", read_attack(name).outcome or outcome
            labels[f"replay/attack:{name}:{kind}"] = label
    say(f"verdicts: {len(labels)} episodes with what an agent can do in its container")
    for episode in _played(list(labels), folder, bank=str(SMALL_BANK)):
        source, expected = labels[episode.model]
        yield Judged(source, episode.model, expected, episode.outcome, episode.explanation.partition("\n")[0])


def agreement(bank: Bank, reports: dict[tuple[str, str], GradeReport], folder: Path) -> Agreement:
    """Play every known fix of every default variant, and compare with its report."""
    different, compared = [], 0
    for family in bank.families.values():
        say(f"verdicts: {family.id} through Inspect")
        models = [f"replay/{kind}:{name}" for kind in FIX_KINDS for name in family.fixes(kind)]
        for episode in _played(models, folder, family=family.id):
            name = episode.model.removeprefix("replay/").replace(":", "/")
            compared += 1
            if episode.report is None or _parts(episode.report) != _parts(reports[family.id, name]):
                different.append(f"{family.id} {name}: {episode.explanation[:200]}")
    return Agreement(compared, tuple(different))


def _parts(report: GradeReport) -> dict[str, object]:
    return report.model_dump(include=COMPARED)


def _played(models: list[str], folder: Path, **options: str) -> list[Episode]:
    logs = inspect_eval(
        "inspect_agentbench/bank",
        model=models,
        task_args=options,
        log_dir=str(folder),
        display="none",
        max_tasks=2,
    )
    return [episode for log in logs for episode in episodes(local_path(log.location))]


def print_confusion(found: Sequence[Judged]) -> None:
    """Expected outcomes down, verdicts across; then what is wrong, and what no error proves."""
    counts = Counter((item.source, item.expected, item.got) for item in found)
    outcomes = list(Outcome)
    table = Table("what", "right verdict", *(o.value for o in outcomes), box=None, pad_edge=False)
    for source in dict.fromkeys(item.source for item in found):
        for expected in outcomes:
            row = [counts[source, expected, got] for got in outcomes]
            if any(row):
                table.add_row(source, expected.value, *(str(n) if n else "." for n in row))
    Console(width=120, highlight=False).print(table)


def summary(found: Sequence[Judged]) -> list[str]:
    """The sentences under the table."""
    wrong = [item for item in found if not item.right]
    passes = [item for item in wrong if item.got is Outcome.SOLVED]
    accused = [item for item in wrong if item.got is Outcome.DISQUALIFIED]
    bound = upper_bound(len(wrong), len(found))
    return [
        f"{len(wrong)} of {len(found)} verdicts are wrong; at most {100 * bound:.2f} % at 95 % confidence, "
        "if these gradings were a sample",
        f"false passes {len(passes)}, false accusations {len(accused)}",
        *(f"WRONG {item.source}, {item.name}: {item.got} for {item.expected}; {item.why}" for item in wrong),
    ]


@click.command()
@click.option("--family", "families", multiple=True, help="Only these families (default: all).")
@click.option("--json", "as_json", is_flag=True, help="Print every grading as JSON.")
def main(families: tuple[str, ...], as_json: bool) -> None:
    """Grade submissions whose right verdict is known, and count the wrong verdicts."""
    client, image = connect(), ensure_image(say)
    bank = _chosen(families)
    with removed_on_interrupt(), tempfile.TemporaryDirectory(prefix="agentbench-verdicts-") as name:
        pairs = list(graded(client, image, [*known_fixes(bank), *attacks(bank)]))
        found = [*(judged(item, report) for item, report in pairs), *played_attacks(Path(name))]
        reports = {
            (item.variant.family.id, item.name): report
            for item, report in pairs
            if item.source == "known fix"
            and item.variant.name == item.variant.family.manifest.default_variant
        }
        same = agreement(bank, reports, Path(name))
    unequal = [item.name for item, report in pairs if not report.regrade.equal]
    if as_json:
        click.echo(json.dumps({"gradings": [i._asdict() for i in found], "agreement": same._asdict()}))
    else:
        print_confusion(found)
        print("\n".join(["", *summary(found)]))
        print(f"both gradings differ in {len(unequal)} of {len(pairs)}" + "".join(f"\n{n}" for n in unequal))
        print(f"through Inspect and by the command: {len(same.different)} of {same.of} known fixes differ")
        print("\n".join(same.different))
    sys.exit(0 if all(item.right for item in found) and not same.different else 1)


def _chosen(families: tuple[str, ...]) -> Bank:
    bank = default_bank()
    return Bank(bank.root, {name: bank.family(name) for name in families or bank.families})


if __name__ == "__main__":
    main()
