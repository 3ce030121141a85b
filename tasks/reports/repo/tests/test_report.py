from wellbook.report import build


def result(sample, parameter, value, **more):
    return {"sample": sample, "parameter": parameter, "value": value, **more}


def test_results_are_sorted():
    report = build([result("B", "lead", 1), result("A", "nitrate", 2), result("A", "lead", 3), result("A", "lead", 0)])
    assert [(one["sample"], one["value"]) for one in report["results"]] == [("A", 3), ("A", 0), ("A", 2), ("B", 1)]


def test_void_results_are_left_out():
    report = build([result("A", "lead", 1, void=True), result("A", "lead", 2, void=False)])
    assert report["results"] == [result("A", "lead", 2, void=False, over=None)]


def test_limits():
    report = build(
        [
            result("A", "nitrate", 50, unit="mg/l"),
            result("B", "nitrate", 50.5, unit="mg/l"),
            result("C", "nitrate", "<5", unit="mg/l"),
            result("D", "copper", 2001, unit="µg/l"),
            result("E", "smell", 2, unit="mg/l"),
            result("F", "copper", 2001),
        ]
    )
    assert [one["over"] for one in report["results"]] == [False, True, None, True, None, None]


def test_summary():
    values = [12.5, None, 50.5, "<5"]
    report = build([result("A", "nitrate", value, unit="mg/l") for value in values] + [result("A", "lead", None)])
    assert report["summary"] == {
        "lead": {"count": 1, "measured": 0, "highest": None, "over": 0},
        "nitrate": {"count": 4, "measured": 2, "highest": 50.5, "over": 1},
    }
