"""What all benchmarks work with: the engine, the image, the family, a place for logs."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import click
import docker

from inspect_agentbench.bank import KnownFix, Variant, default_bank
from inspect_agentbench.engine import (
    ImageInfo,
    connect,
    ensure_image,
    remove_all_of_this_process,
)
from inspect_agentbench.errors import AgentbenchError
from inspect_agentbench.replay.scripts import known_fix
from inspect_agentbench.submission import Submission

FAMILY = "tailer"


class Setting(NamedTuple):
    """One run of the benchmarks."""

    client: docker.DockerClient
    image: ImageInfo
    variant: Variant
    folder: Path
    """For logs; removed at the end."""
    repeat: int

    @property
    def fix(self) -> KnownFix:
        """The fix that `replay/correct` plays."""
        return known_fix(self.variant.family, "correct")

    @property
    def submission(self) -> Submission:
        """What an agent that made that fix leaves."""
        return Submission(self.variant.editable_files(self.variant.apply(self.fix.files)))


class BenchmarkFailed(AgentbenchError):
    """What was to be measured did not do what it should; a time of it would mean nothing."""


@contextmanager
def prepared(repeat: int) -> Iterator[Setting]:
    """The setting; the image is built if it is missing."""
    client, image = connect(), ensure_image(say)
    variant = default_bank().family(FAMILY).variant()
    with tempfile.TemporaryDirectory(prefix="agentbench-benchmarks-") as folder:
        yield Setting(client, image, variant, Path(folder), repeat)


@contextmanager
def removed_on_interrupt() -> Iterator[None]:
    """Leaves no room or judge behind on Ctrl-C, and ends as interrupted programs do."""
    try:
        yield
    except KeyboardInterrupt:
        remove_all_of_this_process(ending=True)
        raise SystemExit(130) from None


def say(line: str) -> None:
    """One line of progress; standard output is for results."""
    click.echo(line, err=True)
