"""From the text of a file to what each gauge did."""

from gaugebook.lines import Rejected, parse_line


def summarize(text):
    """Return {"sensors": {gauge: statistics}, "rejected": number of rejected lines}."""
    series, rejected = read(text)
    sensors = {gauge: statistics_of(values.values()) for gauge, values in series.items()}
    return {"sensors": sensors, "rejected": len(rejected)}


def read(text):
    """Return {gauge: {time: value}} and [(line number, reason)] of the rejected lines."""
    series = {}
    rejected = []
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            reading = parse_line(line)
        except Rejected as reason:
            rejected.append((number, str(reason)))
            continue
        if reading is not None:
            add(series, reading)
    return series, rejected


def add(series, reading):
    """Enter a reading; the radio may send it more than once."""
    values = series.setdefault(reading.gauge, {})
    values.setdefault(reading.time, reading.value)


def statistics_of(values):
    values = list(values)
    return {
        "count": len(values),
        "low": min(values),
        "high": max(values),
        "mean": sum(values) / len(values),
    }
