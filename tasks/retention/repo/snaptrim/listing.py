"""What is printed: plain names for the night job, an explanation for people."""

from snaptrim.planning import newest_first, plan, reasons_to_keep


def names_to_prune(snapshots, now, policy):
    """The names that may go, the oldest first, one a line: `destroy` wants them so."""
    return "".join(f"{name}\n" for name in reversed(plan(snapshots, now, policy)["prune"]))


def explanation(snapshots, now, policy):
    """One line for each snapshot, the newest first, and a count at the end."""
    reasons = reasons_to_keep(snapshots, now, policy)
    width = max((len(snapshot.name) for snapshot in snapshots), default=0)
    lines = []
    for snapshot in newest_first(snapshots):
        why = ", ".join(reasons.get(snapshot.name, []))
        verdict = f"keep   {why}" if why else "prune"
        lines.append(f"{snapshot.name:<{width}}  {snapshot.taken:%Y-%m-%d %H:%M}  {verdict}\n")
    return "".join(lines) + f"{len(reasons)} of {len(snapshots)} stay\n"
