"""What payroll imports: one row for each person, hours as decimals."""

from crewhours.tally import minutes_by_person

HEADING = "person;hours\n"


def rows(duties):
    """The rows of a sheet, people by name."""
    minutes = minutes_by_person(duties)
    return HEADING + "".join(f"{person};{decimal_hours(minutes[person])}\n" for person in sorted(minutes))


def decimal_hours(minutes):
    """Such as 28.50 for 1710 minutes; a third of an hour is 0.33."""
    hundredths = (minutes * 100 + 30) // 60
    return f"{hundredths // 100}.{hundredths % 100:02}"
