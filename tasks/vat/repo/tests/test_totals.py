from greenbill.lines import read_lines
from greenbill.totals import totals


def of(*lines):
    return totals(read_lines("\n".join(lines)))


def amounts(net, vat, gross):
    return {"net": net, "vat": vat, "gross": gross}


def test_one_item():
    assert of("item; Lavender; 24; 3.25; 7") == {"7": amounts("78.00", "5.46", "83.46")}


def test_each_rate_has_its_totals():
    assert of("item; Lavender; 24; 3.25; 7", "item; Planting; 2.5; 46; 19", "item; Box; 12; 4.40; 7") == {
        "7": amounts("130.80", "9.16", "139.96"),
        "19": amounts("115.00", "21.85", "136.85"),
    }


def test_amounts_are_in_whole_cents():
    assert of("item; Poppy seed; 85; 0.0841; 7") == {"7": amounts("7.15", "0.50", "7.65")}


def test_without_vat():
    assert of("item; Voucher; 1; 25; 0") == {"0": amounts("25.00", "0.00", "25.00")}


def test_no_lines():
    assert of() == {}


def test_a_credit_is_taken_off():
    assert of("item; Lavender; 24; 3.25; 7", "credit; Lavender, broken; 3; 3.25; 7") == {
        "7": amounts("68.25", "4.78", "73.03")
    }


def test_a_credit_note():
    assert of("credit; Box; 2; 4.40; 7", "credit; Planting; 1.5; 46; 19") == {
        "7": amounts("-8.80", "-0.62", "-9.42"),
        "19": amounts("-69.00", "-13.11", "-82.11"),
    }
