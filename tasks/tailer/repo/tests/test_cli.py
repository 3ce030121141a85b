from logtail.cli import main

LINES = b"06:12:40 INFO gate open\n06:40:31 ERROR no answer\n06:40:33 INFO barrier answers\n"


def run(tmp_path, capsys, *options):
    code = main([str(tmp_path / "logs"), "--state", str(tmp_path / "state.json"), *options])
    return code, capsys.readouterr().out


def test_new_events_are_printed_once(tmp_path, capsys):
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "gate-1.log").write_bytes(LINES)
    assert run(tmp_path, capsys, "--level", "WARN") == (0, "gate-1.log:24 06:40:31 ERROR no answer\n")
    assert run(tmp_path, capsys) == (0, "")


def test_the_summary_is_printed(tmp_path, capsys):
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "gate-1.log").write_bytes(LINES)
    assert run(tmp_path, capsys, "--summary") == (0, "gate-1.log  1 ERROR, 2 INFO\n")


def test_a_missing_directory_is_an_error(tmp_path, capsys):
    assert run(tmp_path, capsys) == (2, "")
