import pytest

from gaugebook import summarize

NOTHING = {"sensors": {}, "rejected": 0}


def one(name, *values):
    mean = sum(values) / len(values)
    return {name: {"count": len(values), "low": min(values), "high": max(values), "mean": mean}}


def test_readings_are_summed_up_per_gauge():
    text = "12/06:40 weir 14.5\n12/06:40 Moorsee -0.75\n12/06:50 weir 15.5\n"
    assert summarize(text) == {"sensors": one("weir", 14.5, 15.5) | one("Moorsee", -0.75), "rejected": 0}


def test_spaces_and_tabs_separate_fields():
    assert summarize("  12/06:40\t \tweir   14.5\t\n") == {"sensors": one("weir", 14.5), "rejected": 0}


def test_the_last_line_may_lack_its_end():
    assert summarize("12/06:40 weir 14.5\n12/06:50 weir 15") == {"sensors": one("weir", 14.5, 15.0), "rejected": 0}


@pytest.mark.parametrize("text", ["", "\n", " \t\n\n", "# May\n", "  #12/06:40 weir 14.5\n"], ids=range(5))
def test_nothing_to_read(text):
    assert summarize(text) == NOTHING


@pytest.mark.parametrize(
    ("written", "value"),
    [("7", 7.0), ("+7", 7.0), ("-0.25", -0.25), ("1.5e3", 1500.0), ("25E-2", 0.25), ("007.50", 7.5)],
    ids=range(6),
)
def test_values(written, value):
    assert summarize(f"12/06:40 weir {written}\n") == {"sensors": one("weir", value), "rejected": 0}


@pytest.mark.parametrize("written", ["?", "14,5", "nan", "-inf", "1_000", "14.", ".5", "1e", "0x1f"], ids=range(9))
def test_no_values(written):
    assert summarize(f"12/06:40 weir {written}\n") == {"sensors": {}, "rejected": 1}


@pytest.mark.parametrize("line", ["12/06:40 weir", "12/06:40 weir 14.5 cm", "14.5"], ids=range(3))
def test_too_few_or_too_many_fields(line):
    assert summarize(f"{line}\n12/06:50 weir 15.5\n") == {"sensors": one("weir", 15.5), "rejected": 1}


def test_the_same_time_at_another_gauge_is_another_reading():
    text = "12/06:40 weir 14.5\n12/06:40 dam 11.25\n"
    assert summarize(text) == {"sensors": one("weir", 14.5) | one("dam", 11.25), "rejected": 0}


def test_a_reading_sent_twice_counts_once():
    assert summarize("12/06:40 weir 14.5\n" * 2) == {"sensors": one("weir", 14.5), "rejected": 0}


def test_a_correction_replaces_the_reading():
    text = "12/06:40 dam 1125\n12/06:50 dam 11.5\n12/06:40 dam 11.25\n"
    assert summarize(text) == {"sensors": one("dam", 11.25, 11.5), "rejected": 0}


def test_the_last_of_several_corrections_counts():
    text = "12/06:40 dam 1125\n12/06:40 dam 112.5\n12/06:40 weir 14.5\n12/06:40 dam 11.25\n"
    assert summarize(text) == {"sensors": one("dam", 11.25) | one("weir", 14.5), "rejected": 0}


def test_a_rejected_line_corrects_nothing():
    text = "12/06:40 dam 1125\n12/06:40 dam 11.25\n12/06:40 dam ?\n"
    assert summarize(text) == {"sensors": one("dam", 11.25), "rejected": 1}
