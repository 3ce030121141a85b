"""Runs the visible suite by pytest, in a child of the room's worker.

The report can be forged by the code that the tests import, so it never stands alone: the fixed
cases that mirror the tests decide with it, and a control test that must fail runs among them.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

_PLUGINS_OFF = ("cacheprovider", "junitxml", "doctest", "faulthandler", "pastebin", "stepwise")


class Recorder:
    """Collects one outcome for each test."""

    def __init__(self) -> None:
        self.outcomes: dict[str, str] = {}

    def pytest_runtest_logreport(self, report: Any) -> None:
        """A test has passed only if its call has, and nothing around it failed."""
        passed = report.passed and not hasattr(report, "wasxfail")
        if report.when == "call" or not passed:
            self.outcomes[report.nodeid] = "passed" if passed else report.outcome

    def pytest_collectreport(self, report: Any) -> None:
        """A file that cannot be collected is an error under its own name."""
        if report.failed:
            self.outcomes[report.nodeid or "."] = "error"


def run(tree: str, paths: Iterable[str]) -> dict[str, Any]:
    """{"exit": pytest's exit code, "outcomes": {test id: outcome}}."""
    import pytest

    recorder = Recorder()
    arguments = ["-q", "--rootdir", tree, "-c", "/dev/null", "--assert=plain", "--import-mode=prepend"]
    for plugin in _PLUGINS_OFF:
        arguments += ["-p", f"no:{plugin}"]
    code = pytest.main([*arguments, *paths], plugins=[recorder])
    return {"exit": int(code), "outcomes": recorder.outcomes}
