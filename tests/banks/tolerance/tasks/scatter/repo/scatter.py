"""Sums up a sample."""


def summary(values):
    """Return count, mean and variance of a list of floats."""
    count = len(values)
    if not count:
        raise ValueError("no values")
    mean = sum(values) / count
    squares = sum(value * value for value in values)
    return {"count": count, "mean": mean, "variance": (squares - count * mean * mean) / count}
