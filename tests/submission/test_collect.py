"""Collection from real containers: whatever an agent leaves, legal files are taken and the rest is told."""

import gc
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import docker
import pytest

from inspect_agentbench import engine
from inspect_agentbench.bank import Variant, load_bank
from inspect_agentbench.engine import Kind
from inspect_agentbench.episode import WORKSPACE
from inspect_agentbench.episode.workspace import workspace_tar
from inspect_agentbench.errors import HarnessFault
from inspect_agentbench.submission import Submission, collect, freeze

pytestmark = pytest.mark.docker

ROOT = Path(__file__).parents[2]
LINK = "a symbolic link in the path, not followed"
BOUND_SECONDS = 30.0
"""A generous bound: what is to be caught is reading all of a gigabyte, or asking for each of many files."""

Leave = Callable[[str], str]


@pytest.fixture(scope="module")
def variant() -> Variant:
    """A family with a package folder, protected tests and a pattern for its editable files."""
    return load_bank(ROOT).family("tailer").variant()


@pytest.fixture
def leave(client: docker.DockerClient, image: engine.ImageInfo, variant: Variant) -> Iterator[Leave]:
    """Makes an agent's container with the starting tree, runs a script in it as root, gives its name."""
    names: list[str] = []

    def start(script: str) -> str:
        name = engine.new_name(Kind.PROBE)
        names.append(name)
        client.api.create_container(
            image.id,
            ["sleep", "300"],
            name=name,
            labels=engine.labels(Kind.PROBE),
            host_config=client.api.create_host_config(init=True, network_mode="none"),
        )
        client.api.start(name)
        client.api.put_archive(name, "/home/agent", workspace_tar(variant))
        execution = client.api.exec_create(name, ["bash", "-ec", script], workdir=WORKSPACE)["Id"]
        said = client.api.exec_start(execution)
        assert client.api.exec_inspect(execution)["ExitCode"] in (0, 137), said
        return name

    yield start
    for name in names:
        engine.remove(client, name)
    gc.collect()  # a connection that was left open is told here, as an error


@pytest.fixture
def collected(client: docker.DockerClient, variant: Variant, leave: Leave) -> Callable[[str], Submission]:
    """What is collected from a frozen container in which the script ran."""

    def run(script: str) -> Submission:
        name = leave(script)
        freeze(client, name)
        return collect(client, name, WORKSPACE, variant)

    return run


Collected = Callable[[str], Submission]


def original(variant: Variant) -> dict[str, bytes]:
    return variant.editable_files(variant.tree())


def without(files: dict[str, bytes], *paths: str) -> dict[str, bytes]:
    return {path: content for path, content in files.items() if path not in paths}


def test_an_untouched_tree_is_collected_byte_for_byte(collected: Collected, variant: Variant) -> None:
    """Nothing changed is a whole submission without a single fact."""
    assert collected("true") == Submission(original(variant), ())


def test_edits_additions_and_removals_are_the_submission(collected: Collected, variant: Variant) -> None:
    """Edited, new and deleted editable files arrive as the agent left them."""
    found = collected(
        "printf 'x = 1\\r\\n' > logtail/ingest.py; printf '' > logtail/more.py; rm logtail/summary.py"
    )
    expected = without(original(variant), "logtail/summary.py")
    assert found.files == expected | {"logtail/ingest.py": b"x = 1\r\n", "logtail/more.py": b""}
    assert found.facts == ()


def test_links_are_never_followed(collected: Collected, variant: Variant) -> None:
    """A link in the place of a file, or to a folder with files of the right names, gives nothing."""
    found = collected(
        "rm logtail/ingest.py; ln -s /etc/passwd logtail/ingest.py; ln -s ingest.py logtail/self.py;"
        "ln -s /etc logtail/etc"
    )
    assert found.files == without(original(variant), "logtail/ingest.py")
    reason = "a symbolic link, not followed"
    assert found.facts == tuple(f"logtail/{name}: {reason}" for name in ("etc", "ingest.py", "self.py"))


def test_a_folder_that_became_a_link_is_not_followed(collected: Collected) -> None:
    """The editable folder as a link to one elsewhere: its files are not in the workspace."""
    found = collected("mv logtail /tmp/elsewhere; ln -s /tmp/elsewhere logtail")
    assert found.files == {}
    assert "logtail: a symbolic link, not followed" in found.facts
    assert found.facts[0] == "no editable file was left: the submission is empty"


@pytest.mark.parametrize(
    ("script", "fact"),
    [
        (f"mv {WORKSPACE} /tmp/away; ln -s /tmp/away {WORKSPACE}", LINK),
        ("mv /home/agent /home/away; ln -s /home/away /home/agent", LINK),
        (f"cd /; rm -r {WORKSPACE}", "is not there any more"),
        (f"cd /; rm -r {WORKSPACE}; touch {WORKSPACE}", "no editable file was left: the submission is empty"),
        (f"cd /; rm -r {WORKSPACE}; mkfifo {WORKSPACE}", "a fifo, not taken"),
    ],
    ids=["link", "home-link", "removed", "file", "fifo"],
)
def test_a_workspace_that_is_none_is_an_empty_submission(
    collected: Collected, script: str, fact: str
) -> None:
    """Whatever was put in its place, it is a recorded fact and not a fault of the harness."""
    found = collected(script)
    assert found.files == {}
    assert any(fact in told for told in found.facts), found.facts


def test_hard_links_are_files(collected: Collected, variant: Variant) -> None:
    """Two names of one file inside the workspace are two files; one from outside is a file as well."""
    found = collected(
        "ln logtail/ingest.py logtail/twin.py; echo 'y = 2' > /home/agent/out.py;"
        "ln /home/agent/out.py logtail/out.py"
    )
    twin = original(variant)["logtail/ingest.py"]
    assert found.files == original(variant) | {"logtail/twin.py": twin, "logtail/out.py": b"y = 2\n"}


def test_special_files_are_refused(collected: Collected, variant: Variant) -> None:
    """Fifos, devices and sockets are told and never opened: a read of one could wait for ever."""
    found = collected(
        "rm logtail/ingest.py; mkfifo logtail/ingest.py; mknod logtail/zero.py c 1 5;"
        "python3 -c \"import socket; socket.socket(socket.AF_UNIX).bind('logtail/s.py')\""
    )
    assert found.files == without(original(variant), "logtail/ingest.py")
    assert "logtail/ingest.py: a fifo, not taken" in found.facts
    assert "logtail/zero.py: a special file, not taken" in found.facts


def test_odd_names_are_told_and_not_taken(collected: Collected, variant: Variant) -> None:
    """Line breaks, undecodable bytes, escapes and backslashes: shown as one line of ASCII, never a path."""
    found = collected(
        r"""touch $'logtail/a\nb.py' $'logtail/\xff\xfe.py' $'logtail/\e[31m.py' 'logtail/back\slash.py' """
        r"""$'logtail/gr\xc3\xbcn.py' 'logtail/ space.py'"""
    )
    assert found.files == original(variant) | {"logtail/ space.py": b""}
    assert len(found.facts) == 5
    assert all(fact.isascii() and fact.isprintable() for fact in found.facts)
    assert all(fact.endswith(": an odd name, not taken") for fact in found.facts)


def test_planted_files_are_told_and_not_taken(collected: Collected, variant: Variant) -> None:
    """What would change a test run or an interpreter is outside the editable paths, and in the log."""
    planted = ["conftest.py", "logtail/ingest.pyc", "pytest.ini", "sitecustomize.py", "tests/conftest.py"]
    found = collected(
        f"touch {' '.join(planted)}; mkdir logtail/__pycache__; touch logtail/__pycache__/i.pyc"
    )
    assert found.files == original(variant)
    assert found.facts == tuple(
        f"{path}: a new file outside the editable paths, not taken" for path in planted
    )


def test_what_a_test_run_leaves_is_no_news(collected: Collected, variant: Variant) -> None:
    """Caches of Python and pytest are left by every honest run, and would bury what matters."""
    found = collected("git init -q; python3 -m pytest -q || git add -A")
    assert found == Submission(original(variant), ())


def test_changes_of_protected_files_come_first(collected: Collected, variant: Variant) -> None:
    """Many odd files cannot push the one fact that matters off the list."""
    found = collected(
        "for i in $(seq 100); do touch a$i; ln -s x b$i; done;"
        "echo >> tests/test_ingest.py; rm tests/test_cli.py; echo >> README.md"
    )
    assert found.facts[:3] == (
        "tests/test_cli.py: protected, removed; the pristine copy counts",
        "tests/test_ingest.py: protected, changed; the pristine copy counts",
        "README.md: not editable, changed; not taken",
    )
    assert len(found.facts) == 41
    assert found.facts[-1] == "163 more"


@pytest.mark.parametrize(
    "script",
    [
        "truncate -s 1G logtail/aaa.py",
        "mkdir many; cd many; seq 100000 | xargs touch",
        "mkdir -p $(python3 -c \"print('/'.join(['d'] * 1500))\"); head -c 20000000 /dev/urandom > aaa",
    ],
    ids=["sparse", "many", "big"],
)
def test_what_is_too_much_crowds_nothing_out(
    client: docker.DockerClient, leave: Leave, variant: Variant, script: str
) -> None:
    """Reading ends in bounded time, with the files of the starting tree and true facts about the rest."""
    name = leave(f"echo '# edited' >> logtail/ingest.py; echo >> tests/test_cli.py; {script}")
    started = time.monotonic()
    freeze(client, name)
    found = collect(client, name, WORKSPACE, variant)
    assert time.monotonic() - started < BOUND_SECONDS
    edited = original(variant)["logtail/ingest.py"] + b"# edited\n"
    assert found.files == original(variant) | {"logtail/ingest.py": edited}
    assert found.facts[0] == "tests/test_cli.py: protected, changed; the pristine copy counts"
    assert "only the files of the starting tree were read" in found.facts[1]
    assert len(found.facts) == 2


def test_too_much_does_not_open_links(client: docker.DockerClient, leave: Leave, variant: Variant) -> None:
    """Read one by one, a file behind a link is no more taken than in the stream."""
    name = leave(
        "truncate -s 1G aaa; mv logtail /tmp/elsewhere; ln -s /tmp/elsewhere logtail; rm README.md;"
        "ln -s /etc/passwd README.md"
    )
    freeze(client, name)
    found = collect(client, name, WORKSPACE, variant)
    assert found.files == {}
    assert "logtail/ingest.py: logtail is a symbolic link, not followed" in found.facts


def test_a_writer_in_the_background_is_dead_before_collection(
    client: docker.DockerClient, leave: Leave, variant: Variant
) -> None:
    """Two collections of a frozen container are the same, whatever was at work in it."""
    name = leave(
        "(trap '' TERM HUP; while :; do date +%N > logtail/ingest.py; done) > /dev/null 2>&1 & "
        "until grep -q '^[0-9]*$' logtail/ingest.py; do :; done"
    )
    freeze(client, name)
    assert client.api.inspect_container(name)["State"]["Running"] is False
    first = collect(client, name, WORKSPACE, variant)
    assert first == collect(client, name, WORKSPACE, variant)
    assert first.files["logtail/ingest.py"].strip().isdigit() or first.files["logtail/ingest.py"] == b""


def test_a_container_that_is_dead_already_is_read(
    client: docker.DockerClient, leave: Leave, variant: Variant
) -> None:
    """An agent that ends its own container, or the engine's limit on memory, loses nothing."""
    name = leave("echo 'x = 1' > logtail/ingest.py")
    client.api.kill(name)
    freeze(client, name)
    assert collect(client, name, WORKSPACE, variant).files["logtail/ingest.py"] == b"x = 1\n"


def test_a_container_that_is_gone_is_the_harness_s_fault(
    client: docker.DockerClient, leave: Leave, variant: Variant
) -> None:
    """Nothing can be said about a submission that cannot be read, least of all that it failed."""
    name = leave("true")
    engine.remove(client, name)
    with pytest.raises(HarnessFault, match=f"{name} is gone"):
        freeze(client, name)
    with pytest.raises(HarnessFault, match=f"{name} is gone"):
        collect(client, name, WORKSPACE, variant)
