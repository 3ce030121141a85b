"""What the tests of model servers share."""

from collections.abc import Iterator

import pytest
from inspect_ai.model import Model, get_model

from .small_server import SmallServer, small_server


@pytest.fixture(scope="session")
def small_model() -> Iterator[SmallServer]:
    """The real small model; a test that needs it fails where it cannot start."""
    with small_server() as server:
        yield server


@pytest.fixture
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine's own proxy settings, whatever they are, play no part."""
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


def model_at(name: str, base_url: str, api_key: str = "key-of-the-test") -> Model:
    """The model `name` of the server at `base_url`, a new one each time."""
    return get_model(name, base_url=base_url, api_key=api_key, memoize=False)
