"""Reading what is new in the logs. The README says what an event is."""

from pathlib import Path

from logtail.positions import load_positions, save_positions

LOG_SUFFIX = ".log"


def ingest(directory, state_file):
    """Return the events that the reader of `state_file` has not had yet."""
    known = load_positions(state_file)
    events = []
    positions = {}  # starts empty, so that a file which is gone is forgotten
    for path in log_files(directory):
        start = resume_at(path, known.get(path.name, 0))
        found, positions[path.name] = read_events(path, start)
        events.extend(found)
    save_positions(state_file, positions)
    return events


def log_files(directory):
    """The logs directly in `directory`, in the order of their names."""
    logs = [p for p in Path(directory).iterdir() if p.name.endswith(LOG_SUFFIX) and p.is_file()]
    return sorted(logs, key=lambda p: p.name)


def resume_at(path, position):
    """Where to go on reading: at `position`, or at the start if the file was rotated."""
    if path.stat().st_size < position:
        return 0
    return position


def read_events(path, start):
    """Return the events of `path` from `start` on, and the position that was reached."""
    events = []
    position = start
    with path.open(encoding="utf-8", errors="replace") as log:
        log.seek(start)
        for line in log:
            events.append(make_event(path, position, line.removesuffix("\n")))
            position += len(line)
    return events, position


def make_event(path, offset, text):
    return {"file": path.name, "offset": offset, "text": text}
