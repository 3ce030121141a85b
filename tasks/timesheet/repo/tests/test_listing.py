from crewhours import listing
from crewhours.sheet import read_sheet

SHEET = """zone Europe/Oslo
tomas 2021-01-12 14:30 2021-01-12 22:30
bea   2021-01-12 06:00 2021-01-12 14:30
tomas 2021-01-13 14:00 2021-01-13 22:05
"""


def test_totals_come_by_name():
    assert listing.totals(read_sheet(SHEET)) == "bea      8:30\ntomas   16:05\n"


def test_who_is_beyond_the_limit_is_marked():
    assert listing.totals(read_sheet(SHEET), 16) == "bea      8:30\ntomas   16:05 !\n"


def test_entries_come_as_they_stand():
    assert listing.entries(read_sheet(SHEET)) == (
        "tomas 2021-01-12 14:30    8:00\n"
        "bea   2021-01-12 06:00    8:30\n"
        "tomas 2021-01-13 14:00    8:05\n"
    )
