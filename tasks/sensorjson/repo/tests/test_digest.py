from heatwire import digest, heat
from heatwire.display import digest_lines, heat_lines

STATIONS = {
    "S4": {"supply": [71.5, 72.0, 70.0], "return": [44.0, 46.0], "flow": [2.0]},
    "Hafen": {"supply": [69.75]},
}


def test_digest():
    assert digest(STATIONS)["S4"]["supply"] == {"count": 3, "lowest": 70.0, "highest": 72.0, "last": 70.0}


def test_heat_needs_three_channels():
    assert list(heat(STATIONS)) == ["S4"]
    assert abs(heat(STATIONS)["S4"] - 55.824) < 1e-9


def test_digest_lines():
    assert list(digest_lines(digest(STATIONS))) == [
        "Hafen supply: 1 x, 69.75 to 69.75, last 69.75",
        "S4 flow: 1 x, 2 to 2, last 2",
        "S4 return: 2 x, 44 to 46, last 46",
        "S4 supply: 3 x, 70 to 72, last 70",
    ]


def test_heat_lines():
    assert list(heat_lines({"A": 10.0, "C": 55.824, "B": 10.0})) == ["C: 55.8 kW", "A: 10.0 kW", "B: 10.0 kW"]
