from rundbrief.letters import as_pages, check, write_letters
from rundbrief.members import read_members

MEMBERS = "# as of May\nfirst: Irmgard\nplot : 12\n\n\nfirst: Sven\nnote:\n"


def test_read_members():
    assert read_members(MEMBERS) == [{"first": "Irmgard", "plot": "12"}, {"first": "Sven", "note": ""}]


def test_write_letters():
    letters = write_letters("Dear $first${plot- (no plot)}", read_members(MEMBERS))
    assert letters == ["Dear Irmgard12", "Dear Sven (no plot)"]
    assert as_pages(letters) == "Dear Irmgard12\fDear Sven (no plot)"


def test_check():
    assert check("$first $plot", read_members(MEMBERS)) == [(2, "there is no entry 'plot'")]
