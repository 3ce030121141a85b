"""The rules. What they mean is in the README."""

from datetime import timedelta

from snaptrim.periods import LABELS, site_time

SETTLING = timedelta(hours=1)


def plan(snapshots, now, policy):
    """Return {"keep": [names], "prune": [names]}, the newest first."""
    reasons = reasons_to_keep(snapshots, now, policy)
    names = [snapshot.name for snapshot in newest_first(snapshots)]
    return {
        "keep": [name for name in names if name in reasons],
        "prune": [name for name in names if name not in reasons],
    }


def reasons_to_keep(snapshots, now, policy):
    """Return {name: [why it stays]} for every snapshot that stays."""
    reasons = {}
    ordered = newest_first(snapshots)
    for snapshot in ordered[: policy.last]:
        reasons.setdefault(snapshot.name, []).append("last")
    for rule in LABELS:
        for label, snapshot in newest_of_each(ordered, rule, policy):
            reasons.setdefault(snapshot.name, []).append(f"{rule} {label}")
    for snapshot in ordered:
        for reason in exceptions(snapshot, now):
            reasons.setdefault(snapshot.name, []).append(reason)
    return reasons


def newest_first(snapshots):
    return sorted(snapshots, key=lambda snapshot: snapshot.taken, reverse=True)


def newest_of_each(ordered, rule, policy):
    """The newest snapshot of each of the latest periods of a rule, with the period's label."""
    count = getattr(policy, rule)
    newest = {}
    for snapshot in ordered:
        label = LABELS[rule](site_time(snapshot.taken, policy.utc_offset_minutes))
        if label not in newest and len(newest) < count:
            newest[label] = snapshot
    return newest.items()


def exceptions(snapshot, now):
    """Why a snapshot is never pruned, whatever the rules say."""
    if snapshot.held_by is not None:
        yield f"hold {snapshot.held_by}"
    if now - snapshot.taken < SETTLING:
        yield "fresh"
