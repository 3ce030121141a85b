from crewhours.tally import as_hours, hours

ZONE = "zone Europe/Oslo\n"


def test_a_day_on_deck():
    assert hours(ZONE + "bea 2021-07-12 06:00 2021-07-12 14:30\n") == {"bea": "8:30"}


def test_a_night_watch():
    assert hours(ZONE + "bea 2021-07-13 22:00 2021-07-14 06:00\n") == {"bea": "8:00"}


def test_everybody_has_a_total():
    sheet = ZONE + (
        "# second week\n"
        "bea   2021-07-12 06:00  2021-07-12 14:30\n"
        "tomas 2021-07-12 14:30  2021-07-12 22:30\n"
        "\n"
        "bea   2021-07-13 22:00  2021-07-14 06:00\n"
        "tomas 2021-07-14 06:00  2021-07-14 06:20\n"
    )
    assert hours(sheet) == {"bea": "16:30", "tomas": "8:20"}


def test_a_duty_of_more_than_a_day():
    assert hours(ZONE + "ines 2021-07-15 06:00 2021-07-16 09:15\n") == {"ines": "27:15"}


def test_a_duty_of_two_days():
    assert hours(ZONE + "ines 2021-07-15 06:00 2021-07-17 06:00\n") == {"ines": "48:00"}


def test_a_long_tow_and_a_short_watch():
    sheet = ZONE + "ines 2021-07-15 18:00 2021-07-18 12:30\nines 2021-07-19 06:00 2021-07-19 10:00\n"
    assert hours(sheet) == {"ines": "70:30"}


def test_an_empty_sheet():
    assert hours(ZONE) == {}


def test_hours_are_written_with_two_digits_of_minutes():
    assert [as_hours(minutes) for minutes in (5, 60, 465, 6180)] == ["0:05", "1:00", "7:45", "103:00"]
