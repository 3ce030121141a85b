"""All logs that were named: what goes into the table, and what does not."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from inspect_ai.log import (
    EvalLog,
    read_eval_log,
    read_eval_log_sample_summaries,
    read_eval_log_samples,
)

from inspect_agentbench.compare.rows import EpisodeRow, Left, LogFacts
from inspect_agentbench.errors import AgentbenchError
from inspect_agentbench.logs import log_files

from .episode import NotInTable, read_row
from .header import NotOurs, read_header

_NOT_READ = {"messages", "events", "attachments"}
"""The large parts of a sample, of which no row is made."""


class Collection(NamedTuple):
    """Everything read."""

    rows: list[EpisodeRow]
    facts: list[LogFacts]
    """One for each log in the table."""
    left_out: list[Left]

    @property
    def why_empty(self) -> str:
        """Why the first of what was left out is, as the end of a sentence; empty if nothing was."""
        return f"; {self.left_out[0].where}: {self.left_out[0].reason}" if self.left_out else ""


def collect_logs(paths: tuple[Path, ...], factors: Sequence[str] = (), panel: bool = False) -> Collection:
    """Read logs and folders of logs, one sample at a time.

    What cannot be in a table is left out with its reason. Raises AgentbenchError for a path that is no log
    and holds none.
    """
    found = Collection([], [], [])
    headers = list(_headers(log_files(paths), found.left_out))
    for path, log in _latest(headers, found.left_out):
        try:
            facts = read_header(log, _shown(path, paths), factors)
            _check(facts, panel)
        except (NotOurs, NotInTable) as reason:
            code = reason.code if isinstance(reason, NotInTable) else "foreign"
            found.left_out.append(Left(where=str(path), code=code, reason=str(reason)))
            continue
        found.facts.append(facts)
        found.rows.extend(_rows(path, facts, found.left_out))
    return Collection(_numbered(found.rows), found.facts, found.left_out)


def _headers(files: Sequence[Path], left_out: list[Left]) -> Iterator[tuple[Path, EvalLog]]:
    for path in files:
        try:
            yield path, read_eval_log(str(path), header_only=True)
        except Exception as error:  # whatever a damaged file makes the reader do
            left_out.append(_damaged(path, error))


def _damaged(path: Path, error: Exception) -> Left:
    reason = f"it cannot be read ({type(error).__name__}); if its run was killed, try `inspect log recover`"
    return Left(where=str(path), code="damaged", reason=reason)


def _latest(headers: Sequence[tuple[Path, EvalLog]], left_out: list[Left]) -> Iterator[tuple[Path, EvalLog]]:
    """Of copies of a log the first, of the tries of one task the last: a retry holds what had finished."""
    by_task: dict[str, tuple[Path, EvalLog]] = {}
    seen: dict[str, Path] = {}
    for path, log in sorted(headers, key=lambda item: item[1].eval.created):
        if (copy := seen.setdefault(log.eval.eval_id, path)) != path:
            left_out.append(Left(where=str(path), code="duplicate", reason=f"it is a copy of {copy}"))
            continue
        if before := by_task.get(log.eval.task_id):
            reason = f"{path} is a later try of the same task, and holds what had finished in it"
            left_out.append(Left(where=str(before[0]), code="retried", reason=reason))
        by_task[log.eval.task_id] = path, log
    yield from by_task.values()


def _check(facts: LogFacts, panel: bool) -> None:
    if (facts.kind == "panel") != panel:
        other = (
            "its runs are a panel's, which chose the variants; use `agentbench panel`"
            if not panel
            else "its runs are not a panel's; use `agentbench compare`"
        )
        raise NotInTable("panel" if not panel else "no panel", other)
    if not facts.frozen:
        raise NotInTable("unfrozen", "its bank did not match its lock when it ran")


def _rows(path: Path, facts: LogFacts, left_out: list[Left]) -> Iterator[EpisodeRow]:
    present = 0
    try:
        held = len(read_eval_log_sample_summaries(str(path)))
        samples = read_eval_log_samples(str(path), all_samples_required=False, exclude_fields=_NOT_READ)
        for sample in samples:  # those that the header plans
            present += 1
            try:
                yield read_row(facts, sample)
            except NotInTable as reason:
                where = f"{facts.log}, {sample.id} run {sample.epoch}"
                left_out.append(Left(where=where, code=reason.code, reason=str(reason)))
    except Exception as error:  # whatever a damaged file makes the reader do
        left_out.append(_damaged(path, error))
        return
    if held > present:
        raise AgentbenchError(
            f"{path} holds {held} episodes, of which its header plans {present}: somebody put it together"
        )
    if present < facts.planned:
        missing = f"{facts.planned - present} of {facts.planned} planned episodes are missing"
        said = f"{missing} (run {facts.status})"
        left_out.append(Left(where=facts.log, code="unfinished", reason=said))


def _numbered(rows: Sequence[EpisodeRow]) -> list[EpisodeRow]:
    """Runs of one arm and family in several logs get numbers that go on."""
    count: dict[tuple[str, str, str], int] = {}
    numbered = []
    for row in rows:
        key = row.arm, row.family, row.variant
        count[key] = count.get(key, 0) + 1
        numbered.append(row if row.run == count[key] else row.model_copy(update={"run": count[key]}))
    return numbered


def _shown(path: Path, paths: tuple[Path, ...]) -> str:
    """The log's place below the folder that was named."""
    for folder in paths:
        if folder.is_dir() and path.is_relative_to(folder):
            return str(path.relative_to(folder))
    return path.name
