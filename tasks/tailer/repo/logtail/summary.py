"""Counts per file and level, for the board's first page."""

LEVELS = ("DEBUG", "INFO", "WARN", "ERROR")
OTHER = "OTHER"


def level_of(text):
    """The level of a line such as `06:12:44 WARN gate slow`."""
    words = text.split(" ", 2)
    if len(words) > 1 and words[1] in LEVELS:
        return words[1]
    return OTHER


def summarize(events):
    """Return {file: {level: count}}; files and levels without events are left out."""
    counts = {}
    for event in events:
        of_file = counts.setdefault(event["file"], {})
        level = level_of(event["text"])
        of_file[level] = of_file.get(level, 0) + 1
    return counts


def render(counts):
    """Return the summary as lines of text, one per file, the worst level first."""
    if not counts:
        return ["nothing new"]
    width = max(len(name) for name in counts)
    return [f"{name:<{width}}  {_levels(counts[name])}" for name in sorted(counts)]


def _levels(of_file):
    order = [*reversed(LEVELS), OTHER]
    return ", ".join(f"{of_file[level]} {level}" for level in order if level in of_file)
