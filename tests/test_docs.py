"""The documents say what the code does: names, options, fields, links; and nothing of one machine."""

import importlib.util
import re
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType

import click
import pytest
from pydantic import BaseModel

from inspect_agentbench.bank import FamilyManifest, OracleSettings, data_root, load_bank
from inspect_agentbench.bank.manifest import Lane, VariantEntry
from inspect_agentbench.claims import Cause, Claim, Ending, Ledger
from inspect_agentbench.cli import main
from inspect_agentbench.effort import CheckCost, Effort, Step, Tokens
from inspect_agentbench.episode import PROMPT_STYLES, EpisodeRecord
from inspect_agentbench.gate.reasons import Reason
from inspect_agentbench.grading import GradeReport
from inspect_agentbench.grading.report import (
    Disagreement,
    GroupScore,
    Hashes,
    RegradeReport,
    Timings,
    TrialsReport,
    VisibleReport,
)
from inspect_agentbench.grading.room import Silence
from inspect_agentbench.grading.signature import MatchKind, SignatureMatch
from inspect_agentbench.options import BankOptions
from inspect_agentbench.outcome import Ceiling, Outcome, Tag
from inspect_agentbench.replay import SCRIPTS

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), ROOT / "logs" / "README.md"])


def document(name: str) -> str:
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


def named(text: str) -> set[str]:
    """Everything that stands in code marks, as a whole and by its words."""
    marked = re.findall(r"`([^`\n]+)`", text)
    return {*marked, *(word for code in marked for word in re.findall(r"[\w-]+", code))}


def row(text: str, start: str) -> str:
    """The row of a table that begins so; empty if there is none."""
    return next((line for line in text.splitlines() if line.startswith(f"| `{start}")), "")


def commands() -> list[tuple[str, click.Command]]:
    assert isinstance(main, click.Group)
    return sorted(main.commands.items())


# --- commands, options, outcomes ------------------------------------------------------------------


@pytest.mark.parametrize(("name", "command"), commands(), ids=lambda value: str(value)[:12])
def test_every_command_and_option_stands_in_its_row_of_the_readme(name: str, command: click.Command) -> None:
    """A reader of the README finds each command with all that it takes."""
    described = row(README, f"agentbench {name}")
    assert described, f"README.md has no row for agentbench {name}"
    options = [option for p in command.params if isinstance(p, click.Option) for option in p.opts]
    assert [option for option in options if f"`{option}" not in described] == []


def test_the_readme_names_no_command_or_option_that_is_not_there() -> None:
    """A command that was dropped or renamed must leave the table too."""
    rows = re.findall(r"^\| `agentbench (\w+)(.*)$", README, re.MULTILINE)
    known = dict(commands())
    assert [name for name, _ in rows] == list(known)
    for name, rest in rows:
        options = {option for parameter in known[name].params for option in parameter.opts}
        assert set(re.findall(r"`(--[a-z-]+)", rest)) <= options, name


def test_the_commands_in_the_documents_exist() -> None:
    """No document sends a reader to a command that is not there."""
    known = {name for name, _ in commands()}
    for path in DOCUMENTS:
        text = path.read_text(encoding="utf-8")
        # in code marks or at the start of a line of a block; prose may say "agentbench and ..."
        used = set(re.findall(r"(?:`|^)agentbench ([a-z]+)", text, re.MULTILINE))
        assert used <= known, path.name


@pytest.mark.parametrize("option", BankOptions.model_fields)
def test_every_task_option_stands_in_the_readme(option: str) -> None:
    """With its default, where that is a plain value."""
    described = row(README, f"-T {option}=")
    assert described, f"README.md has no row for -T {option}"
    default = BankOptions.model_fields[option].default
    if default is not None:
        shown = str(default).lower() if isinstance(default, bool) else str(default)
        assert described.split("|")[2].strip(" `") == shown


def test_the_readme_names_no_task_option_that_is_not_there() -> None:
    """Inspect passes over misspelt options; ours are refused, so a wrong name here costs a run."""
    assert set(re.findall(r"^\| `-T (\w+)=", README, re.MULTILINE)) == set(BankOptions.model_fields)
    assert set(PROMPT_STYLES) <= named(README)


def test_every_outcome_has_its_row_in_the_readme() -> None:
    """And the ceilings, the tags and the scripts of the embedded models are named."""
    assert [outcome for outcome in Outcome if not row(README, outcome.value)] == []
    assert {ceiling.value for ceiling in Ceiling} <= named(README)
    assert {script.partition(":")[0] for script in SCRIPTS} <= named(README)
    assert [tag for tag in Tag if not row(document("method.md"), tag.value)] == []
    assert [kind for kind in MatchKind if not row(document("method.md"), kind.value)] == []
    assert [ceiling for ceiling in Ceiling if not row(document("episode.md"), ceiling.value)] == []
    assert {silence.value for silence in Silence} <= named(document("grading.md"))
    assert {word.value for word in (*Ending, *Claim)} <= named(document("log-format.md"))
    assert [cause for cause in Cause if not row(document("log-format.md"), cause.value)] == []


def test_every_reason_of_the_gate_has_its_row() -> None:
    """With the very sentence that the code has."""
    for reason in Reason:
        assert f"| `{reason.value}` | {reason.sentence} |" in document("bank.md")


# --- formats --------------------------------------------------------------------------------------

LOGGED = (
    GradeReport,
    VisibleReport,
    TrialsReport,
    Disagreement,
    RegradeReport,
    SignatureMatch,
    GroupScore,
    Hashes,
    Timings,
    EpisodeRecord,
    Step,
    Effort,
    Tokens,
    CheckCost,
    Ledger,
)
WRITTEN = (FamilyManifest, VariantEntry, Lane, OracleSettings)


@pytest.mark.parametrize(
    ("page", "model"),
    [*(("log-format.md", model) for model in LOGGED), *(("bank.md", model) for model in WRITTEN)],
    ids=lambda value: value if isinstance(value, str) else value.__name__,
)
def test_every_field_is_described(page: str, model: type[BaseModel]) -> None:
    """A field of a log or a manifest without a word about it is of no use to a reader."""
    fields = set(model.model_fields) - {"store", "instance"}  # Inspect's own
    assert fields - named(document(page)) == set()


# --- the table of families ------------------------------------------------------------------------


@pytest.fixture(scope="module")
def families() -> ModuleType:
    """docs/families.py, which is a script and not part of the package."""
    spec = importlib.util.spec_from_file_location("families", ROOT / "docs" / "families.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_table_of_families_is_current(families: ModuleType) -> None:
    """The README shows the bank as it is: `python docs/families.py --write` brings it up to date."""
    assert families.current_table(README) == families.families_table(load_bank(data_root()))


def test_the_table_of_what_was_recorded_is_current(families: ModuleType) -> None:
    """docs/bank.md shows what the gate and the mutants came to, as it stands in the recorded files."""
    shown = families.current_table(document("bank.md"))
    assert shown == families.strength_table(load_bank(data_root()))
    assert "not measured" not in shown


def test_writing_the_table_changes_nothing_else(families: ModuleType) -> None:
    """The text around the markers is a person's."""
    before, _, rest = README.partition(families.BEGIN)
    after = rest.partition(families.END)[2]
    assert families.with_table(README, "new") == f"{before}{families.BEGIN}\nnew\n{families.END}{after}"


# --- links ----------------------------------------------------------------------------------------


def without_code(text: str) -> str:
    return re.sub(r"```.*?```|`[^`\n]*`", "", text, flags=re.DOTALL)


def anchors(text: str) -> set[str]:
    """The anchors that a Markdown viewer gives to the headings."""
    prose = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    headings = re.findall(r"^#+ (.*)$", prose, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_relative_links_resolve(path: Path) -> None:
    """To a file that is there, and to a heading in it."""
    for link in re.findall(r"\]\(([^)\s]+)\)", without_code(path.read_text(encoding="utf-8"))):
        if "://" in link:
            continue
        file, _, anchor = link.partition("#")
        target = (path.parent / file).resolve() if file else path
        assert target.exists(), link
        if anchor:
            assert anchor in anchors(target.read_text(encoding="utf-8")), link


# --- nothing of one machine -----------------------------------------------------------------------

# Written so that this file does not hold what it looks for.
INDEXES = re.compile(
    r"\b(?:pypi|pythonhosted|npmjs|crates|rubygems|anaconda|conda|jsdelivr|unpkg|hub\.docker|index\.docker|ghcr|quay|gcr)"
    r"\.(?:org|io|com|net)\b",
    re.IGNORECASE,
)
PACKAGE_SOURCES = re.compile(
    r"\b(?:deb|security|archive|ports|ftp)\.(?:debian|ubuntu)\.(?:org|com)\b", re.IGNORECASE
)
# In a container /root and /home/agent are every machine's.
MACHINE_PATHS = re.compile(r"(?<![\w.~-])/(?:work|Users|mnt|home/(?!agent\b)\w+|tmp/\w+)/")


def tracked_texts() -> Iterator[tuple[str, str]]:
    """Every file of the repository that is text, new ones that are not ignored among them."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
        path = ROOT / name
        if not path.is_file():
            continue
        try:
            yield name, path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue


def found(pattern: re.Pattern[str], texts: Iterable[tuple[str, str]]) -> list[str]:
    return [f"{name}: {match.group()}" for name, text in texts for match in pattern.finditer(text)]


@pytest.mark.parametrize(
    "pattern", [INDEXES, PACKAGE_SOURCES, MACHINE_PATHS], ids=["index", "debian", "path"]
)
def test_no_file_names_a_package_index_or_a_folder_of_one_machine(pattern: re.Pattern[str]) -> None:
    """The project works with whatever index a machine is set up for, wherever it is checked out."""
    assert found(pattern, tracked_texts()) == []


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (INDEXES, "pip install --index-url https://py" + "pi.org/simple"),
        (PACKAGE_SOURCES, "deb http://deb." + "debian.org/debian trixie main"),
        (MACHINE_PATHS, "see /wo" + "rk/notes/x.md"),
        (MACHINE_PATHS, "open('/home/some" + "body/x.md')"),
    ],
)
def test_what_must_not_be_in_a_file_is_found(pattern: re.Pattern[str], text: str) -> None:
    """The patterns above find the usual spellings."""
    assert found(pattern, [("a file", text)])
    assert found(pattern, [("a file", "WORKSPACE = '/home/agent/repo'")]) == []
