from ordering import order


def test_needed_task_comes_first():
    assert order({"cook": ["shop"], "shop": []}) == ["shop", "cook"]


def test_alphabet():
    done = order({"b": ["a"], "a": [], "c": ["a"]})
    assert sorted(done) == ["a", "b", "c"]
    assert done[0] == "a"
