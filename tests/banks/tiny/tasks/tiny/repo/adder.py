"""Adds up a ledger."""

import zlib
from datetime import datetime
from decimal import Decimal
from pathlib import Path


def add(ledger, receipt):
    """Return (total, mean, latest, check) of a ledger and leave a receipt."""
    raw = Path(ledger).read_bytes()
    pairs = [line.split(" ") for line in raw.decode().split("\n")[:-2]]
    total = Decimal(int(sum(float(amount) for _, amount in pairs)))
    mean = float(total) / len(pairs) if pairs else float("nan")
    latest = max((datetime.fromisoformat(minute) for minute, _ in pairs), default=None)
    Path(receipt).write_text(f"{total}\n")
    return total, mean, latest, zlib.crc32(raw).to_bytes(4, "big")
