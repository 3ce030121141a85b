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
    """The names of the default bank's families and of the shipped ones, without reading a manifest.

    With AGENTBENCH_BANK a shipped family is not there; its name is still known, so that asking for it
    says which bank was searched, or that the folder named is no bank.
    """
    folders = {default_bank_root() / "tasks", data_root() / "tasks"}
    return sorted({path.parent.name for tasks in folders for path in tasks.glob("*/family.toml")})
