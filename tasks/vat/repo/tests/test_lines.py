import pytest

from greenbill.lines import Line, LineError, read_lines

NO_POSITIONS = [
    "item; Lavender; 24; 3.25",
    "gift; Lavender; 24; 3.25; 7",
    "item; Lavender; -24; 3.25; 7",
    "item; Lavender; 24; 3,25; 7",
    "item; Lavender; 24; 3.25; 7 %",
]


def test_positions_are_read():
    text = "# 1041\n\nitem   ; Lavender, 1 l pot ; 24 ; 3.25 ; 7\ncredit;Box;2;4.40;7\n"
    assert read_lines(text) == [
        Line("item", "Lavender, 1 l pot", "24", "3.25", "7"),
        Line("credit", "Box", "2", "4.40", "7"),
    ]


@pytest.mark.parametrize("case", range(len(NO_POSITIONS)))
def test_a_line_that_is_no_position_is_named(case):
    with pytest.raises(LineError) as caught:
        read_lines(f"# 1041\nitem; Box; 2; 4.40; 7\n{NO_POSITIONS[case]}\n")
    assert caught.value.number == 3
