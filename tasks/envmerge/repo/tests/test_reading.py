import pytest

from stackenv import EnvFileError, merge

LINES = [
    ("PLAIN=one two", "one two"),
    ("  export PLAIN =  one  ", "one"),
    ("PLAIN=", ""),
    ("PLAIN=one # two", "one"),
    ("PLAIN=one#two", "one#two"),
    ("PLAIN=# nothing", ""),
    ("PLAIN='one # \\n two' # three", "one # \\n two"),
    ('PLAIN="one\\n\\"two\\" \\\\ \\t"', 'one\n"two" \\ \\t'),
    ("PLAIN=it's", "it's"),
    ("PLAIN=a=b", "a=b"),
]

REFUSED = ["1ST=x", "=x", "unset", "A='x", 'A="x', "A='x' y"]


@pytest.mark.parametrize("number", range(len(LINES)))
def test_value(tmp_path, number):
    line, value = LINES[number]
    (tmp_path / "one.env").write_text(f"# a comment\n\n{line}\n")
    assert merge([tmp_path / "one.env"]) == {"PLAIN": value}


@pytest.mark.parametrize("number", range(len(REFUSED)))
def test_refused(tmp_path, number):
    (tmp_path / "one.env").write_text(f"{REFUSED[number]}\n")
    with pytest.raises(EnvFileError):
        merge([tmp_path / "one.env"])


def test_crlf(tmp_path):
    (tmp_path / "one.env").write_bytes(b"PLAIN=one\r\n\r\nQUOTED='two'\r\n")
    assert merge([tmp_path / "one.env"]) == {"PLAIN": "one", "QUOTED": "two"}
