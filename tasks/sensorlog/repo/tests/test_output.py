from gaugebook.__main__ import main
from gaugebook.alarms import Limits, alarms
from gaugebook.tables import as_table

SUMMARY = {
    "sensors": {
        "weir": {"count": 2, "low": 14.5, "high": 15.5, "mean": 15.0},
        "Moorsee": {"count": 12, "low": -0.75, "high": 4.0, "mean": 1.25},
    },
    "rejected": 1,
}


def test_table():
    assert as_table(SUMMARY) == [
        "gauge    count    low  high  mean",
        "Moorsee     12  -0.75     4  1.25",
        "weir         2   14.5  15.5    15",
        "1 line rejected",
    ]


def test_alarms():
    limits = {"weir": Limits(9.0, 15.0), "Moorsee": Limits(low=0.0), "dam": Limits(high=1.0)}
    assert alarms(SUMMARY, limits) == ["Moorsee: -0.75 is below 0", "weir: 15.5 is above 15"]


def test_check_says_which_lines_are_rejected(tmp_path, capsys):
    log = tmp_path / "log.txt"
    log.write_bytes(b"# May\n12/06:40 dam\n12/06:40 weir 14.5\n12/06:50 weir ?\n")
    assert main(["check", str(log)]) == 0
    assert capsys.readouterr().out == "line 2: 2 fields instead of 3\nline 4: '?' is not a value\n"
