"""Amounts of money."""


def number(text):
    """The number that a decimal such as 3.25 stands for."""
    return float(text)


def in_cents(amount):
    """The amount in whole cents."""
    return round(amount, 2)


def written(amount):
    """Such as 68.25 or -9.75."""
    return f"{amount:.2f}"
