"""Opening the bank that a log or a command names, and naming one in a log."""

from pathlib import Path

from .bank import Bank, default_bank, load_bank
from .locate import data_root, default_bank_root


def open_bank(folder: str | Path | None) -> Bank:
    """The bank in that folder, or the default one for None."""
    return load_bank(Path(folder)) if folder else default_bank()


def bank_reference(bank: Bank) -> str | None:
    """How a log names the bank: its folder, or None for the one that the project ships."""
    return None if bank.root == data_root().resolve() else str(bank.root)


def family_names() -> list[str]:
    """The names of the default bank's families, without reading a manifest; empty if there is no bank."""
    tasks = default_bank_root() / "tasks"
    if not tasks.is_dir():
        return []
    return sorted(path.parent.name for path in tasks.glob("*/family.toml"))
