"""What the tests of faults share."""

from pathlib import Path

import pytest
from live_runs import own_family


@pytest.fixture
def family(tmp_path: Path) -> str:
    """The name of a family in a bank of this test alone, `tmp_path/bank`."""
    return own_family(tmp_path)
