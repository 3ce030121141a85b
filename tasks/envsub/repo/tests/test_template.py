import pytest

from rundbrief.template import BadTemplate, MissingEntry, fill, names

IRMGARD = {"first": "Irmgard", "nickname": "Irmi", "plot": "12", "note": "", "fee_2": "$5 {net}"}


@pytest.mark.parametrize(
    ("template", "letter"),
    [
        ("Dear all,\n", "Dear all,\n"),
        ("Dear $first, plot $plot.", "Dear Irmgard, plot 12."),
        ("${plot}a and ${plot}b", "12a and 12b"),
        ("[$note]", "[]"),
        ("$$40 and $$$plot", "$40 and $12"),
        ("$fee_2, all in", "$5 {net}, all in"),
        ("{$plot} {", "{12} {"),
    ],
    ids=range(7),
)
def test_fill(template, letter):
    assert fill(template, IRMGARD) == letter


@pytest.mark.parametrize(
    ("template", "letter"),
    [
        ("${first-neighbour}", "Irmgard"),
        ("${tap-Look after\nyour tap.}", "Look after\nyour tap."),
        ("${note-nothing}", ""),
        ("${note:-nothing}", "nothing"),
        ("${tap:-}!", "!"),
        ("${tap-$first, $$2}, ${note:--}", "Irmgard, $2, -"),
    ],
    ids=range(6),
)
def test_text(template, letter):
    assert fill(template, IRMGARD) == letter


@pytest.mark.parametrize(
    ("template", "letter"),
    [
        ("Dear ${title:-${first}}!", "Dear Irmgard!"),
        ("Dear ${nickname:-${first}}!", "Dear Irmi!"),
        ("${tap-Plot ${plot}, please.} ${first}", "Plot 12, please. Irmgard"),
        ("${note:-${first:-neighbour}}, ${tap:-${title:-none}}", "Irmgard, none"),
    ],
    ids=range(4),
)
def test_text_with_braces(template, letter):
    assert fill(template, IRMGARD) == letter


def test_missing_entry():
    for template in ("$tap", "${tap}", "${note:-$tap}"):
        with pytest.raises(MissingEntry):
            fill(template, IRMGARD)


@pytest.mark.parametrize("template", ["$", "5 $ only", "$5", "${}", "${5}", "${first", "${first+x}", "${tap-x"], ids=range(8))
def test_bad_template(template):
    with pytest.raises(BadTemplate):
        fill(template, IRMGARD)


def test_names():
    assert names("$plot ${first-$nickname}, $plot, ${tap:-}") == ["plot", "first", "nickname", "tap"]
    assert names("no blanks, $$2") == []
