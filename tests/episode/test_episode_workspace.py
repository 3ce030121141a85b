"""What enters the container, and the path log of what happens there."""

import pytest
from episode_cases import DONE, TINY, Case, Episode, sh, tiny
from inspect_ai.agent import react
from inspect_ai.tool import bash

from inspect_agentbench.bank import load_bank
from inspect_agentbench.episode import calling
from inspect_agentbench.integrity.pathlog import read_states

pytestmark = pytest.mark.docker

GIT = "git log --format='%H %an %ad %s' --date=iso-strict; git branch --show-current; git status --porcelain"
FLOOD = "python3 -c \"[open('/etc/hostname').close() for _ in range(5000)]\""


@pytest.fixture(scope="module", autouse=True)
def small_log() -> None:
    """A smaller cap, so that the test of it is short."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(calling, "COMMAND_BYTES", 200_000)
        patch.setattr(calling, "EPISODE_BYTES", 205_000)
        yield


def without_tracing(compose: str) -> str:
    assert "    cap_add: [SYS_PTRACE]" in compose
    return compose.replace("    cap_add: [SYS_PTRACE]", "    cap_drop: [SYS_PTRACE]")


CASES = {
    "untouched": Case([[DONE]]),
    "git": Case([[sh(GIT)], [DONE]]),
    "git_again": Case([[sh(GIT)], [DONE]]),
    "paths": Case(
        [
            [sh("ln -s /etc/hostname 'odd \u2603 \"name'; cat 'odd \u2603 \"name'; cat nowhere; true")],
            [sh("mkdir d; echo x > d/made; mv d/made d/moved; ln d/moved d/hard; rm d/hard")],
            [sh("cd d && cat moved")],
            [sh("(sleep 0.4; cat /etc/debian_version) > /dev/null & setsid sleep 0.1")],
            [sh("sleep 1"), DONE],
        ]
    ),
    "flood": Case([[sh("true")], [sh(FLOOD)], [sh("cat /etc/hostname"), DONE]]),
    "untraced": Case(
        [[sh("id -u; echo $HOME; pwd; grep NoNewPrivs /proc/self/status; exit 5")], [sh("sleep 9")], [DONE]],
        {"command_seconds": 2},
        compose=without_tracing,
    ),
    "other_agent": Case(
        [[("bash", {"command": "ls /home/agent/repo"})], [("submit", {"answer": "done"})]],
        agent=react(tools=[bash()]),
    ),
}


def test_only_tree_and_issue_enter_the_container(episodes: dict[str, Episode]) -> None:
    """Beside the image's own files there are the variant's tree, its git folder and the issue."""
    episode = episodes["untouched"]
    repo = {p.removeprefix("agent/repo/"): c for p, c in episode.files.items() if p.startswith("agent/repo/")}
    tree = {path: content for path, content in repo.items() if not path.startswith(".git/")}
    assert tree == {path: file.content for path, file in tiny().tree().items()}
    assert episode.files["agent/ISSUE.md"] == tiny().issue_text.encode()
    others = {path for path in episode.changes if not path.startswith(("/home/agent/repo", "/usr/sbin"))}
    assert others <= {"/home", "/home/agent", "/home/agent/ISSUE.md", "/usr", "/var/log/agentbench"}


def test_nothing_hidden_enters_the_container(episodes: dict[str, Episode]) -> None:
    """No file holds the canary, the lever or an author's name, git's objects excepted by construction."""
    family = load_bank(TINY).family("tiny")
    secrets = [family.oracle.canary, family.manifest.lever, *family.manifest.lane.authors]
    for path, content in episodes["untouched"].files.items():
        assert not any(secret.encode() in content for secret in secrets), path


def test_the_repository_has_one_fixed_commit(episodes: dict[str, Episode]) -> None:
    """The commit depends on the tree alone, is the only one, and the tree is clean."""
    first = episodes["git"].texts[0].splitlines()
    assert episodes["git_again"].texts[0].splitlines() == first
    assert first[0].endswith("maintainer 2026-01-05T09:00:00Z State at the time of the report")
    assert first[1:] == ["main", "[exit status 0]"]


def test_paths_are_logged_with_what_happened_to_them(episodes: dict[str, Episode]) -> None:
    """Opens (with the real path behind a link), misses, creations, renames, links, removals, programs."""
    episode = episodes["paths"]
    log = read_states(episode.path_logs, episode.record.commands)
    repo = "/home/agent/repo"
    assert (log.state, log.reason) == ("complete", "")
    assert {f'{repo}/odd \u2603 "name', "/etc/hostname", f"{repo}/d/moved"} <= log.opened
    assert f"{repo}/nowhere" in log.missed
    assert f"{repo}/nowhere" not in log.opened
    assert any(path.endswith("d/made") for path in log.created)
    assert any(new.endswith("d/moved") for _, new in log.renamed)
    assert any(new.endswith("d/hard") for _, new in log.linked)
    assert any(path.endswith("d/hard") for path in log.removed)
    assert "/usr/bin/cat" in log.executed
    assert f'{repo}/odd \u2603 "name' in log.reached()
    assert f"{repo}/nowhere" not in log.reached()


def test_background_processes_stay_traced(episodes: dict[str, Episode]) -> None:
    """What a process does after its command has returned is in that command's log."""
    log = episodes["paths"].path_logs["agentbench/0004.log"]
    assert b"/etc/debian_version" in log


def test_a_capped_log_is_incomplete_and_blocks_nothing(episodes: dict[str, Episode]) -> None:
    """Logs are cut at their caps on a line's end, alone and together, and the command runs to its own end."""
    episode = episodes["flood"]
    assert episode.texts[1] == "[exit status 0]"
    assert [name for name in episode.path_logs if name.endswith(".pipe")] == []
    first, flood, last = (episode.path_logs[f"agentbench/000{n}.log"] for n in (1, 2, 3))
    assert flood.endswith(b"\ncapped\n")
    assert 199_000 < len(flood) <= 200_000 + len(b"capped\n")
    assert len(first) + len(flood) + len(last) <= 205_000 + 2 * len(b"capped\n")
    states = read_states(episode.path_logs, episode.record.commands)
    assert states.state == "incomplete"
    assert "command 2 is cut" in states.reason
    assert read_states({"0001.log": first}, 1).state == "complete"


def test_without_tracing_commands_run_plainly(episodes: dict[str, Episode]) -> None:
    """Where tracing is forbidden the commands work all the same, and the record says why there is no log."""
    episode = episodes["untraced"]
    assert episode.texts[0] == "1000\n/home/agent\n/home/agent/repo\nNoNewPrivs:\t1\n[exit status 5]"
    assert episode.texts[1] == "[stopped after 2 seconds, the limit of one command]"
    assert episode.record.path_log == "unavailable"
    assert "not permitted" in episode.record.path_log_reason
    assert not episode.path_logs


def test_other_solvers_find_the_workspace(episodes: dict[str, Episode]) -> None:
    """An agent with tools of its own works on the same container, and no path log is claimed for it."""
    episode = episodes["other_agent"]
    assert "adder.py" in episode.texts[0]
    assert (episode.record.agent, episode.record.path_log) == ("", "unused")
