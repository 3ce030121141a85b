"""What the tests of the engine layer share."""

from collections.abc import Callable, Iterator
from pathlib import Path

import docker
import pytest
from fake_engine import FakeEngine

from inspect_agentbench import engine


@pytest.fixture(scope="session")
def client() -> docker.DockerClient:
    return engine.connect()


@pytest.fixture(scope="session")
def image() -> engine.ImageInfo:
    return engine.ensure_image(print)


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache folder, so that nothing measured before is found."""
    monkeypatch.setenv("AGENTBENCH_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def fake_engine(short_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., FakeEngine]]:
    """Starts a fake engine and points DOCKER_HOST at it."""
    started: list[FakeEngine] = []

    def start(**settings: object) -> FakeEngine:
        fake = FakeEngine(short_folder / "fake.sock", **settings)  # type: ignore[arg-type]
        started.append(fake)
        monkeypatch.setenv("DOCKER_HOST", fake.address)
        return fake

    yield start
    for fake in started:
        fake.stop()
