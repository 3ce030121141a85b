from sizes.totals import summarize


def test_nothing():
    assert summarize([]) == {"bytes": 0, "rejected": 0}


def test_kilobytes():
    assert summarize(["2 kB", "7B"]) == {"bytes": 2007, "rejected": 0}


def test_megabytes():
    assert summarize(["1 MB"]) == {"bytes": 1000000, "rejected": 0}


def test_no_size():
    assert summarize(["kB", "7 B"]) == {"bytes": 7, "rejected": 1}
