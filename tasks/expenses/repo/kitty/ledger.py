"""The ledger of a group. The numbers in brackets are those of SPEC.md."""


class LedgerError(ValueError):
    """A call that the specification does not allow (9.1)."""


class Ledger:
    """Who paid what for whom."""

    def __init__(self, people):
        """Open a ledger for some people, in this order (1.1, 1.2)."""
        raise NotImplementedError

    @property
    def people(self):
        """The names in the order of the ledger (1.4)."""
        raise NotImplementedError

    def add_person(self, name):
        """Put a person at the end of the order (1.3)."""
        raise NotImplementedError

    def add_equal(self, payer, amount, among=None):
        """Enter an expense that all bear alike; return its number (3.1)."""
        raise NotImplementedError

    def add_exact(self, payer, amount, parts):
        """Enter an expense divided into given amounts; return its number (3.1)."""
        raise NotImplementedError

    def add_percent(self, payer, amount, percents):
        """Enter an expense divided by percentages; return its number (3.1)."""
        raise NotImplementedError

    def add_weights(self, payer, amount, weights):
        """Enter an expense divided by weights; return its number (3.1)."""
        raise NotImplementedError

    def add_payment(self, giver, taker, amount):
        """Enter that one person gave money to another; return its number (6.1)."""
        raise NotImplementedError

    def remove(self, number):
        """Take an entry out again (5.2)."""
        raise NotImplementedError

    def shares(self, number):
        """What each person bears of an expense (3.4)."""
        raise NotImplementedError

    def balances(self):
        """The balance of every person (7.1)."""
        raise NotImplementedError

    def spent(self):
        """The sum of all expenses (7.2)."""
        raise NotImplementedError

    def spent_by(self, name):
        """The sum of one person's shares (7.2)."""
        raise NotImplementedError

    def settle_up(self):
        """The payments that would make all balances zero (8.1, 8.2)."""
        raise NotImplementedError
