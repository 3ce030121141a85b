import pytest
from adder import add


@pytest.mark.parametrize("amount", [1, 40])
def test_single(tmp_path, amount):
    (tmp_path / "ledger.txt").write_text(f"2026-05-06T07:08 {amount}\n")
    assert add(tmp_path / "ledger.txt", tmp_path / "receipt.txt")[0] == amount
