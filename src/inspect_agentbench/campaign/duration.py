"""How long a campaign may take, from what is known."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from inspect_ai.log import EvalLog, read_eval_log

from inspect_agentbench.episode import SECONDS

from .spec import Campaign


def expected_time(campaign: Campaign, planned: int, folder: Path) -> str:
    """A sentence: measured on the blocks that are done in the folder, or the bound that the ceiling gives."""
    done = list(_finished(folder))
    episodes = sum(count for count, _ in done)
    if not episodes:
        seconds = campaign.controls.seconds or SECONDS
        return f"expected time: not known yet; at most {_shown(planned * seconds)} of the agents' own time"
    each = sum(seconds for _, seconds in done) / episodes
    left = max(0, planned - episodes)
    return f"expected time: {left} episodes left, {each:.0f} s each so far: about {_shown(left * each)}"


def _finished(folder: Path) -> Iterator[tuple[int, float]]:
    """Episodes and wall seconds of each log that came to its end."""
    for path in sorted(folder.rglob("*.eval")):
        try:
            log = read_eval_log(str(path), header_only=True)
            if log.status == "success" and log.results is not None:
                yield log.results.completed_samples, _seconds(log)
        except Exception:  # a damaged log tells nothing about time
            continue


def _seconds(log: EvalLog) -> float:
    begun, ended = (datetime.fromisoformat(str(t)) for t in (log.stats.started_at, log.stats.completed_at))
    return (ended - begun).total_seconds()


def _shown(seconds: float) -> str:
    return f"{seconds / 3600:.1f} h" if seconds >= 3600 else f"{seconds / 60:.0f} min"
