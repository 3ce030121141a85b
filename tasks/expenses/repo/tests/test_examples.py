from decimal import Decimal

import pytest

from kitty import Ledger, LedgerError

ANA, BEN, CEM = GROUP = ["ana", "ben", "cem"]


def test_a_dinner():
    ledger = Ledger(GROUP)
    assert ledger.add_equal(BEN, Decimal("10.00")) == 1
    assert ledger.shares(1) == {ANA: Decimal("3.34"), BEN: Decimal("3.33"), CEM: Decimal("3.33")}
    assert ledger.balances() == {ANA: Decimal("-3.34"), BEN: Decimal("6.67"), CEM: Decimal("-3.33")}


def test_the_rent():
    ledger = Ledger(GROUP)
    ledger.add_percent(ANA, 1200, {ANA: 50, BEN: Decimal("30"), CEM: 20})
    ledger.add_payment(BEN, ANA, Decimal("300.00"))
    with pytest.raises(LedgerError):
        ledger.add_payment(BEN, "dora", 60)
    assert ledger.add_payment(BEN, ANA, 60) == 3
    assert ledger.spent() == 1200
    assert ledger.balances() == {ANA: 240, BEN: 0, CEM: -240}


def test_settling_up():
    ledger = Ledger(GROUP)
    ledger.add_weights(CEM, 80, {ANA: 2, BEN: 1, CEM: 1})
    ledger.add_exact(BEN, Decimal("15.50"), {ANA: Decimal("15.50"), CEM: 0})
    assert ledger.settle_up() == [(ANA, CEM, Decimal("55.50")), (BEN, CEM, Decimal("4.50"))]
