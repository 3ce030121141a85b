from datetime import datetime, timezone

from snaptrim.catalogue import Snapshot
from snaptrim.planning import plan
from snaptrim.policy import Policy

NOW = datetime(2026, 6, 30, 12, 0, tzinfo=timezone.utc)


def taken(*moments, held_by=None):
    """Snapshots that are named after their moments."""
    return [
        Snapshot(text, datetime.fromisoformat(text).replace(tzinfo=timezone.utc), held_by) for text in moments
    ]


def kept(snapshots, now=NOW, **policy):
    planned = plan(snapshots, now, Policy(**policy))
    assert sorted(planned["keep"] + planned["prune"]) == sorted(snapshot.name for snapshot in snapshots)
    return planned["keep"]


def test_every_name_is_in_one_list_newest_first():
    snapshots = taken("2026-06-02T08:00", "2026-06-01T08:00", "2026-06-03T08:00", "2026-06-04T08:00")
    assert plan(snapshots, NOW, Policy(last=2)) == {
        "keep": ["2026-06-04T08:00", "2026-06-03T08:00"],
        "prune": ["2026-06-02T08:00", "2026-06-01T08:00"],
    }


def test_an_empty_policy_keeps_nothing():
    assert kept(taken("2026-06-02T08:00", "2026-06-01T08:00")) == []


def test_days_without_snapshots_are_not_counted():
    snapshots = taken("2026-06-05T20:00", "2026-06-05T08:00", "2026-06-01T20:00", "2026-06-01T08:00", "2026-05-31T08:00")
    assert kept(snapshots, daily=2) == ["2026-06-05T20:00", "2026-06-01T20:00"]


def test_what_any_rule_keeps_is_kept():
    snapshots = taken("2026-06-05T20:00", "2026-06-05T08:00", "2026-06-04T08:00", "2026-05-20T08:00", "2026-05-19T08:00")
    assert kept(snapshots, last=2, weekly=2, monthly=1) == ["2026-06-05T20:00", "2026-06-05T08:00", "2026-05-20T08:00"]


def test_a_fresh_snapshot_stays():
    snapshots = taken("2026-06-30T11:30", "2026-06-30T11:10", "2026-06-30T11:00", "2026-06-30T10:00")
    assert kept(snapshots, last=1) == ["2026-06-30T11:30", "2026-06-30T11:10"]


def test_a_snapshot_on_hold_stays():
    held = taken("2026-03-01T08:00", held_by="audit-2025")
    snapshots = taken("2026-06-05T08:00", "2026-06-04T08:00", "2026-06-03T08:00") + held
    assert kept(snapshots, last=1, daily=2) == ["2026-06-05T08:00", "2026-06-04T08:00", "2026-03-01T08:00"]


def test_a_day_ahead_of_utc_begins_earlier():
    snapshots = taken("2026-06-05T21:30", "2026-06-05T20:30", "2026-06-05T08:00", "2026-06-04T20:30")
    assert kept(snapshots, daily=2, utc_offset_minutes=180) == ["2026-06-05T21:30", "2026-06-05T20:30"]


def test_a_day_behind_utc_begins_later():
    snapshots = taken("2026-06-05T03:30", "2026-06-05T02:30", "2026-06-04T08:00", "2026-06-04T02:30")
    assert kept(snapshots, daily=2, utc_offset_minutes=-180) == ["2026-06-05T03:30", "2026-06-05T02:30"]


def test_a_week_over_new_year_is_one_week():
    snapshots = taken("2026-01-08T08:00", "2026-01-02T08:00", "2025-12-30T08:00", "2025-12-23T08:00", "2025-12-16T08:00")
    assert kept(snapshots, weekly=3) == ["2026-01-08T08:00", "2026-01-02T08:00", "2025-12-23T08:00"]


def test_the_same_month_of_two_years_is_two_months():
    snapshots = taken("2026-03-28T08:00", "2026-02-11T08:00", "2025-03-19T08:00", "2025-03-02T08:00")
    assert kept(snapshots, monthly=12) == ["2026-03-28T08:00", "2026-02-11T08:00", "2025-03-19T08:00"]
