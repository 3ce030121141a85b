"""Copies of logs without hidden material: no input or answer of a trial, nothing of an oracle's text.

What stays of the oracle is the signature's name and the numbers of the trials that disagree, which say
nothing to whoever does not have it. A copy still compares, and shows in Inspect's viewer.
"""

import base64
import json
import zipfile
from pathlib import Path
from typing import Any, NamedTuple

from inspect_ai.log import EvalLog, write_eval_log
from pydantic import ValidationError
from pydantic_core import to_jsonable_python

from inspect_agentbench.bank import Bank, bank_reference, open_bank
from inspect_agentbench.errors import AgentbenchError
from inspect_agentbench.grading import GradeReport
from inspect_agentbench.integrity import Hidden, hidden_of
from inspect_agentbench.integrity.cover import covered
from inspect_agentbench.integrity.evidence import OF_THE_ORACLE
from inspect_agentbench.logs import SAVED, read_log
from inspect_agentbench.watching import strings

_KEPT_EVENTS = {"sample_init", "score", "sample_limit"}
MARK = "redacted"
"""Set in the task's metadata, and in place of a submission that holds hidden material."""


class Redacted(NamedTuple):
    """What was taken out of one log."""

    source: Path
    target: Path
    episodes: int
    disagreements: int
    """Trials whose input, right answer and answer were shown."""
    texts: int
    """Texts in which a canary or a hidden line was covered."""
    submissions: int
    """Saved submissions that hold hidden material, and of which only the hash is left."""
    transcripts: int
    """Episodes that reached the oracle, of which nothing is left that the agent wrote or saw."""


def redact_log(source: Path, target: Path, bank: Bank | None) -> Redacted:
    """Write a redacted copy, which is checked before it gets its name.

    Raises AgentbenchError if the log cannot be read, is of another oracle, or is not clean afterwards.
    """
    log = read_log(source)
    opened = bank or open_bank(_bank_of(log))
    _check_oracles(source, log, opened)
    whole = to_jsonable_python(log, exclude_none=True, fallback=lambda _: None)
    redactor = _Redactor(opened)
    data = redactor.redact(whole)
    data["eval"]["metadata"]["agentbench"][MARK] = True
    unfinished = target.with_name(f".unfinished-{target.stem}.eval")
    try:
        write_eval_log(EvalLog.model_validate(data), str(unfinished))
        _check_clean(source, unfinished, redactor.hidden)
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)
    scores = [sample.get("scores") for sample in whole.get("samples", [])]
    return Redacted(
        source,
        target,
        episodes=len(scores),
        disagreements=_disagreements(scores),
        texts=redactor.texts,
        submissions=len(redactor.submissions),
        transcripts=redactor.transcripts,
    )


def _bank_of(log: EvalLog) -> str | None:
    folders = {(sample.metadata or {}).get("bank") for sample in log.samples or []}
    return next(iter(folders), None)


def _check_oracles(source: Path, log: EvalLog, bank: Bank) -> None:
    recorded = ((log.eval.metadata or {}).get("agentbench") or {}).get("families")
    if not recorded:
        raise AgentbenchError(f"{source} is not a log of this suite; name logs that it wrote")
    for name, known in recorded.items():
        if bank.family(name).oracle_hash() != known.get("oracle"):
            raise AgentbenchError(
                f"{source} was made with another oracle of family {name} than the bank {bank.root} holds, so "
                "nobody can tell what must be taken out; name the bank it was made with by --bank"
            )


class _Redactor:
    """Goes through a log as JSON, and counts what it takes out."""

    def __init__(self, bank: Bank) -> None:
        self.hidden = hidden_of(tuple(bank.families.values()))
        self._folder = str(bank.root) if bank_reference(bank) else None
        self.texts = 0
        self.transcripts = 0
        self.submissions: set[str] = set()

    def redact(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, list):
            return [self.redact(inner) for inner in value]
        if not isinstance(value, dict):
            return value
        if _is_submission(value):
            return self._submission(value)
        if _grade_in(value):
            value = self._score(value)
        if any(map(_reached_the_oracle, (value.get("scores") or {}).values() if "messages" in value else ())):
            value = self._without_transcript(value)
        return {self._text(key): self.redact(inner) for key, inner in value.items()}

    def _text(self, text: str) -> str:
        clean = covered(self.hidden, text)
        self.texts += clean is not text
        if self._folder and self._folder in clean:  # where a private bank lies says who keeps it
            clean = clean.replace(self._folder, Path(self._folder).name)
        return clean

    def _submission(self, saved: dict[str, Any]) -> dict[str, Any]:
        texts = [*saved["files"], *map(_content, saved["files"].values())]
        if all(covered(self.hidden, text) is text for text in texts):
            return saved
        self.submissions.add(saved["sha256"])
        return {"sha256": saved["sha256"], MARK: True}

    def _without_transcript(self, sample: dict[str, Any]) -> dict[str, Any]:
        """An agent that had the oracle can have written it in any encoding: nothing of its own stays."""
        self.transcripts += 1
        saved = sample["store"].get(SAVED) or {}
        self.submissions.add(saved.get("sha256", ""))
        return sample | {
            "messages": [],
            "output": {},
            "events": [event for event in sample["events"] if event["event"] in _KEPT_EVENTS],
            "attachments": {},
            "store": {SAVED: {"sha256": saved.get("sha256", ""), MARK: True}},
        }

    def _score(self, score: dict[str, Any]) -> dict[str, Any]:
        try:
            report = GradeReport.model_validate(score["metadata"]["grade"])
        except ValidationError as error:
            raise AgentbenchError(
                f"a grade report has not the form of this version ({error.error_count()} differences); "
                "redact the log with the version that wrote it"
            ) from None
        bare = report.model_copy(update={"trials": report.trials.model_copy(update={"first": ()})})
        _, gap, rest = str(score.get("explanation", "")).partition("\n\n")
        metadata = score["metadata"] | {"grade": bare.model_dump(mode="json")}
        if _reached_the_oracle(score):
            rest, _, _ = rest.partition("```diff")
            metadata |= {"diff": "", "claim_reason": None}
        return score | {"explanation": bare.explanation() + gap + rest, "metadata": metadata}


def _grade_in(score: Any) -> dict[str, Any] | None:
    """The grade report of a score; None of anything else."""
    metadata = score.get("metadata") if isinstance(score, dict) else None
    grade = metadata.get("grade") if isinstance(metadata, dict) else None
    return grade if isinstance(grade, dict) else None


def _reached_the_oracle(score: Any) -> bool:
    integrity = (_grade_in(score) or {}).get("integrity") or {}
    return any(piece.get("kind") in OF_THE_ORACLE for piece in integrity.get("evidence", ()))


def _is_submission(value: dict[str, Any]) -> bool:
    return isinstance(value.get("files"), dict) and isinstance(value.get("sha256"), str)


def _content(file: dict[str, str]) -> str:
    return file["text"] if "text" in file else base64.b64decode(file["base64"]).decode("utf-8", "replace")


def _check_clean(source: Path, written: Path, hidden: Hidden) -> None:
    """Read the file itself, every member of it: what was written is what somebody gets."""
    with zipfile.ZipFile(written) as archive:
        for name in archive.namelist():
            if name.endswith(".json"):
                _check_member(source, name, json.loads(archive.read(name)), hidden)


def _check_member(source: Path, name: str, member: object, hidden: Hidden) -> None:
    if _disagreements(member) or any(covered(hidden, text) is not text for text in strings(member)):
        raise AgentbenchError(
            f"{source}: hidden material is left in {name} of its copy, which was therefore not kept; "
            "do not publish this log"
        )


def _disagreements(value: object) -> int:
    """How many trials are shown with their input and right answer, anywhere in JSON data."""
    if isinstance(value, list):
        return sum(map(_disagreements, value))
    if not isinstance(value, dict):
        return 0
    shown = value.get("first") if "disagreeing" in value else None
    return len(shown or ()) + sum(map(_disagreements, value.values()))
