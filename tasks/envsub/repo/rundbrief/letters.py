"""One letter for each member."""

from rundbrief.template import MissingEntry, fill

FORM_FEED = "\f"


def write_letters(template, members):
    """Return the letters, in the order of the members."""
    return [fill(template, member) for member in members]


def as_pages(letters):
    """All letters as one text for the printer, each on a page of its own."""
    return FORM_FEED.join(letters)


def check(template, members):
    """Return (member's number from 1, what is missing) for each letter that cannot be written."""
    problems = []
    for number, member in enumerate(members, start=1):
        try:
            fill(template, member)
        except MissingEntry as missing:
            problems.append((number, str(missing)))
    return problems
