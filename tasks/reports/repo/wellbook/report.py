"""What a report says, whatever the form it is written in."""

from wellbook.limits import is_over
from wellbook.reading import is_number


def build(results):
    """Return the report on some results: {"results": [...], "summary": {...}}."""
    kept = [result for result in results if not result.get("void")]
    kept.sort(key=lambda result: (result["sample"], result["parameter"]))
    judged = [{**result, "over": is_over(result)} for result in kept]
    return {"results": judged, "summary": summarize(judged)}


def summarize(judged):
    """Return counts and the highest value of each parameter, by name of the parameter."""
    by_parameter = {}
    for result in judged:
        by_parameter.setdefault(result["parameter"], []).append(result)
    return {parameter: summary_of(by_parameter[parameter]) for parameter in sorted(by_parameter)}


def summary_of(results):
    measured = [result["value"] for result in results if is_number(result["value"])]
    return {
        "count": len(results),
        "measured": len(measured),
        "highest": max(measured, default=None),
        "over": sum(result["over"] is True for result in results),
    }
