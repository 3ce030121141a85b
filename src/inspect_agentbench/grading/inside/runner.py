"""Runs the visible suite by pytest, in a child of the room's worker.

The report can be forged by the code that the tests import, so it never stands alone: the fixed
cases that mirror the tests decide with it, and a control test that must fail runs among them.
"""


class Recorder:
    """Collects one outcome for each test."""

    def __init__(self, root):
        self.root = root
        self.outcomes = {}

    def pytest_runtest_logreport(self, report):
        passed = report.passed and not hasattr(report, "wasxfail")
        if report.when == "call" or not passed:
            self.outcomes[report.nodeid] = "passed" if passed else report.outcome

    def pytest_collectreport(self, report):
        if report.failed:
            self.outcomes[report.nodeid or "."] = "error"


def run(tree, visible):
    """{"exit": pytest's exit code, "outcomes": {test id: outcome}}."""
    import pytest

    recorder = Recorder(tree)
    arguments = ["-q", "--rootdir", tree, "-c", "/dev/null", "--assert=plain", "--import-mode=prepend"]
    for plugin in ("cacheprovider", "junitxml", "doctest", "faulthandler", "pastebin", "stepwise"):
        arguments += ["-p", f"no:{plugin}"]
    code = pytest.main([*arguments, *visible["paths"]], plugins=[recorder])
    return {"exit": int(code), "outcomes": recorder.outcomes}
