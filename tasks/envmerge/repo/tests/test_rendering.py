from stackenv.layers import changes
from stackenv.rendering import FORMATS, as_changes

ENVIRONMENT = {"PORT": "8000", "MOTD": "it's\non", "DEBUG": ""}


def test_plain():
    assert FORMATS["plain"]({"PORT": "8000", "DEBUG": ""}) == "DEBUG=\nPORT=8000\n"


def test_json():
    assert FORMATS["json"](ENVIRONMENT) == '{\n  "DEBUG": "",\n  "MOTD": "it\'s\\non",\n  "PORT": "8000"\n}\n'


def test_shell():
    assert FORMATS["shell"](ENVIRONMENT) == "export DEBUG=''\nexport MOTD='it'\\''s\non'\nexport PORT='8000'\n"


def test_changes():
    changed = changes({"A": "1", "B": "2", "C": "3"}, {"A": "1", "B": "", "D": "4"})
    assert as_changes(changed) == "~ B=2 -> \n- C=3\n+ D=4\n"
