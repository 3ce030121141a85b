from logtail.summary import render, summarize


def events(file, *texts):
    return [{"file": file, "offset": 0, "text": text} for text in texts]


def test_events_are_counted_per_file_and_level():
    seen = events("gate-1.log", "06:12:40 INFO gate open", "06:12:44 WARN gate slow", "06:13:02 INFO gate closed")
    seen += events("pump-3.log", "05:58:13 pressure 2.1 bar", "WARN")
    assert summarize(seen) == {"gate-1.log": {"INFO": 2, "WARN": 1}, "pump-3.log": {"OTHER": 2}}


def test_the_summary_names_the_worst_level_first():
    counts = {"pump-3.log": {"OTHER": 2}, "gate-1.log": {"INFO": 2, "WARN": 1}, "kiosk.log": {"ERROR": 1}}
    assert render(counts) == ["gate-1.log  1 WARN, 2 INFO", "kiosk.log   1 ERROR", "pump-3.log  2 OTHER"]


def test_a_summary_of_nothing_says_so():
    assert render(summarize([])) == ["nothing new"]
