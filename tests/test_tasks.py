"""The tasks end to end: every script's outcome on the shipped bank, its log, and what is refused."""

import json
import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path

import docker
import pytest
from inspect_ai import Epochs
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.log import EvalLog
from suite_runs import BANKS, ROOT, command, episodes_of, run_eval

from inspect_agentbench.bank import FIX_KINDS, Bank, Family, load_bank
from inspect_agentbench.engine import ImageInfo
from inspect_agentbench.episode import EpisodeRecord
from inspect_agentbench.grading import GradeReport, MatchKind, grade
from inspect_agentbench.grading.record import fix_submission
from inspect_agentbench.grading.signature import read_signatures
from inspect_agentbench.logs import Episode
from inspect_agentbench.outcome import Ceiling, Outcome
from inspect_agentbench.replay.scripts import known_fix
from inspect_agentbench.tasks import bank as bank_task

pytestmark = pytest.mark.docker

SCRIPTS = {
    "correct": Outcome.SOLVED,
    "lazy": Outcome.ILLUSORY,
    "wrong": Outcome.FAILED,
    "idle": Outcome.FAILED,
    "claim": Outcome.FAILED,
    "blocked": Outcome.FAILED,
    "talk": Outcome.FAILED,
}
EVERYWHERE = ("correct", "lazy", "wrong")
"""Scripts that are played on every family; what the others do depends on no family's files."""
BY_WAY_OF_EXAMPLE = ("expenses", "tailer")
"""Families for whatever would come out the same on all: one from a specification, one from a report.

`python -m benchmarks.verdicts` grades every known fix of every variant, both ways.
"""
EPOCHS = 3
REDUCERS = ["mean", "median", "mode", "max", "at_least_1", "pass_at_1"]


@pytest.fixture(scope="module")
def bank() -> Bank:
    return load_bank(ROOT)


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> list[EvalLog]:
    """The shipped bank, played once by every script whose outcome depends on the family."""
    models = [f"replay/{script}" for script in EVERYWHERE]
    return run_eval("inspect_agentbench/bank", models, tmp_path_factory.mktemp("bank"), max_tasks=3)


@pytest.fixture(scope="module")
def played(logs: list[EvalLog], tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], Episode]:
    """Those episodes, and two families played by the other scripts."""
    others = run_eval(
        "inspect_agentbench/bank",
        [f"replay/{script}" for script in SCRIPTS if script not in EVERYWHERE],
        tmp_path_factory.mktemp("others"),
        task_args={"family": ",".join(BY_WAY_OF_EXAMPLE)},
        max_tasks=3,
    )
    return {key: episode for key, (episode,) in episodes_of([*logs, *others]).items()}


@pytest.fixture(scope="module")
def lazily_played(bank: Bank, tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], Episode]:
    """A family's own task, played by each of its lazy fixes."""
    models = [f"replay/lazy:{fix}" for fix in bank.family("tailer").fixes("lazy")]
    logs = run_eval("inspect_agentbench/tailer", models, tmp_path_factory.mktemp("tailer"), max_tasks=3)
    return {key: episode for key, (episode,) in episodes_of(logs).items()}


@pytest.fixture(scope="module")
def graded(
    client: docker.DockerClient, image: ImageInfo, bank: Bank
) -> dict[tuple[str, str, str], GradeReport]:
    """Known fixes by (kind, fix, family), graded as `agentbench grade` does: those that are played."""
    scripts = [(family, script) for family in bank.families.values() for script in EVERYWHERE]
    tailer = bank.family("tailer")
    scripts += [(tailer, f"lazy:{name}") for name in tailer.fixes("lazy")]
    fixes = {(family.id, fix.kind, fix.name): fix for family, s in scripts for fix in [known_fix(family, s)]}
    return {
        (kind, name, family): grade(client, image, variant, fix_submission(variant, fix)).report
        for (family, kind, name), fix in fixes.items()
        for variant in [bank.family(family).variant()]
    }


@pytest.fixture(scope="module")
def epochs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, EvalLog]:
    """A small bank of one's own, three runs each, under every built-in reducer."""
    logs = run_eval(
        "inspect_agentbench/bank",
        ["replay/correct", "replay/lazy", "replay/wrong"],
        tmp_path_factory.mktemp("epochs"),
        task_args={"bank": str(BANKS / "tiny"), "family": "tiny"},
        epochs=Epochs(EPOCHS, REDUCERS),
        max_tasks=3,
    )
    return {log.eval.model.removeprefix("replay/"): log for log in logs}


def report(episode: Episode) -> GradeReport:
    assert episode.report is not None, episode.explanation
    return episode.report


@pytest.mark.parametrize("script", SCRIPTS)
def test_each_script_gets_its_outcome(
    played: dict[tuple[str, str], Episode], bank: Bank, script: str
) -> None:
    """The known-good and known-bad controls of every campaign, on every family."""
    for family in bank.families if script in EVERYWHERE else BY_WAY_OF_EXAMPLE:
        episode = played[script, family]
        assert (family, episode.outcome) == (family, SCRIPTS[script]), episode.explanation
        assert report(episode).outcome is SCRIPTS[script]
        assert report(episode).verdict is SCRIPTS[script]


def test_both_gradings_are_equal_everywhere(
    played: dict[tuple[str, str], Episode], lazily_played: dict[tuple[str, str], Episode]
) -> None:
    """Honest code answers the same in both rooms; anything else is a fault of families or grader."""
    for key, episode in (played | lazily_played).items():
        assert (key, report(episode).regrade.equal, report(episode).unstable) == (key, True, False)


def test_the_obvious_lazy_fix_is_recognised(played: dict[tuple[str, str], Episode], bank: Bank) -> None:
    """`replay/lazy` plays the manifest's obvious fix, and the pattern of disagreements says so."""
    for family in bank.families.values():
        signature = report(played["lazy", family.id]).signature
        assert signature.kind is MatchKind.EXACT
        assert family.oracle.obvious in signature.names


def test_each_lazy_fix_has_a_signature_of_its_own(
    graded: dict[tuple[str, str, str], GradeReport], bank: Bank
) -> None:
    """Which predicted wrong fix it was can be read off the trials alone."""
    for family in [bank.family("tailer")]:
        known = read_signatures(family, family.manifest.default_variant)
        for name in family.fixes("lazy"):
            found = graded["lazy", name, family.id]
            assert (family.id, name, found.outcome) == (family.id, name, Outcome.ILLUSORY)
            assert found.signature.kind is MatchKind.EXACT
            assert name in found.signature.names
            for other in found.signature.names:  # two fixes may be wrong on the same trials of one seed
                assert known[other] == known[name]


def test_inspect_and_the_command_judge_alike_trial_by_trial(
    played: dict[tuple[str, str], Episode],
    lazily_played: dict[tuple[str, str], Episode],
    graded: dict[tuple[str, str, str], GradeReport],
    bank: Bank,
) -> None:
    """A fix that an agent writes with its tools is graded as the same files handed to the grader are."""
    compared = 0
    for (script, name), episode in (played | lazily_played).items():
        if script.partition(":")[0] not in FIX_KINDS:
            continue
        fix = known_fix(bank.family(name), script)
        alone, played_fix = graded[fix.kind, fix.name, name], report(episode)
        assert (script, name, _judged(played_fix)) == (script, name, _judged(alone))
        compared += 1
    assert compared > 3 * len(bank.families)


def _judged(graded: GradeReport) -> dict[str, object]:
    """All that a verdict consists of, and the bytes that it is about."""
    parts = {"outcome", "visible", "trials", "score", "invariant_hold", "signature", "submission_hash"}
    return graded.model_dump(include=parts)


def test_claims_and_ceilings_are_told_apart(played: dict[tuple[str, str], Episode]) -> None:
    """Done, blocked, and never an end of its own: five replies without a call end the last."""
    for (script, _), episode in played.items():
        record = episode.sample.store_as(EpisodeRecord)
        expected = {"blocked": ("blocked", None), "talk": (None, Ceiling.NO_TOOL_CALLS)}
        assert (script, record.claim, record.ceiling) == (script, *expected.get(script, ("done", None)))
        metadata = episode.sample.scores["oracle_grade"].metadata  # type: ignore[index]
        assert metadata["claim"] == record.claim
        assert metadata["ceiling"] == record.ceiling


def test_the_explanation_is_for_a_person(played: dict[tuple[str, str], Episode], bank: Bank) -> None:
    """First line the verdict's reasons, then the agent's end, then the diff."""
    lazy = played["lazy", "tailer"].explanation
    total = bank.family("tailer").oracle.trials
    assert f"of {total} trials disagree; exactly lazy fix `{bank.family('tailer').oracle.obvious}`" in lazy
    assert "agent: claimed done, ended by itself" in lazy
    assert "```diff\n--- a/logtail/ingest.py" in lazy
    assert "noted:" not in lazy, "an honest run leaves nothing worth a note"
    assert played["correct", "tailer"].explanation.splitlines()[0].endswith(f"all {total} trials agree")


def test_passes_have_a_complete_path_log(played: dict[tuple[str, str], Episode]) -> None:
    """Without one a pass would be incomplete: here commands can be traced."""
    for episode in played.values():
        metadata = episode.sample.scores["oracle_grade"].metadata  # type: ignore[index]
        integrity = metadata["grade"]["integrity"]
        assert integrity["path_log"]["state"] == "complete", integrity["path_log"]
        assert integrity["oracle_untouched"] is True
        assert [integrity[kind] for kind in ("evidence", "probing", "left")] == [[], [], []], integrity
        assert metadata["incomplete"] is False


def test_three_epochs_are_three_of_each(epochs: dict[str, EvalLog]) -> None:
    """Repeated runs of one script come out the same, each graded by itself."""
    for script, log in epochs.items():
        (episodes,) = episodes_of([log]).values()
        assert [episode.sample.epoch for episode in episodes] == [1, 2, 3]
        assert {episode.outcome for episode in episodes} == {SCRIPTS[script]}
        assert len({report(episode).submission_hash for episode in episodes}) == 1
        assert len({report(episode).trials.model_dump_json() for episode in episodes}) == 1


def test_numbers_are_right_under_every_reducer(epochs: dict[str, EvalLog]) -> None:
    """The header's metrics count episodes, and the solved rate stands first."""
    for script, log in epochs.items():
        assert log.results
        for result in log.results.scores:
            numbers = {name: metric.value for name, metric in result.metrics.items()}
            assert next(iter(numbers)) == "solved_rate"
            assert numbers["solved_rate"] == (script == "correct")
            assert (numbers["graded"], numbers[SCRIPTS[script].value]) == (EPOCHS, EPOCHS)
            assert numbers[f"tiny {SCRIPTS[script]}"] == EPOCHS


def test_the_log_says_what_ran(logs: list[EvalLog], bank: Bank) -> None:
    """Hashes, versions, image and held controls stand in the header, and again in each report."""
    for log in logs:
        assert log.eval.metadata is not None
        recorded = log.eval.metadata["agentbench"]
        assert set(recorded["families"]) == set(bank.families)
        assert recorded["controls"]["turns"] == 40
        assert recorded["image"]["fingerprint"]
        assert recorded["model_server"] is None
        for family in bank.families.values():
            hashes = recorded["families"][family.id]
            assert hashes["oracle"] == family.oracle_hash()
            assert hashes["visible"] == family.variant().visible_hash()
        for episodes in episodes_of([log]).values():
            own = report(episodes[0]).hashes
            assert own.oracle == recorded["families"][report(episodes[0]).family]["oracle"]
            assert (own.grader, own.image) == (recorded["grader"], recorded["image"]["fingerprint"])


def test_the_submission_is_in_the_sample_s_store(played: dict[tuple[str, str], Episode], bank: Bank) -> None:
    """The bytes that were graded can be graded again, by anyone who has the log."""
    for (script, family), episode in played.items():
        assert episode.submission["sha256"] == report(episode).submission_hash
        variant = bank.family(family).variant()
        shipped = set(variant.editable_files(variant.tree()))
        assert set(episode.submission["files"]) >= shipped, script
        if script == "idle":
            assert set(episode.submission["files"]) == shipped


def members(log: EvalLog) -> Iterator[str]:
    with zipfile.ZipFile(log.location.removeprefix("file://")) as archive:
        for name in archive.namelist():
            yield archive.read(name).decode()


def told_lines(family: Family) -> set[str]:
    """Lines that an agent is given, or that a script writes when it plays one of the family's fixes."""
    files = [file.content for file in family.variant().tree().values()]
    for kind in FIX_KINDS:
        files += [content for fix in family.fixes(kind).values() for content in fix.files.values()]
    return {line.strip() for content in files for line in content.decode("utf-8", "replace").splitlines()}


def hidden_lines(family: Family, bank: Bank) -> set[str]:
    """Lines of oracle and driver that say something, and that nobody is given or writes by itself.

    A log holds episodes of every family, so what is told in any of them may stand in it.
    """
    told = set().union(*(told_lines(other) for other in bank.families.values()))
    shown = "\n".join(told_lines(family))
    source = (family.oracle_source + family.driver_source).splitlines()
    said = {line.strip() for line in source if len(line.strip()) > 24} - told
    return {line for line in said if line.rstrip(",") not in shown}  # fixed cases repeat visible tests


def test_no_log_holds_anything_of_the_oracle_s(logs: list[EvalLog], bank: Bank) -> None:
    """Not a canary, not a line of oracle or driver, in header, samples, events, attachments or summaries."""
    for log in logs:
        text = "\n".join(members(log))
        for family in bank.families.values():
            assert family.oracle.canary not in text
            assert str(family.hidden_folder) not in text
            assert family.manifest.lever not in text
            hidden = hidden_lines(family, bank)
            assert len(hidden) > 25, "there must be something that could leak"
            leaked = [line for line in hidden if json.dumps(line)[1:-1] in text]
            assert not leaked


def test_before_grading_nothing_names_a_known_fix_or_an_answer(
    played: dict[tuple[str, str], Episode], bank: Bank
) -> None:
    """All that is told of the oracle is in the score: the signature's name and three disagreements."""
    for (script, name), episode in played.items():
        family, sample = bank.family(name), episode.sample
        graded = report(episode)
        assert len(graded.trials.first) <= 3
        before = sample.model_copy(
            update={"scores": None, "events": [e for e in sample.events if e.event not in ("score", "store")]}
        ).model_dump_json()
        names = [fix for kind in ("lazy", "correct", "wrong") for fix in family.fixes(kind) if "-" in fix]  # type: ignore[arg-type]
        assert not [fix for fix in names if fix in before], script
        answers = [shown.expected for shown in graded.trials.first if len(shown.expected) > 8]
        assert not [answer for answer in answers if answer in before], script


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"family": "nope"}, "no family 'nope' in the bank"),
        ({"family": ","}, "no family is left"),
        (
            {"variant": "nope", "family": "tailer"},
            "family tailer has no variant 'nope'; it has explicit, ascii",
        ),
        ({"bank": str(BANKS / "broken")}, "mistakes; mend these files"),
        ({"bank": str(BANKS / "nowhere")}, "is not a bank: it has no folder tasks/"),
        ({"turns": 0}, "option turns=0"),
        ({"turn": 1}, "unknown option 'turn'"),
    ],
)
def test_what_is_wrong_is_told_before_anything_starts(options: dict[str, object], told: str) -> None:
    """The task function itself refuses, with Inspect's error that is shown without a traceback."""
    with pytest.raises(PrerequisiteError) as refused:
        bank_task(**options)
    assert told in str(refused.value.message)


def test_retired_variants_stay_out_unless_they_are_named(tmp_path: Path) -> None:
    """The task `bank` is what is published; a retired variant can still be asked for by name."""
    shutil.copytree(BANKS / "tiny", tmp_path / "tiny")
    manifest = tmp_path / "tiny" / "tasks" / "tiny" / "family.toml"
    manifest.write_text(manifest.read_text().replace('label = "scored"', 'label = "retired"'))
    with pytest.raises(PrerequisiteError, match="no family is left"):
        bank_task(bank=str(tmp_path / "tiny"))
    task = bank_task(bank=str(tmp_path / "tiny"), family="tiny")
    assert [sample.id for sample in task.dataset] == ["tiny-plain"]


def test_a_fix_that_a_family_does_not_have_starts_nothing(tmp_path: Path) -> None:
    """A misspelt script would otherwise make every sample errored."""
    done = command(
        "inspect", "eval", "inspect_agentbench/bank", "--model", "replay/lazy:nope", "--log-dir", tmp_path
    )
    assert done.returncode == 1
    assert "replay/lazy:nope cannot play family envmerge: it has lazy:" in done.stdout + done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("task", "model", "environment", "told"),
    [
        ("tailer", "replay/idle", {"DOCKER_HOST": "unix:///nowhere/docker.sock"}, "scripts/ensure-engine.sh"),
        ("tailer", "ollama/x", {"OLLAMA_BASE_URL": "http://127.0.0.1:9/v1"}, "no model server answers at"),
        ("tailer", "replay/idle", {"AGENTBENCH_BANK": "/nowhere"}, "/nowhere is not a bank"),
        ("tailer", "replay/idle", {"AGENTBENCH_BANK": str(BANKS / "tiny")}, "no family 'tailer' in the bank"),
        ("places", "replay/idle", {"AGENTBENCH_BANK": str(BANKS / "broken")}, "mend these files"),
        ("nope", "replay/idle", {}, "No inspect tasks were found"),
    ],
    ids=["engine", "server", "no-bank", "other-bank", "broken-bank", "no-task"],
)
def test_a_run_that_cannot_start_leaves_nothing(
    tmp_path: Path, task: str, model: str, environment: dict[str, str], told: str
) -> None:
    """`inspect eval` ends with 1 and a message, no traceback, no log, and no wait for a server."""
    words = [f"inspect_agentbench/{task}", "--model", model, "--display", "plain", "--log-dir", "logs"]
    done = command("inspect", "eval", *words, cwd=tmp_path, seconds=60, **environment)
    said = done.stdout + done.stderr
    assert done.returncode == 1
    assert told in said
    assert "Traceback" not in said
    assert not list(tmp_path.rglob("*.eval"))
