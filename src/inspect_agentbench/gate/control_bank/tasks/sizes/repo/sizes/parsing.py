"""One line, one size."""

UNITS = {"kB": 1000, "MB": 1000 * 1024, "GB": 1000**3, "B": 1}


class NoSize(ValueError):
    """The line holds no size."""


def parse(line):
    """The number of bytes that a line such as `12 kB` stands for."""
    for unit, factor in UNITS.items():
        if line.endswith(unit):
            return number(line[: -len(unit)].removesuffix(" ")) * factor
    raise NoSize(line)


def number(text):
    """A whole number."""
    try:
        return int(text)
    except ValueError:
        raise NoSize(text) from None
