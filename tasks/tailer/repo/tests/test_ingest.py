import pytest

from logtail.ingest import ingest


@pytest.fixture
def logs(tmp_path):
    folder = tmp_path / "logs"
    folder.mkdir()
    return folder


@pytest.fixture
def state(tmp_path):
    return tmp_path / "state.json"


def event(file, offset, text):
    return {"file": file, "offset": offset, "text": text}


def test_lines_become_events(logs, state):
    (logs / "gate-1.log").write_bytes(b"06:12:40 INFO gate open\n06:12:44 WARN gate slow\n")
    assert ingest(logs, state) == [
        event("gate-1.log", 0, "06:12:40 INFO gate open"),
        event("gate-1.log", 24, "06:12:44 WARN gate slow"),
    ]


def test_every_event_is_handed_over_once(logs, state):
    log = logs / "gate-1.log"
    log.write_bytes(b"one\ntwo\n")
    assert ingest(logs, state) == [event("gate-1.log", 0, "one"), event("gate-1.log", 4, "two")]
    assert ingest(logs, state) == []
    log.write_bytes(b"one\ntwo\nthree\n")
    assert ingest(logs, state) == [event("gate-1.log", 8, "three")]


def test_files_come_in_name_order_and_others_are_left_alone(logs, state):
    (logs / "pump-3.log").write_bytes(b"pump on\n")
    (logs / "gate-2.log").write_bytes(b"gate open\n")
    (logs / "gate-2.log.old").write_bytes(b"an old one\n")
    (logs / "notes.txt").write_bytes(b"call Marit\n")
    assert ingest(logs, state) == [event("gate-2.log", 0, "gate open"), event("pump-3.log", 0, "pump on")]


def test_an_empty_line_is_an_event(logs, state):
    (logs / "pump-3.log").write_bytes(b"\npump off\n")
    assert ingest(logs, state) == [event("pump-3.log", 0, ""), event("pump-3.log", 1, "pump off")]


def test_a_rotated_file_is_read_from_the_start(logs, state):
    log = logs / "gate-1.log"
    log.write_bytes(b"a long day\nends\n")
    assert ingest(logs, state) == [event("gate-1.log", 0, "a long day"), event("gate-1.log", 11, "ends")]
    log.write_bytes(b"new day\n")
    assert ingest(logs, state) == [event("gate-1.log", 0, "new day")]


def test_a_file_that_comes_back_is_new(logs, state):
    log = logs / "gate-1.log"
    log.write_bytes(b"first\n")
    assert ingest(logs, state) == [event("gate-1.log", 0, "first")]
    log.unlink()
    assert ingest(logs, state) == []
    log.write_bytes(b"first again\n")
    assert ingest(logs, state) == [event("gate-1.log", 0, "first again")]


def test_an_unfinished_line_is_no_event(logs, state):
    (logs / "gate-1.log").write_bytes(b"06:12:40 INFO gate open\n06:12:44 WARN ga")
    assert ingest(logs, state) == [event("gate-1.log", 0, "06:12:40 INFO gate open")]


def test_an_unfinished_line_comes_out_whole_when_it_is_finished(logs, state):
    log = logs / "gate-1.log"
    log.write_bytes(b"gate open\ngate sl")
    assert ingest(logs, state) == [event("gate-1.log", 0, "gate open")]
    log.write_bytes(b"gate open\ngate slow\ngate closed\n")
    assert ingest(logs, state) == [event("gate-1.log", 10, "gate slow"), event("gate-1.log", 20, "gate closed")]


def test_a_file_with_nothing_but_an_unfinished_line(logs, state):
    log = logs / "pump-3.log"
    log.write_bytes(b"pump")
    assert ingest(logs, state) == []
    log.write_bytes(b"pump on")
    assert ingest(logs, state) == []
    log.write_bytes(b"pump on\n")
    assert ingest(logs, state) == [event("pump-3.log", 0, "pump on")]
