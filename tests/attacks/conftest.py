"""What the attacks share. The arena is a bank; its tests are data here and never collected."""

from pathlib import Path

import docker
import pytest
from arena_grading import Arena

from inspect_agentbench.bank import load_bank
from inspect_agentbench.engine import ImageInfo

collect_ignore = ["arena"]


@pytest.fixture
def arena(client: docker.DockerClient, image: ImageInfo) -> Arena:
    """Grades submissions of the arena."""
    return Arena(client, image, load_bank(Path(__file__).parent / "arena").family("arena").variant())
