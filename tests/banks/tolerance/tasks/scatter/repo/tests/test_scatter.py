from scatter import summary


def test_sample():
    assert summary([1.0, 3.0, 5.0]) == {"count": 3, "mean": 3.0, "variance": 4.0}


def test_single_value():
    assert summary([7.0]) == {"count": 1, "mean": 7.0, "variance": 0.0}
