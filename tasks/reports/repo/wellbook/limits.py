"""The limits of the drinking water ordinance."""

from wellbook.reading import is_number

# What one litre may hold, in mg.
LIMITS = {
    "nitrate": 50,
    "nitrite": 0.5,
    "lead": 0.01,
    "copper": 2,
    "sulphate": 250,
    "arsenic": 0.01,
    "fluoride": 1.5,
}
PER_MG = {"mg/l": 1, "µg/l": 1000}


def limit_for(parameter, unit):
    """The limit of a parameter in the given unit; None if there is none, or none in that unit."""
    if parameter not in LIMITS or unit not in PER_MG:
        return None
    return LIMITS[parameter] * PER_MG[unit]


def is_over(result):
    """Whether a result is above its limit; None if it is not a number or has no limit."""
    limit = limit_for(result["parameter"], result.get("unit"))
    if limit is None or not is_number(result["value"]):
        return None
    return result["value"] > limit
