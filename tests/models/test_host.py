"""The machine's description: total, whatever tools are there."""

from pathlib import Path

import pytest

from inspect_agentbench.models import host as machine
from inspect_agentbench.models.host import _gpus, host


def test_the_machine_is_described() -> None:
    """Cores and system are always known."""
    assert host()["cores"] >= 1
    assert host()["system"]
    assert machine is host


def test_a_tool_tells_the_cards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line for each, as the vendor's tool puts it."""
    tool = tmp_path / "nvidia-smi"
    tool.write_text("#!/bin/sh\necho 'RTX 4090,  555.42'\necho 'RTX 3060, 555.42'\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    assert _gpus() == ["RTX 4090, 555.42", "RTX 3060, 555.42"]


def test_a_broken_tool_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It tells nothing."""
    tool = tmp_path / "nvidia-smi"
    tool.write_text("#!/bin/sh\nexit 9\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert _gpus() == []
