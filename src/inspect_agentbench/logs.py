"""Reading this suite's episodes out of Inspect's logs."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from inspect_ai.log import EvalLog, EvalSample, read_eval_log
from pydantic import ValidationError

from inspect_agentbench.errors import AgentbenchError
from inspect_agentbench.grading import GradeReport
from inspect_agentbench.outcome import Outcome

SCORE_NAME = "oracle_grade"
SAVED = "SavedSubmission:saved"
_SUFFIXES = {".eval", ".json"}


class Episode(NamedTuple):
    """One sample of a log."""

    log: Path
    model: str
    sample: EvalSample

    @property
    def name(self) -> str:
        """Sample id and run number."""
        return f"{self.sample.id} run {self.sample.epoch}"

    @property
    def outcome(self) -> Outcome:
        """The recorded outcome; `errored` comes from the sample, never from a score."""
        score = self._score()
        if self.sample.error is not None or score is None:
            return Outcome.ERRORED
        return Outcome(str(score.value))

    @property
    def report(self) -> GradeReport | None:
        """The recorded grade report; None if there is none that can be read."""
        score = self._score()
        try:
            return GradeReport.model_validate((score.metadata or {})["grade"]) if score else None
        except (KeyError, ValidationError):
            return None

    @property
    def explanation(self) -> str:
        """What the scorer said, or the sample's error."""
        if self.sample.error is not None:
            return self.sample.error.message
        score = self._score()
        return (score.explanation or "") if score else "no score"

    @property
    def submission(self) -> Any:
        """The saved submission as data (see submission.from_data); None if none was saved."""
        return self.sample.store.get(SAVED) or None

    def _score(self) -> Any:
        return (self.sample.scores or {}).get(SCORE_NAME)


def local_path(location: str) -> Path:
    """Where a log that Inspect has just written lies."""
    return Path(location.removeprefix("file://"))


def log_files(paths: tuple[Path, ...]) -> list[Path]:
    """The logs named, folders searched. Raises AgentbenchError for a path that is no log or holds none."""
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            inside = sorted(file for file in path.rglob("*") if file.suffix == ".eval")
            if not inside:
                raise AgentbenchError(f"{path} holds no .eval log; name a log or a folder with logs")
            found += inside
        elif path.is_file() and path.suffix in _SUFFIXES:
            found.append(path)
        else:
            reason = "is not a log (.eval or .json)" if path.exists() else "does not exist"
            raise AgentbenchError(f"{path} {reason}; name a log or a folder with logs")
    return list(dict.fromkeys(found))


def read_log(path: Path) -> EvalLog:
    """A whole log. Raises AgentbenchError if it cannot be read."""
    try:
        return read_eval_log(str(path), resolve_attachments=True)
    except Exception as error:  # whatever a damaged file makes the reader do
        raise AgentbenchError(
            f"{path} cannot be read as an Inspect log ({type(error).__name__}); "
            "if its run was killed, try `inspect log recover`"
        ) from error


def episodes(path: Path) -> Iterator[Episode]:
    """The episodes of one log. Raises AgentbenchError if it is not a log of this suite."""
    log = read_log(path)
    for sample in log.samples or []:
        if "family" not in (sample.metadata or {}):
            raise AgentbenchError(
                f"{path}: sample {sample.id} names no family; it is not a log of this suite"
            )
        yield Episode(path, log.eval.model, sample)
