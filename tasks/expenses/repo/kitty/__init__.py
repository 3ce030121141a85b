"""Shared expenses for small groups. SPEC.md says how it works."""

from kitty.ledger import Ledger, LedgerError

__all__ = ["Ledger", "LedgerError"]
