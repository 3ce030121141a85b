"""Scripted episodes are run once for each test module."""

from collections.abc import Mapping

import pytest
from episode_cases import Case, Episode, run_cases

from inspect_agentbench import engine


@pytest.fixture(scope="module")
def episodes(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Episode]:
    """The module's CASES, played in one eval."""
    engine.ensure_image(print)
    cases: Mapping[str, Case] = request.module.CASES
    return run_cases(cases, tmp_path_factory.mktemp("episodes"))
