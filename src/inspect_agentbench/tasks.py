"""The Inspect tasks: one for each family, and `bank` for several at once.

What can be wrong before an episode (the bank, the options, the engine, the image, the model's server) is
found here, before any container is started, and told in one line.
"""

import functools
import sys
from collections.abc import Callable, Sequence
from typing import Any

from inspect_ai import Task, task
from inspect_ai._util.error import PrerequisiteError  # private: guarded by a test
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import GenerateConfig, get_model

from inspect_agentbench import __version__
from inspect_agentbench.bank import Bank, Variant, bank_reference, default_bank, open_bank
from inspect_agentbench.checking import visible_suite_check
from inspect_agentbench.commit import package_commit
from inspect_agentbench.engine import ImageInfo, agent_compose_file, check_compose, connect, ensure_image
from inspect_agentbench.episode import (
    coding_agent,
    sample_messages,
    setup_workspace,
)
from inspect_agentbench.errors import AgentbenchError, HarnessFault
from inspect_agentbench.first_green import save_green_state
from inspect_agentbench.freezing import VERSIONS, frozen_state
from inspect_agentbench.grading import grader_hash
from inspect_agentbench.models import context_warning, host
from inspect_agentbench.options import TaskOptions, read_bank_options, read_options
from inspect_agentbench.scoring import oracle_grade
from inspect_agentbench.usable import check_usable

MODEL_RETRIES = 6
"""Inspect's ollama provider retries an absent server for ever; this ends it."""
EPISODE_TOKENS = 32_768
"""Room for ten tool results of full length and what stands between them; a rule of thumb."""
_BACKSTOP_SECONDS = 60
_LEAST_TIME_LIMIT = 240
"""Inspect gives grading half of a sample's time limit, however short that is."""


def register_family_tasks(names: Sequence[str]) -> dict[str, Callable[..., Task]]:
    """One Inspect task for each name; called once, when the entry point is loaded."""
    return {name: task(name=name)(_family_task(name)) for name in names}


def _family_task(name: str) -> Callable[..., Task]:
    def family_task(**options: Any) -> Task:
        with _one_line_errors():
            chosen = read_options(name, _without_model(options))
            opened = default_bank()
            return _task(name, opened, [opened.family(name).variant(chosen.variant)], chosen)

    family_task.__name__ = name.replace("-", "_")
    family_task.__doc__ = f"The family {name}: one episode of a coding agent."
    return family_task


@task(name="bank")
def bank(**options: Any) -> Task:
    """The scored and smoke families of a bank as samples, one variant each."""
    with _one_line_errors():
        chosen = read_bank_options(_without_model(options))
        opened = open_bank(chosen.bank)
        return _task("bank", opened, _chosen_variants(opened, chosen.family, chosen.variant), chosen)


def _without_model(options: dict[str, Any]) -> dict[str, Any]:
    """Inspect passes `model` to every task that takes any keyword."""
    return {name: value for name, value in options.items() if name != "model"}


def _chosen_variants(bank: Bank, families: str | None, variant: str | None) -> list[Variant]:
    names = (
        [part.strip() for part in families.split(",") if part.strip()] if families else list(bank.families)
    )
    chosen = [_named_variant(bank, name, variant) for name in dict.fromkeys(names)]
    kept = chosen if families else [v for v in chosen if v.label != "retired"]
    if not kept:
        raise AgentbenchError(f"task bank: no family is left of {families or bank.root}")
    return kept


def _named_variant(bank: Bank, name: str, variant: str | None) -> Variant:
    """`FAMILY`, or `FAMILY:VARIANT` where families differ in it."""
    family, _, own = name.partition(":")
    return bank.family(family).variant(own or variant)


class _one_line_errors:
    """Turns this package's errors into Inspect's error without a traceback."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, AgentbenchError | HarnessFault):
            raise PrerequisiteError(f"inspect_agentbench: {error}") from None


def _task(name: str, bank: Bank, variants: list[Variant], options: TaskOptions) -> Task:
    frozen = frozen_state(bank, options.allow_unfrozen)
    check_compose()
    folder = bank_reference(bank)
    image = ensure_image(_say)
    server = _model_server(variants)
    return Task(
        name=name,
        version=max(variant.family.manifest.version for variant in variants),
        dataset=MemoryDataset([_sample(variant, folder, options) for variant in variants], name=name),
        setup=setup_workspace(),
        solver=coding_agent(
            turns=options.turns,
            seconds=options.seconds,
            tool_calls=options.tool_calls,
            check=visible_suite_check if options.completion_check else None,
            snapshot=save_green_state,
        ),
        scorer=oracle_grade(),
        sandbox=("docker", str(agent_compose_file(image.tag))),
        config=GenerateConfig(max_retries=MODEL_RETRIES),
        turn_limit=options.turns,
        time_limit=max(options.seconds + _BACKSTOP_SECONDS, _LEAST_TIME_LIMIT),
        fail_on_error=False,
        score_on_error=True,  # so that the submission of a broken episode is kept; the scorer raises then
        metadata={
            "agentbench": {
                "package": __version__,
                "commit": package_commit(),
                "grader": grader_hash(),
                "versions": VERSIONS,
                "bank": frozen,
                "controls": options.model_dump(exclude={"variant", "family", "bank"}),
                "image": _described(image),
                "families": {v.family.id: _hashes(v) for v in variants},
                "model_server": server,
                "host": host() | {"engine": connect().version()["Version"]},
            }
        },
    )


def _sample(variant: Variant, folder: str | None, options: TaskOptions) -> Sample:
    return Sample(
        id=f"{variant.family.id}-{variant.name}",
        input=sample_messages(variant, bank=folder, style=options.prompt),
        metadata={
            "family": variant.family.id,
            "variant": variant.name,
            "label": variant.label,
            "bank": folder,
        },
    )


def _hashes(variant: Variant) -> dict[str, Any]:
    family = variant.family
    return {
        "variant": variant.name,
        "label": variant.label,
        "version": family.manifest.version,
        "visible": variant.visible_hash(),
        "oracle": family.oracle_hash(),
        "trials": family.oracle.trials,
        "calibration": variant.calibration,
        "assistance": list(family.manifest.lane.assistance),
    }


def _described(image: ImageInfo) -> dict[str, Any]:
    return {
        "tag": image.tag,
        "id": image.id,
        "fingerprint": image.fingerprint.short,
        **image.fingerprint.model_dump(),
    }


def _model_server(variants: list[Variant]) -> dict[str, Any] | None:
    """What the model's server says of itself; None if there is no server, or no model yet.

    A task that a Python program makes before its `eval` has no model yet, and Inspect has no way to ask.
    """
    try:
        model = get_model()
    except ValueError:
        return None
    if str(model) == "none/none":
        raise AgentbenchError("no model was named; give one with --model, such as --model replay/lazy")
    identity = check_usable(model, lambda: [variant.family for variant in variants])
    warning = context_warning(identity, EPISODE_TOKENS)
    if warning:
        _say_once(warning)
    return identity.model_dump(mode="json") if identity else None


@functools.cache
def _say_once(line: str) -> None:
    """A bank makes a task for each run of a model, and they all would warn alike."""
    _say(line)


def _say(line: str) -> None:
    print(f"inspect_agentbench: {line}", file=sys.stderr, flush=True)
