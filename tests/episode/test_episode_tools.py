"""The tools, in a real container: what agents may send, what they see, and what they cannot reach."""

import re

import pytest
from episode_cases import DONE, Call, Case, Episode, sh

from inspect_agentbench.episode import ENVIRONMENT, exit_status
from inspect_agentbench.integrity.pathlog import read_states

pytestmark = pytest.mark.docker

REFUSED: list[tuple[Call, str]] = [
    (sh("echo a\0b"), "NUL"),
    (sh("echo \ud800"), "surrogate"),
    (("read_file", {"path": "\udc80"}), "surrogate"),
    (("bash", {}), "required"),
    (("bash", {"command": 3}), "not of type"),
    (("bash", {"command": ["ls"]}), "not of type"),
    (("bash", {"command": "ls", "user": "root"}), "unexpected"),
    (("bash", {"command": {"a": "x" * 50_000}}), "not of type"),
    (sh("x" * 200_000), "at most"),
    (("run", {}), "not found"),
    (("read_file", {"path": "adder.py", "first_line": 10**30}), "has only"),
    (("read_file", {"path": "adder.py", "first_line": float("nan")}), "not of type"),
    (("read_file", {"path": ""}), "directory"),
    (("read_file", {"path": "."}), "directory"),
    (("read_file", {"path": "/dev/zero"}), "no regular file"),
    (("read_file", {"path": "/root/x"}), "Permission denied"),
    (("read_file", {"path": "/var/log/agentbench/0001.log"}), "Permission denied"),
    (("read_file", {"path": "x" * 300}), "too long"),
    (("write_file", {"path": "/etc/passwd", "content": ""}), "Permission denied"),
    (("write_file", {"path": "adder.py/x", "content": ""}), "exists"),
    (("write_file", {"path": "x" * 5_000, "content": ""}), "at most"),
    (("str_replace", {"path": "adder.py", "old": "", "new": "x"}), "empty"),
    (("str_replace", {"path": "adder.py", "old": "raw", "new": "x"}), "more than once"),
    (("str_replace", {"path": "adder.py", "old": "no such text", "new": "x"}), "not found"),
    (("list_files", {"path": "nowhere"}), "No such file"),
    (("list_files", {"path": "adder.py"}), "not a folder"),
    (("submit", {"status": "finished"}), "not one of"),
    (("submit", {"status": "blocked"}), "needs a reason"),
    (("submit", {}), "required"),
]

PLANT = """
packages=~/.local/lib/python3.13/site-packages
mkdir -p $packages bin
echo 'open("/tmp/planted", "w")' | tee $packages/usercustomize.py > json.py
echo 'touch /tmp/planted' | tee ~/.bashrc ~/.profile > ~/.bash_profile
printf '#!/bin/sh\\ntouch /tmp/planted\\n' | tee bin/strace > bin/git
chmod +x bin/*
"""

MANY = """
mkdir many long
cd many && seq 1001 1600 | xargs touch
cd ../long && seq -f "%0200.0f" 1 100 | xargs touch
"""

CASES = {
    "refused": Case([*[[call] for call, _ in REFUSED], [DONE]], {"turns": 100}),
    "files": Case(
        [
            [("write_file", {"path": "new/a.txt", "content": "één\r\ntwo\nthree"})],
            [("str_replace", {"path": "new/a.txt", "old": "één\r\n", "new": "1\r\n"})],
            [("read_file", {"path": "/home/agent/repo/new/a.txt", "first_line": 2, "last_line": 2})],
            [("list_files", {})],
            [sh("python3 -c \"print(('y' * 99 + chr(10)) * 300)\"")],
            [sh("seq 1 5000 > long.txt"), ("read_file", {"path": "long.txt"})],
            [sh("mkfifo pipe; ln -s pipe link; truncate -s 1G big"), ("read_file", {"path": "link"})],
            [("read_file", {"path": "big"}), ("write_file", {"path": "pipe", "content": "x"})],
            [sh(MANY), ("list_files", {"path": "many"}), ("list_files", {"path": "long"})],
            [DONE],
        ]
    ),
    "commands": Case(
        [
            [sh("id; env; pwd; umask; cat /proc/self/status; ls -x /proc/self/fd")],
            [sh("echo out; echo err >&2; exit 3")],
            [sh("kill -9 $$")],
            [sh("printf '\\377\\0ok'")],
            [sh("echo before; timeout 60 sleep 60; echo after")],
            [sh("(sleep 0.5; echo late > late) & echo started")],
            [sh("sleep 0.7; cat late")],
            [sh("yes >/dev/null & yes | head -c 20000000")],
            [sh("cat; echo read-to-end")],
            [sh("sleep 300 & sleep 300"), sh("pgrep -c sleep")],
            [DONE, sh("touch after-submit")],
        ],
        {"command_seconds": 2},
    ),
    "gone": Case(
        [
            [sh("cd /; rm -rf /home/agent/repo"), sh("pwd"), ("list_files", {})],
            [("write_file", {"path": "adder.py", "content": "x = 1\n"}), sh("pwd; cat adder.py"), DONE],
        ]
    ),
    "hostile": Case(
        [
            [sh(PLANT)],
            [("list_files", {}), ("read_file", {"path": "json.py"}), sh("true"), sh("ls /tmp")],
            [
                sh("pkill -9 strace; pkill -9 python3; kill -9 1; kill -9 -1"),
                sh("cat /var/log/agentbench/*; ls /root"),
            ],
            [sh("su -c id root </dev/null; strace -p 1; unshare -r id; mount -t tmpfs x /mnt; chown 0 *")],
            [sh("bomb() { bomb | bomb; }; bomb"), sh("echo alive")],
            [sh("python3 -c 'x = bytearray(1 << 34)'; tail /dev/zero"), sh("echo alive")],
            [DONE],
        ],
        {"command_seconds": 4},
    ),
    "scarce": Case(
        [[sh("sleep 60 &"), sh("sleep 60 & sleep 60 &"), sh("echo alive")] * 6, [DONE]],
        {"command_seconds": 20},
        compose=lambda text: text.replace("pids_limit: 256", "pids_limit: 30"),
    ),
    "bomb": Case(
        [
            [sh("bomb() { bomb | bomb & }; bomb; sleep 1")],
            [sh("echo alive"), ("list_files", {}), sh("echo alive"), DONE],
        ],
        {"command_seconds": 20},
    ),
}


@pytest.mark.parametrize("number", range(len(REFUSED)), ids=lambda n: f"{REFUSED[n][0][0]}-{n}")
def test_odd_arguments_get_an_error_message(episodes: dict[str, Episode], number: int) -> None:
    """Whatever arguments a model sends, it is told what is wrong, and the sample goes on."""
    error = episodes["refused"].results[number].error
    assert error is not None
    assert REFUSED[number][1] in error.message
    assert len(error.message) < 3_000


def test_odd_arguments_do_not_fail_the_sample(episodes: dict[str, Episode]) -> None:
    """After all odd calls the episode ends with its claim, and refused calls are counted apart."""
    episode = episodes["refused"]
    parsing = sum(m.error is not None and m.error.type == "parsing" for m in episode.results)
    assert episode.sample.error is None
    assert episode.record.claim == "done"
    assert episode.record.unparsable_calls == parsing
    assert episode.record.tool_calls + parsing == len(REFUSED) + 1


def test_file_tools_keep_bytes(episodes: dict[str, Episode]) -> None:
    """Line ends and accents survive writing and editing, and reading returns the lines asked for."""
    episode = episodes["files"]
    assert episode.files["agent/repo/new/a.txt"] == b"1\r\ntwo\nthree"
    assert episode.texts[2] == "two\n"
    assert episode.texts[3].splitlines() == [
        "README.md",
        "adder.py",
        "pyproject.toml",
        "new/a.txt",
        "tests/test_adder.py",
    ]


def test_long_results_are_cut_in_the_middle_or_at_a_line(episodes: dict[str, Episode]) -> None:
    """A long output shows head and tail and says how much is missing; a long file says how to go on."""
    episode = episodes["files"]
    shown = episode.texts[4]
    cut = re.search(r"\[\.\.\. (\d+) bytes cut here \.\.\.\]", shown)
    assert cut is not None
    assert 10_000 <= len(shown) < 10_200
    assert int(cut.group(1)) + shown.count("y") + shown[: cut.start()].count("\n") > 29_000
    assert "go on with first_line=" in episode.texts[6]
    assert episode.texts[-3].splitlines()[-2:] == ["1500", "[only the first 500 files]"]
    assert episode.texts[-2].endswith("[only the first 49 files]")
    assert episode.record.outputs_cut == 4


def test_special_and_huge_files_do_not_block(episodes: dict[str, Episode]) -> None:
    """A pipe behind a link, and a sparse gigabyte, are refused at once."""
    errors = [m.error.message for m in episodes["files"].results if m.error]
    assert ["no regular file" in errors[0], "larger than" in errors[1], "pipe" in errors[2]] == [True] * 3
    assert episodes["files"].record.agent_seconds < 20


def test_commands_run_as_the_agent_with_a_stated_environment(episodes: dict[str, Episode]) -> None:
    """User, environment, folder, privileges and descriptors are fixed, and nothing is inherited."""
    text = episodes["commands"].texts[0]
    lines = text.splitlines()
    assert lines[0] == "uid=1000(agent) gid=1000(agent) groups=1000(agent)"
    variables = dict(line.split("=", 1) for line in lines[1 : lines.index("/home/agent/repo")])
    assert {k: v for k, v in variables.items() if k not in ("PWD", "SHLVL", "_")} == ENVIRONMENT
    assert lines[lines.index("/home/agent/repo") + 1] == "0022"
    assert re.search(r"CapEff:\s+0{16}", text)
    assert re.search(r"NoNewPrivs:\s+1", text)
    assert lines[-2].split() == ["0", "1", "2", "3"]  # 3 is the listed folder itself


def test_results_show_output_and_how_the_command_ended(episodes: dict[str, Episode]) -> None:
    """Both streams, undecodable bytes, exit statuses, signals and time-outs are told apart."""
    texts = episodes["commands"].texts
    assert texts[1] == "out\nerr\n[exit status 3]"
    assert texts[2] == "[killed by signal 9]"
    assert texts[3] == "\ufffd\ufffdok\n[exit status 0]"
    assert texts[4] == "before\n[stopped after 2 seconds, the limit of one command]"
    assert [exit_status(text) for text in texts[:5]] == [0, 3, None, 0, None]


def test_background_processes_live_on_without_delaying_the_result(episodes: dict[str, Episode]) -> None:
    """A command returns when its shell ends, and what it left running goes on working."""
    episode = episodes["commands"]
    assert episode.texts[5] == "started\n[exit status 0]"
    assert episode.texts[6] == "late\n[exit status 0]"
    assert episode.texts[8] == "read-to-end\n[exit status 0]"
    assert _seconds(episode, 5) < 2


def test_a_stopped_command_takes_its_processes_with_it(episodes: dict[str, Episode]) -> None:
    """At the time limit the command's foreground and background processes die."""
    texts = episodes["commands"].texts
    assert texts[9].startswith("[stopped after 2 seconds")
    assert texts[10].startswith("1\n")  # process 1's child, which keeps the container alive


def test_nothing_runs_after_the_claim(episodes: dict[str, Episode]) -> None:
    """Calls that follow an accepted submit in the same reply are refused."""
    episode = episodes["commands"]
    assert episode.results[-1].error is not None
    assert "submitted already" in episode.results[-1].error.message
    assert "agent/repo/after-submit" not in episode.files


def test_a_removed_workspace_can_be_made_again(episodes: dict[str, Episode]) -> None:
    """Without its workspace an agent is told so, and can go on."""
    episode = episodes["gone"]
    assert episode.texts[1] == (
        "[/home/agent/repo cannot be entered; the command ran in /home/agent]\n/home/agent\n[exit status 0]"
    )
    assert episode.results[2].error is not None
    assert episode.texts[4] == "/home/agent/repo\nx = 1\n[exit status 0]"
    assert episode.record.claim == "done"


def test_planted_programs_are_not_run_by_the_harness(episodes: dict[str, Episode]) -> None:
    """Start-up files, shadowing modules and programs on the agent's paths never run in trusted calls."""
    assert "planted" not in episodes["hostile"].texts[4]


def test_the_agent_reaches_neither_tracer_nor_root(episodes: dict[str, Episode]) -> None:
    """Killing, reading, tracing and gaining rights all fail, and the log stays complete."""
    episode = episodes["hostile"]
    assert episode.texts[6].count("Permission denied") == 2
    assert "uid=0(root)" not in episode.texts[7]
    assert read_states(episode.path_logs, episode.record.commands).state == "complete"


def test_exhausting_processes_or_memory_ends_the_command_only(episodes: dict[str, Episode]) -> None:
    """After a fork bomb and a memory hog the container works and the episode ends with its claim."""
    episode = episodes["hostile"]
    assert episode.texts[9] == "alive\n[exit status 0]"
    assert episode.texts[11] == "alive\n[exit status 0]"
    assert episode.record.claim == "done"
    assert episode.sample.error is None


def test_a_command_that_cannot_be_started_is_told_at_once(episodes: dict[str, Episode]) -> None:
    """While processes run out one by one, each call ends soon, and the path log stays whole where it can."""
    episode = episodes["scarce"]
    errors = [message.error.message for message in episode.results if message.error]
    assert any("could not be started" in error for error in errors)
    assert not any("strace" in message.text for message in episode.results)
    assert max(_seconds(episode, number) for number in range(len(episode.results))) < 15
    log = read_states(episode.path_logs, episode.record.commands)
    assert "does not hold its start" not in log.reason


def test_a_fork_bomb_in_the_background_ends_with_a_verdict(episodes: dict[str, Episode]) -> None:
    """Where no process is left to run a tool the agent is told so, not shown the tracer, and graded."""
    episode = episodes["bomb"]
    assert episode.sample.error is None
    assert episode.record.claim == "done"
    assert not any("strace" in (m.error.message if m.error else m.text) for m in episode.results[1:])


def _seconds(episode: Episode, number: int) -> float:
    events = [event for event in episode.sample.events if event.event == "tool"]
    completed = events[number].completed
    assert completed is not None
    return (completed - events[number].timestamp).total_seconds()
