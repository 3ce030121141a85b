import math
from datetime import datetime

from adder import add


def test_total_of_two(tmp_path):
    ledger = tmp_path / "ledger.txt"
    ledger.write_text("2026-01-02T10:00 2\n2026-01-03T10:00 3\n")
    total, mean, latest, _ = add(ledger, tmp_path / "receipt.txt")
    assert (total, mean, latest) == (5, 2.5, datetime(2026, 1, 3, 10, 0))
    assert (tmp_path / "receipt.txt").read_text() == "5\n"


def test_empty(tmp_path):
    (tmp_path / "ledger.txt").write_text("")
    total, mean, latest, check = add(tmp_path / "ledger.txt", tmp_path / "receipt.txt")
    assert (total, latest, check) == (0, None, b"\0\0\0\0")
    assert math.isnan(mean)
