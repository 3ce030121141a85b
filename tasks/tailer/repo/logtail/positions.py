"""The state file: how far its reader has got in each log.

    {"version": 2, "positions": {"gate-1.log": 1024}}

Version 1 was the shared file of the days before 0.5 and is not read any more.
"""

import json
import os
from pathlib import Path

VERSION = 2


class StateError(Exception):
    """The state file is there but cannot be used."""


def load_positions(state_file):
    """Return the remembered position of each file name; nothing without a state file."""
    try:
        raw = Path(state_file).read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}
    try:
        state = json.loads(raw)
    except ValueError as error:
        raise StateError(f"{state_file}: not a state file ({error}); remove it to read everything anew") from error
    return _checked(state, state_file)


def _checked(state, state_file):
    if not isinstance(state, dict) or state.get("version") != VERSION:
        raise StateError(f"{state_file}: not a state file of version {VERSION}; remove it to read everything anew")
    return dict(state["positions"])


def save_positions(state_file, positions):
    """Replace the state file in one go."""
    target = Path(state_file)
    fresh = target.with_name(target.name + ".new")
    state = {"version": VERSION, "positions": positions}
    fresh.write_text(json.dumps(state, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    os.replace(fresh, target)
