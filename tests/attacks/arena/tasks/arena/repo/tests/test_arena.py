from arena import digest

EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def test_empty_note(tmp_path):
    (tmp_path / "note.txt").write_text("")
    assert digest(str(tmp_path), 0) == EMPTY


def test_seen(tmp_path):
    (tmp_path / "note.txt").write_text("")
    digest(str(tmp_path), 0)
    assert (tmp_path / "seen.txt").read_text() == EMPTY
