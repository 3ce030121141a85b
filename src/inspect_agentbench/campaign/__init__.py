"""Campaigns: arms x families x runs, written down before they run, over Inspect's eval sets."""

from .blocks import Block, blocks_of, planned_episodes
from .duration import expected_time
from .running import run_campaign
from .spec import Campaign, check_against_bank, read_campaign

__all__ = [
    "Block",
    "Campaign",
    "blocks_of",
    "check_against_bank",
    "expected_time",
    "planned_episodes",
    "read_campaign",
    "run_campaign",
]
