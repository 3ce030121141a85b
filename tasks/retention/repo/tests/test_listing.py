from datetime import datetime, timezone

from snaptrim.catalogue import Snapshot
from snaptrim.listing import explanation, names_to_prune
from snaptrim.policy import Policy

NOW = datetime(2026, 6, 30, 12, 0, tzinfo=timezone.utc)
SNAPSHOTS = [
    Snapshot("vol2@new", datetime(2026, 6, 30, 11, 5, tzinfo=timezone.utc)),
    Snapshot("vol2@noon", datetime(2026, 6, 29, 11, 5, tzinfo=timezone.utc)),
    Snapshot("vol2@morning", datetime(2026, 6, 29, 6, 5, tzinfo=timezone.utc)),
    Snapshot("vol2@old", datetime(2026, 5, 1, 6, 5, tzinfo=timezone.utc)),
    Snapshot("vol2@older", datetime(2026, 4, 1, 6, 5, tzinfo=timezone.utc), "case-77"),
]


def test_what_may_go_is_listed_oldest_first():
    assert names_to_prune(SNAPSHOTS, NOW, Policy(daily=2)) == "vol2@old\nvol2@morning\n"


def test_the_explanation_says_why():
    assert explanation(SNAPSHOTS, NOW, Policy(last=1, daily=2)) == (
        "vol2@new      2026-06-30 11:05  keep   last, daily 2026-06-30, fresh\n"
        "vol2@noon     2026-06-29 11:05  keep   daily 2026-06-29\n"
        "vol2@morning  2026-06-29 06:05  prune\n"
        "vol2@old      2026-05-01 06:05  prune\n"
        "vol2@older    2026-04-01 06:05  keep   hold case-77\n"
        "3 of 5 stay\n"
    )


def test_there_is_nothing_to_explain():
    assert explanation([], NOW, Policy(last=1)) == "0 of 0 stay\n"
