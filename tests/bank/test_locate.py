from pathlib import Path

import pytest

from inspect_agentbench.bank import data_root, default_bank_root, locate


def lay_out_package(root: Path, *, with_source_tree: bool) -> Path:
    package = (
        root / "src" / "inspect_agentbench" if with_source_tree else root / "site" / "inspect_agentbench"
    )
    (package / "_data" / "tasks").mkdir(parents=True)
    (root / "tasks").mkdir()
    return package


def test_a_source_tree_uses_the_folders_at_its_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stale copy that a build left in the package must not win over the folders one edits."""
    package = lay_out_package(tmp_path, with_source_tree=True)
    monkeypatch.setattr(locate, "_PACKAGE", package)
    assert data_root() == tmp_path


def test_an_installed_package_uses_the_copy_that_it_carries(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Folders named tasks/ near a virtual environment are somebody else's."""
    package = lay_out_package(tmp_path, with_source_tree=False)
    monkeypatch.setattr(locate, "_PACKAGE", package)
    assert data_root() == package / "_data"


def test_a_named_bank_may_be_in_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tilde in AGENTBENCH_BANK is the user's home."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("AGENTBENCH_BANK", "~/bank")
    assert default_bank_root() == tmp_path / "bank"
