"""Puts tasks in an order in which they can be done."""


def order(needs):
    """Return all tasks, each after what it needs."""
    return sorted(needs)
