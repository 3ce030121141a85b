"""Which of the new events are printed. All of them count as handed over in any case."""

from fnmatch import fnmatchcase

from logtail.summary import LEVELS, OTHER, level_of

SEVERITY = {level: rank for rank, level in enumerate((OTHER, *LEVELS))}


def selected(events, level=None, files=(), word=None):
    """The events that pass every condition given, in their order."""
    return [event for event in at_least(events, level) if in_files(event, files) and has_word(event, word)]


def at_least(events, level):
    """The events of `level` or worse; all of them if no level is asked for."""
    if level is None:
        return events
    return [event for event in events if SEVERITY[level_of(event["text"])] >= SEVERITY[level]]


def in_files(event, patterns):
    """Whether the event is from a file that matches one of the patterns; without any, all files match."""
    return not patterns or any(fnmatchcase(event["file"], pattern) for pattern in patterns)


def has_word(event, word):
    return word is None or word in event["text"].split(" ")
