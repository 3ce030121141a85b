from datetime import datetime, timezone

import pytest

from snaptrim.catalogue import CatalogueError, Snapshot, read_catalogue
from snaptrim.policy import Policy, PolicyError, read_policy

NO_SNAPSHOTS = ["vol1@b 2025-12-04T23:05Z -", "vol1@b\t2025-12-04\t-", "vol1@b\t2025-12-04T23:05Z\t"]
NO_POLICIES = ["[keep]\nmontly = 12\n", "[keep]\nlast = 1.5\n", "[keep]\nlast = -1\n", "[sites]\n", "keep"]


def test_a_catalogue_is_read():
    text = "# vol1\n\nvol1@b\t2025-12-04T23:05Z\t-\nvol1@a\t2025-12-04T11:05Z\taudit-2025\n"
    assert read_catalogue(text) == [
        Snapshot("vol1@b", datetime(2025, 12, 4, 23, 5, tzinfo=timezone.utc), None),
        Snapshot("vol1@a", datetime(2025, 12, 4, 11, 5, tzinfo=timezone.utc), "audit-2025"),
    ]


@pytest.mark.parametrize("number", range(len(NO_SNAPSHOTS)))
def test_a_line_that_is_no_snapshot_is_named(number):
    with pytest.raises(CatalogueError) as caught:
        read_catalogue(f"vol1@a\t2025-12-04T11:05Z\t-\n{NO_SNAPSHOTS[number]}\n")
    assert caught.value.number == 2


def test_a_policy_is_read():
    text = "[keep]\nlast = 3\nmonthly = 12\n[site]\nutc_offset_minutes = -60\n"
    assert read_policy(text) == Policy(last=3, monthly=12, utc_offset_minutes=-60)


@pytest.mark.parametrize("number", range(len(NO_POLICIES)))
def test_a_policy_that_cannot_be_followed_is_refused(number):
    with pytest.raises(PolicyError):
        read_policy(NO_POLICIES[number])
