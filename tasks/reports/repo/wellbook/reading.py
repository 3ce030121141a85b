"""Reading what the instruments left: one JSON object a line, one object a result."""

import json

SOURCE_SUFFIX = ".jsonl"
NAMED = ("sample", "parameter")


class SourceError(ValueError):
    """A line that is no result; the message names file and line."""


def read_results(source):
    """Return the results in `source`, a file or a directory of files, in the order in which they stand."""
    results = []
    for path in source_files(source):
        results.extend(read_file(path))
    return results


def source_files(source):
    """The files to read: those of a directory by name, or the one that was given."""
    if not source.is_dir():
        return [source]
    files = [path for path in source.iterdir() if path.suffix == SOURCE_SUFFIX and path.is_file()]
    return sorted(files, key=lambda path: path.name)


def read_file(path):
    """Yield the results of one file. Blank lines say nothing."""
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            if line.strip():
                yield parse_result(line, f"{path.name}:{number}")


def parse_result(line, place):
    try:
        result = json.loads(line)
    except ValueError as error:
        raise SourceError(f"{place}: not JSON: {error}") from error
    complaint = complaint_about(result)
    if complaint:
        raise SourceError(f"{place}: {complaint}")
    return result


def complaint_about(result):
    """What keeps a JSON value from being a result; None if nothing does."""
    if not isinstance(result, dict):
        return "not an object"
    for key in NAMED:
        if not isinstance(result.get(key), str) or not result[key]:
            return f"{key!r} is not a name"
    if "value" not in result:
        return "no 'value'"
    if not is_value(result["value"]):
        return "'value' is neither a number nor a text nor null"
    return None


def is_value(value):
    return value is None or isinstance(value, str) or is_number(value)


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)
