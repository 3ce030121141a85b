"""The blocks of a campaign: one model under one condition, all families, all runs.

Models stay together, since changing them costs a local server its loaded weights; families are shuffled
inside a block, so that a drifting machine does not favour one.
"""

import random
import re
from collections.abc import Sequence
from itertools import product
from typing import Any, NamedTuple

from inspect_agentbench.bank import Variant

from .spec import Campaign, ModelEntry


class Block(NamedTuple):
    """What one eval set runs."""

    folder: str
    """Its log folder, below the campaign's."""
    model: ModelEntry
    solver: str
    factors: dict[str, Any]
    families: tuple[str, ...]
    """`FAMILY:VARIANT`, in the order in which they run."""


def blocks_of(campaign: Campaign, variants: Sequence[Variant]) -> list[Block]:
    """Every block, in the order in which they run. The same file gives the same blocks."""
    blocks = []
    combinations = [
        dict(zip(campaign.factors, values, strict=True)) for values in product(*campaign.factors.values())
    ]
    for number, (model, solver, factors) in enumerate(
        product(campaign.models, campaign.solvers, combinations), 1
    ):
        named = [f"{variant.family.id}:{variant.name}" for variant in variants]
        random.Random(campaign.shuffle_seed + number).shuffle(named)
        parts = [f"{number:02}", model.model, solver, *(f"{k}-{v}" for k, v in factors.items())]
        folder = re.sub(r"[^A-Za-z0-9._-]+", "-", "_".join(part for part in parts if part))
        blocks.append(Block(folder, model, solver, factors, tuple(named)))
    return blocks


def planned_episodes(campaign: Campaign, blocks: Sequence[Block]) -> int:
    """How many episodes the campaign has."""
    return sum(len(block.families) for block in blocks) * campaign.runs
