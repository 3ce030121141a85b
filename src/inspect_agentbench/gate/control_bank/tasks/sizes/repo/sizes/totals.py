"""Many lines, one total."""

from sizes.parsing import NoSize, parse


def summarize(lines):
    """How many bytes the lines stand for, and how many of them were rejected."""
    total, rejected = 0, 0
    for line in lines:
        try:
            total += parse(line)
        except NoSize:
            rejected += 1
    return {"bytes": total, "rejected": rejected}
