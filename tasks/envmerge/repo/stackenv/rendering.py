"""Environments as text."""

import json


def as_plain(environment):
    """One KEY=VALUE a line, for people; values as they are."""
    return "".join(f"{key}={environment[key]}\n" for key in sorted(environment))


def as_json(environment):
    """A JSON object, keys sorted."""
    return json.dumps(environment, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def as_shell(environment):
    """Lines that a POSIX shell can source."""
    return "".join(f"export {key}={shell_quoted(environment[key])}\n" for key in sorted(environment))


def shell_quoted(value):
    return "'" + value.replace("'", "'\\''") + "'"


def as_changes(changed):
    """`+`, `-` and `~` lines for keys that came, went and changed."""
    return "".join(change_line(*change) for change in changed)


def change_line(key, old, new):
    if old is None:
        return f"+ {key}={new}\n"
    if new is None:
        return f"- {key}={old}\n"
    return f"~ {key}={old} -> {new}\n"


FORMATS = {"plain": as_plain, "json": as_json, "shell": as_shell}
