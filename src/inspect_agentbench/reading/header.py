"""The facts of one log, out of its header."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from inspect_ai.log import EvalLog

from inspect_agentbench.compare.rows import LogFacts

_SENT = (
    *("temperature", "top_p", "top_k", "seed", "max_tokens"),
    *("reasoning_effort", "reasoning_tokens", "effort"),
    *("max_connections", "max_retries", "frequency_penalty", "presence_penalty", "stop_seqs"),
)
"""Of Inspect's generation settings those that change what a model answers, or how long it waits."""
_LIMITS = ("message_limit", "token_limit", "working_limit", "cost_limit")
"""Of Inspect's limits those that the suite's own options do not set."""
_IDENTITY = {"server": "model_server", "host": "host", "commit": "commit"}


class NotOurs(ValueError):
    """A log that this suite did not write, or a version that wrote less; the text says which."""


def read_header(log: EvalLog, name: str, factors: Sequence[str]) -> LogFacts:
    """The facts of a log; `factors` are controls that are varied on purpose. Raises NotOurs."""
    ours = (log.eval.metadata or {}).get("agentbench")
    if not isinstance(ours, dict):
        raise NotOurs("it was not written by this suite")
    try:
        return _facts(log, name, ours, factors)
    except (KeyError, TypeError, AttributeError) as error:
        raise NotOurs(f"its header lacks what this version records ({error})") from error


def _facts(log: EvalLog, name: str, ours: dict[str, Any], factors: Sequence[str]) -> LogFacts:
    campaign = (log.eval.metadata or {}).get("agentbench_campaign") or {}
    controls = _controls(log, ours)
    varied = {key: str(value) for key, value in (campaign.get("factors") or {}).items()}
    varied |= {key: str(controls[key]) for key in factors if key in controls}
    solver = log.eval.solver or "coding_agent"
    families = ours["families"]
    return LogFacts(
        log=name,
        arm=_arm(log.eval.model, solver, varied),
        model=log.eval.model,
        solver=solver,
        factors=varied,
        controls={key: value for key, value in controls.items() if key not in varied},
        dataset=ours["bank"]["dataset"],
        oracle=ours["bank"]["oracle"],
        grader=ours["grader"],
        image=ours["image"]["fingerprint"],
        package=ours["package"],
        frozen=bool(ours["bank"]["frozen"]),
        planned=(log.eval.dataset.samples or 0) * (log.eval.config.epochs or 1),
        status=log.status,
        kind=campaign.get("kind", "comparison"),
        campaign=campaign.get("name"),
        identity={key: ours.get(name) for key, name in _IDENTITY.items()},
        calibrated={f: facts.get("calibration", "none") != "none" for f, facts in families.items()},
        lanes={f: list(facts.get("assistance", ())) for f, facts in families.items()},
        redacted=bool(ours.get("redacted")),
    )


def _controls(log: EvalLog, ours: dict[str, Any]) -> dict[str, Any]:
    """Everything that must be equal: the suite's options, what was sent to the model, limits, versions."""
    sent = log.plan.config.merge(log.eval.model_generate_config)
    return (
        {key: value for key, value in ours["controls"].items() if key != "allow_unfrozen"}
        | {key: getattr(sent, key) for key in _SENT}
        | {key: getattr(log.eval.config, key) for key in _LIMITS}
        | {f"{key}_version": value for key, value in ours["versions"].items()}
    )


def _arm(model: str, solver: str, factors: dict[str, str]) -> str:
    agent = "" if solver.rpartition("/")[2] == "coding_agent" else f" with {Path(solver).name}"
    varied = ", ".join(f"{key}={value}" for key, value in factors.items())
    return f"{model}{agent}" + (f" [{varied}]" if varied else "")
