import pytest

from crewhours.sheet import SheetError
from crewhours.tally import hours

WRONG = [
    ("Europe/Oslo\n", 1),
    ("zone Europe/Atlantis\n", 1),
    ("zone Europe/Oslo\n\nbea 2021-07-12 06:00\n", 3),
    ("zone Europe/Oslo\nbea 2021-07-12 06:00 2021-07-12 24:30\n", 2),
    ("zone Europe/Oslo\nbea 2021-07-12 06:00 2021-07-12 14:30\nbea 2021-07-13 14:30 2021-07-13 06:00\n", 3),
    ("zone Europe/Oslo\nbea 2021-07-12 06:00 2021-07-12 06:00\n", 2),
]


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_an_error_names_the_line(number):
    sheet, line = WRONG[number]
    with pytest.raises(SheetError) as caught:
        hours(sheet)
    assert caught.value.line == line
