import json

import pytest

from heatwire import intake


def report(value, station="S4", channel="supply", **more):
    return json.dumps({"station": station, "channel": channel, "value": value, **more}) + "\n"


def values(day):
    """The values of the one channel that the reports above are of."""
    return day["stations"].get("S4", {}).get("supply", [])


class TestBareValues:
    def test_are_sorted_by_station_and_channel(self):
        text = report(71.5) + report(44.25, channel="return") + report(69.75, station="Hafen") + report(72.0)
        assert intake(text) == {
            "stations": {"S4": {"supply": [71.5, 72.0], "return": [44.25]}, "Hafen": {"supply": [69.75]}},
            "rejected": 0,
        }

    @pytest.mark.parametrize("value", [0, 7, -3.5, 1e3, 6.25e-2])
    def test_become_floats(self, value):
        day = intake(report(value))
        assert values(day) == [value]
        assert all(type(one) is float for one in values(day))

    def test_with_more_keys(self):
        assert values(intake(report(71.5, at="06:00", rssi=-71, gw={"version": 2}))) == [71.5]


class TestQuotedValues:
    @pytest.mark.parametrize("value", ["71.5", "0", "44", "-3.5", "0.0625", "1e3", "2.5E-1"])
    def test_count_like_bare_ones(self, value):
        day = intake(report(value))
        assert values(day) == [float(value)]
        assert all(type(one) is float for one in values(day))
        assert day["rejected"] == 0

    def test_keep_their_place_among_bare_ones(self):
        assert values(intake(report(70.5) + report("71.25") + report(72.0) + report("72.75"))) == [70.5, 71.25, 72.0, 72.75]


class TestRejects:
    @pytest.mark.parametrize("value", ["n/a", "", "71,5", "71.5 C", "-", "1e", "1.2.3", "0x47"])
    def test_strings_without_a_number(self, value):
        assert intake(report(value) + report(71.5)) == {"stations": {"S4": {"supply": [71.5]}}, "rejected": 1}

    @pytest.mark.parametrize("value", [None, [], [71.5], {"value": 71.5}], ids=["null", "empty", "list", "object"])
    def test_other_values(self, value):
        assert intake(report(value)) == {"stations": {}, "rejected": 1}

    @pytest.mark.parametrize(
        "line",
        ["71.5", "[]", "hello", '{"station": "S4", "channel": "sup', '{"station": "S4", "value": 1}', '{"channel": "supply"}'],
        ids=["number", "list", "text", "cut", "no-channel", "no-station"],
    )
    def test_lines_that_are_no_report(self, line):
        assert intake(line + "\n" + report(71.5)) == {"stations": {"S4": {"supply": [71.5]}}, "rejected": 1}


def test_empty_lines_are_left_out():
    assert intake("\n" + report(71.5) + "\n\n") == {"stations": {"S4": {"supply": [71.5]}}, "rejected": 0}
    assert intake("") == {"stations": {}, "rejected": 0}
