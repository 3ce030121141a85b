import re
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path

import docker
import docker.errors
import pytest

from inspect_agentbench import engine
from inspect_agentbench.engine import build, fingerprint
from inspect_agentbench.engine import image as image_module
from inspect_agentbench.errors import AgentbenchError, EngineUnavailable, HarnessFault

ENSURE = """
import pathlib, sys
from inspect_agentbench.engine import image
image.sandboxes_folder = lambda: pathlib.Path(sys.argv[1])
print(image.ensure_image(print).id)
"""


@pytest.fixture
def sandboxes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A sandbox folder whose image is not there yet and is quickly built, from the real one."""
    folder = tmp_path / "sandboxes"
    folder.mkdir()
    text = f"ARG BASE=unused\nFROM {engine.image_tag()}\nLABEL test={uuid.uuid4().hex}\n"
    (folder / "Dockerfile").write_text(text)
    (folder / "make-base-image.sh").write_text("exit 1\n")
    monkeypatch.setattr(image_module, "sandboxes_folder", lambda: folder)
    return folder


@pytest.fixture
def new_tag(client: docker.DockerClient, image: engine.ImageInfo, sandboxes: Path) -> Iterator[str]:
    tag = engine.image_tag()
    yield tag
    if client.images.list(tag):
        client.images.remove(tag)


def test_the_tag_follows_what_the_image_is_made_from(sandboxes: Path) -> None:
    """A changed Dockerfile or base script is another image; a changed compose file is not."""
    seen = [engine.image_tag()]
    for name in ("Dockerfile", "make-base-image.sh", "compose.yaml"):
        with (sandboxes / name).open("a") as file:
            file.write("# changed\n")
        seen.append(engine.image_tag())
    assert len(set(seen)) == 3
    assert seen[2] == seen[3]
    assert all(re.fullmatch("agentbench-sandbox:[0-9a-f]{12}", tag) for tag in seen)


@pytest.mark.docker
def test_a_missing_image_is_built_once_and_told(new_tag: str) -> None:
    """The first call says what it does and how long it took; the second finds the image and is silent."""
    lines: list[str] = []
    first = engine.ensure_image(lines.append)
    assert first.tag == new_tag
    assert [line.split()[0] for line in lines] == ["building", "built"]
    assert engine.ensure_image(lines.append) == first
    assert len(lines) == 2


@pytest.mark.docker
def test_of_two_processes_one_builds(new_tag: str, sandboxes: Path) -> None:
    """Both get the same image, and the engine did the work once."""
    command = [sys.executable, "-c", ENSURE, str(sandboxes)]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    outputs = [process.communicate(timeout=120)[0].splitlines() for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert outputs[0][-1] == outputs[1][-1]
    assert sum(line.startswith("built") for lines in outputs for line in lines) == 1


@pytest.mark.docker
def test_a_failed_build_says_why_and_where_the_log_is(
    client: docker.DockerClient, sandboxes: Path, own_cache: Path
) -> None:
    """One line with the builder's last word; the whole log stays."""
    with (sandboxes / "Dockerfile").open("a") as file:
        file.write("RUN echo the cause >&2; exit 3\n")
    with pytest.raises(
        AgentbenchError, match=r"building the sandbox image .* failed: .*all of it is in"
    ) as caught:
        engine.ensure_image(lambda line: None)
    assert "\n" not in str(caught.value)
    log = Path(str(caught.value).rsplit(" ", 1)[1])
    assert own_cache in log.parents
    assert "the cause" in log.read_text()


@pytest.mark.docker
def test_building_needs_the_docker_command(
    client: docker.DockerClient, sandboxes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An engine that answers is not enough to build; the line says what to install."""
    monkeypatch.setenv("PATH", str(sandboxes))
    with pytest.raises(EngineUnavailable, match="docker command is not on PATH"):
        engine.ensure_image(lambda line: None)


@pytest.mark.docker
def test_a_base_made_here_comes_first(
    client: docker.DockerClient, image: engine.ImageInfo, tmp_path: Path
) -> None:
    """Where the base script has run, no registry is asked."""
    (tmp_path / "Dockerfile").write_text("ARG BASE=localhost:1/absent\nFROM ${BASE}\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build, "LOCAL_BASE", image.tag)
        assert build.choose_base(client, tmp_path) == image.tag


@pytest.mark.docker
def test_the_pinned_base_is_next(
    client: docker.DockerClient, image: engine.ImageInfo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without one made here, the base that the Dockerfile names is taken as it stands there."""
    monkeypatch.setattr(build, "LOCAL_BASE", "agentbench-absent:none")
    (tmp_path / "Dockerfile").write_text(f"ARG BASE={image.tag}\nFROM ${{BASE}}\n")
    assert build.choose_base(client, tmp_path) == image.tag


@pytest.mark.docker
def test_without_any_base_the_line_says_what_to_do(
    client: docker.DockerClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No base here, no registry, no Debian: the error names the image and both ways out."""
    monkeypatch.setattr(build, "LOCAL_BASE", "agentbench-absent:none")
    monkeypatch.setattr(build, "_can_make_base", lambda: False)
    (tmp_path / "Dockerfile").write_text("ARG BASE=localhost:1/absent:none\nFROM ${BASE}\n")
    with pytest.raises(
        AgentbenchError, match=r"localhost:1/absent:none could not be pulled: .*make-base-image\.sh"
    ):
        build.choose_base(client, tmp_path)


def test_the_shipped_base_is_pinned_by_digest() -> None:
    """A tag moves; what everybody builds from must not."""
    assert re.fullmatch(
        r"debian:trixie-slim@sha256:[0-9a-f]{64}", build.pinned_base(engine.sandboxes_folder())
    )


@pytest.mark.docker
def test_the_image_holds_what_episodes_need(client: docker.DockerClient, image: engine.ImageInfo) -> None:
    """The tools, the agent's user and the closed log folder are there; the locale is UTF-8."""
    script = (
        "set -e; for name in python3 python pytest git strace ps find; do command -v $name >/dev/null; done; "
        "python3 -c 'import pytest'; id -u agent; stat -c '%a %U' /var/log/agentbench /home/agent; "
        "python -c 'print(open(0).encoding)'"
    )
    output = client.containers.run(image.id, ["sh", "-c", script], network_mode="none", remove=True)
    assert output.decode().splitlines() == ["1000", "700 root", "755 agent", "UTF-8"]


@pytest.mark.docker
def test_a_fingerprint_is_measured_once_per_image(
    client: docker.DockerClient, image: engine.ImageInfo, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second call reads what the first one wrote, and both are what the container says."""
    first = fingerprint.fingerprint_of(client, image.id)
    assert first == image.fingerprint == fingerprint.measure(client, image.id)
    monkeypatch.delattr(fingerprint, "measure")
    assert fingerprint.fingerprint_of(client, image.id) == first


@pytest.mark.docker
def test_a_damaged_record_is_measured_again(
    client: docker.DockerClient, image: engine.ImageInfo, own_cache: Path
) -> None:
    """A half-written or foreign file in the cache is no fingerprint."""
    first = fingerprint.fingerprint_of(client, image.id)
    (record,) = (own_cache / "fingerprints").iterdir()
    record.write_text('{"python": "3.1')
    assert fingerprint.fingerprint_of(client, image.id) == first


@pytest.mark.docker
def test_the_fingerprint_tells_what_answers_depend_on(image: engine.ImageInfo) -> None:
    """Python's and Unicode's versions are readable; every part moves the short hash."""
    found = image.fingerprint
    assert found.python.startswith("3.13.")
    assert int(found.unicode.split(".")[0]) >= 15
    changed = {found.model_copy(update={name: "x"}).short for name in type(found).model_fields}
    assert len(changed - {found.short}) == 4


@pytest.mark.docker
def test_an_image_that_cannot_tell_is_a_fault(client: docker.DockerClient) -> None:
    """An image id that the engine lost is the harness's fault, named."""
    with pytest.raises(HarnessFault, match=r"image sha256:0{64}: its fingerprint could not be measured"):
        fingerprint.measure(client, f"sha256:{'0' * 64}")
