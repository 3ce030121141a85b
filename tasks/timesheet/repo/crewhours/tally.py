"""Adding up duties."""

from crewhours.sheet import read_sheet


def hours(text):
    """Return {person: hours and minutes} for the text of a sheet. Raises SheetError."""
    return {person: as_hours(total) for person, total in minutes_by_person(read_sheet(text)).items()}


def minutes_by_person(duties):
    totals = {}
    for duty in duties:
        totals[duty.person] = totals.get(duty.person, 0) + duty_minutes(duty)
    return totals


def duty_minutes(duty):
    """How many minutes a duty took."""
    return (duty.end - duty.start).seconds // 60


def as_hours(minutes):
    """Such as 7:45 or 103:00."""
    return f"{minutes // 60}:{minutes % 60:02}"
