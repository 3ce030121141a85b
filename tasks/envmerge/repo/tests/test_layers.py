import pytest

from stackenv import EnvFileError, merge


@pytest.fixture
def env_file(tmp_path):
    def write(name, text):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_later_file_wins(env_file):
    base = env_file("base.env", "REGION=north\nPORT=8000\n")
    stage = env_file("stage.env", "PORT=8100\n")
    assert merge([base, stage]) == {"REGION": "north", "PORT": "8100"}
    assert merge([stage, base]) == {"REGION": "north", "PORT": "8000"}


def test_later_line_wins(env_file):
    assert merge([env_file("base.env", "PORT=1\nPORT=2\n")]) == {"PORT": "2"}


def test_default_without_a_value(env_file):
    base = env_file("base.env", "REGION=north\n")
    pool = env_file("pool.env", "QUEUE ?= default\n")
    assert merge([base, pool]) == {"REGION": "north", "QUEUE": "default"}


def test_default_leaves_a_value_of_the_same_file(env_file):
    assert merge([env_file("base.env", "WORKERS=8\nWORKERS ?= 2\n")]) == {"WORKERS": "8"}


def test_default_leaves_a_value_of_an_earlier_file(env_file):
    base = env_file("base.env", "WORKERS=8\nREGION=north\n")
    pool = env_file("pool.env", "WORKERS ?= 2\nQUEUE ?= default\n")
    assert merge([base, pool]) == {"WORKERS": "8", "REGION": "north", "QUEUE": "default"}


def test_default_in_the_third_file(env_file):
    base = env_file("base.env", "WORKERS=8\n")
    stage = env_file("stage.env", "REGION=north\n")
    pool = env_file("pool.env", "export WORKERS?=2\n")
    assert merge([base, stage, pool]) == {"WORKERS": "8", "REGION": "north"}


def test_value_replaces_a_default(env_file):
    pool = env_file("pool.env", "WORKERS ?= 2\n")
    local = env_file("local.env", "WORKERS=3\n")
    assert merge([pool, local]) == {"WORKERS": "3"}


def test_unset_takes_a_key_away(env_file):
    base = env_file("base.env", "MOTD=hello\nPORT=8000\n")
    stage = env_file("stage.env", "unset MOTD\nunset NEVER_SET\n")
    assert merge([base, stage]) == {"PORT": "8000"}


def test_overrides_come_last(env_file):
    base = env_file("base.env", "PORT=8000\nDEBUG=1\nQUEUE ?= default\n")
    assert merge([base], {"PORT": "9000", "DEBUG": None, "QUEUE": ""}) == {"PORT": "9000", "QUEUE": ""}


def test_no_files():
    assert merge([]) == {}


def test_missing_file(tmp_path):
    with pytest.raises(FileNotFoundError):
        merge([tmp_path / "nowhere.env"])


def test_unreadable_line(env_file):
    with pytest.raises(EnvFileError):
        merge([env_file("base.env", "PORT=8000\nPORT 9000\n")])
