"""The clocks on board: from what a sheet says to moments in a zone."""

from datetime import datetime, timezone
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

SECOND_MARK = "*"
FORM = "%Y-%m-%d %H:%M"


class ClockError(ValueError):
    """A zone or a local time that there is not."""


def zone_named(name):
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ClockError(f"there is no time zone {name}") from None


def moment_of(text, zone):
    """The moment that a local time such as `2021-01-12 06:00` or `2021-10-31 02:30*` stands for."""
    marked = text.endswith(SECOND_MARK)
    try:
        moment = datetime.strptime(text.removesuffix(SECOND_MARK), FORM).replace(tzinfo=zone)
    except ValueError:
        raise ClockError(f"{text} is not a local time") from None
    if not occurs(moment):
        raise ClockError(f"{text} does not occur in {zone.key}")
    if not marked:
        return moment
    if not occurs_twice(moment):
        raise ClockError(f"{text} occurs only once in {zone.key}")
    return moment.replace(fold=1)


def occurs(moment):
    """Whether the clocks ever show this time: clocks that are put forward leave some out."""
    there_and_back = moment.astimezone(timezone.utc).astimezone(moment.tzinfo)
    return there_and_back.replace(tzinfo=None) == moment.replace(tzinfo=None)


def occurs_twice(moment):
    return moment.replace(fold=1).utcoffset() != moment.utcoffset()
