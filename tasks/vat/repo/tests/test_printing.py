from greenbill.lines import read_lines
from greenbill.printing import booking_rows, invoice

LINES = """\
item; Lavender, 1 l pot; 24; 3.25; 7
item; Planting; 2.5; 46; 19
"""
BROKEN = "credit; Lavender, broken; 3; 3.25; 7\n"


def test_an_invoice_on_paper():
    assert invoice(read_lines(LINES)) == (
        "                             quantity    price       net       VAT\n"
        "------------------------------------------------------------------\n"
        "Lavender, 1 l pot                  24     3.25     78.00      5.46\n"
        "Planting                          2.5       46    115.00     21.85\n"
        "------------------------------------------------------------------\n"
        "at 7 %: 83.46                                      78.00      5.46\n"
        "at 19 %: 136.85                                   115.00     21.85\n"
    )


def test_a_credit_line_on_paper():
    printed = invoice(read_lines(LINES + BROKEN)).split("\n")
    assert printed[4] == "Lavender, broken                    3     3.25     -9.75     -0.68"
    assert printed[6] == "at 7 %: 73.03                                      68.25      4.78"


def test_rows_for_the_bookkeeping():
    assert booking_rows(read_lines(LINES), "1041") == "1041;7;78.00;5.46;83.46\n1041;19;115.00;21.85;136.85\n"
