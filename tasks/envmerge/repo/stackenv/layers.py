"""Several environment files, one upon the other."""

from .reading import DEFAULT, UNSET, read_entries


def merge(paths, overrides=None):
    """Return what a service sees of the files at `paths`, read in this order, and of the overrides.

    `overrides` maps keys to strings, or to None for keys that are to be taken away.
    """
    merged = {}
    for path in paths:
        known = set()
        for entry in read_entries(path):
            apply_entry(merged, known, entry)
    apply_overrides(merged, overrides or {})
    return merged


def apply_entry(merged, known, entry):
    """Let one line take effect; `known` holds the keys that have a value."""
    if entry.action == UNSET:
        merged.pop(entry.key, None)
        known.discard(entry.key)
        return
    if entry.action == DEFAULT and entry.key in known:
        return
    merged[entry.key] = entry.value
    known.add(entry.key)


def apply_overrides(merged, overrides):
    """Let the overrides take effect, after all files."""
    for key, value in overrides.items():
        if value is None:
            merged.pop(key, None)
        else:
            merged[key] = value


def changes(before, after):
    """Return (key, old value, new value) of every key that differs, by key; None stands for no value."""
    keys = sorted(before.keys() | after.keys())
    return [(key, before.get(key), after.get(key)) for key in keys if before.get(key) != after.get(key)]
