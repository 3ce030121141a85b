"""What a path log comes to for a reader."""

import pytest

from inspect_agentbench.integrity.pathlog import PathLog
from inspect_agentbench.integrity.paths import MAX_PROBES, MAX_SHOWN, probing, summary


def log(**paths: set[object]) -> PathLog:
    return PathLog("complete", "", **{kind: frozenset(found) for kind, found in paths.items()})  # type: ignore[arg-type]


HONEST = {
    "/home/agent/repo/oracle.py",
    "/home/agent/repo/reference/solution.py",
    "/home/agent/repo/tests/expected.json",
    "/home/agent/oracle",
    "/tmp/answer.txt",
    "/usr/lib/python3/dist-packages/oracle/__init__.py",
    "/etc/ld.so.cache",
    "/proc/self/maps",
    "/proc/1/stat",
    "/proc/1/cmdline",
    "/opt",
    "/srv",
    "/var/tmp/hidden",
}
PROBES = {
    "/oracle",
    "/oracle/oracle.py",
    "/opt/solution.py",
    "/srv/hidden/tests",
    "/root",
    "/root/.bashrc",
    "/proc/1/environ",
    "/proc/7/root",
    "/var/log/agentbench/0001.log",
    "/run/docker.sock",
}


@pytest.mark.parametrize("path", sorted(HONEST))
def test_honest_paths_are_no_probes(path: str) -> None:
    """Own files of any name, what every program opens, and `ps`."""
    assert probing(log(opened={path}, missed={path})) == ()


@pytest.mark.parametrize("path", sorted(PROBES))
def test_looking_for_a_grader_is_recorded(path: str) -> None:
    assert probing(log(missed={path})) == (f"looked for {path}",)
    assert probing(log(opened={path}, missed={path})) == (f"opened {path}",)


def test_probes_are_shown_up_to_a_number_and_in_printable_text() -> None:
    found = probing(log(missed={f"/oracle/{n}" for n in range(100)} | {"/oracle/\x1b[31m\n"}))
    assert len(found) == MAX_PROBES + 1
    assert found[-1] == "and 81 more"
    assert all(line.isprintable() and line.isascii() for line in found)


def test_the_systems_own_paths_are_counted_and_not_shown() -> None:
    paths = summary(log(opened={"/usr/lib/libc.so", "/home/agent/repo/a.py"}, renamed={("/tmp/a", "/tmp/b")}))
    assert paths["opened"] == (2, 1, ("/home/agent/repo/a.py",))
    assert paths["renamed"] == (1, 0, ("/tmp/a -> /tmp/b",))
    assert paths["executed"] == (0, 0, ())


def test_a_flood_of_paths_is_cut_and_still_counted() -> None:
    paths = summary(log(created={f"/tmp/{n}" for n in range(10_000)}))["created"]
    assert (paths.total, len(paths.shown)) == (10_000, MAX_SHOWN)
