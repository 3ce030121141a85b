"""What tests of several layers share: the engine, the image, and the banks that are made for tests."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import docker
import pytest

from inspect_agentbench import engine
from inspect_agentbench.bank import Family, load_bank

os.environ["COLUMNS"] = "240"  # tables would else be cut where several test processes run side by side

BANKS = Path(__file__).parent / "banks"


@pytest.fixture(scope="session")
def client() -> docker.DockerClient:
    return engine.connect()


@pytest.fixture(scope="session")
def image() -> engine.ImageInfo:
    return engine.ensure_image(print)


@pytest.fixture(scope="session")
def banks() -> Path:
    """The folder of the test banks."""
    return BANKS


@pytest.fixture
def tiny() -> Family:
    """The one legal family that uses every feature of the formats."""
    return load_bank(BANKS / "tiny").family("tiny")


@pytest.fixture
def short_folder() -> Iterator[Path]:
    """A folder for sockets, whose paths may have about 100 characters."""
    with tempfile.TemporaryDirectory(prefix="ab-") as folder:
        yield Path(folder)
