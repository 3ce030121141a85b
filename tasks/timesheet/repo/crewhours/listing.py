"""What is printed."""

from crewhours.tally import as_hours, duty_minutes, minutes_by_person

BEYOND = " !"


def totals(duties, limit_hours=None):
    """One line for each person, by name; people beyond the limit are marked."""
    minutes = minutes_by_person(duties)
    width = name_width(duties)
    lines = []
    for person in sorted(minutes):
        beyond = limit_hours is not None and minutes[person] > limit_hours * 60
        lines.append(f"{person:<{width}} {as_hours(minutes[person]):>7}{BEYOND if beyond else ''}\n")
    return "".join(lines)


def entries(duties):
    """One line for each duty, as they stand in the sheet."""
    width = name_width(duties)
    return "".join(
        f"{duty.person:<{width}} {duty.start:%Y-%m-%d %H:%M} {as_hours(duty_minutes(duty)):>7}\n" for duty in duties
    )


def name_width(duties):
    return max((len(duty.person) for duty in duties), default=0)
