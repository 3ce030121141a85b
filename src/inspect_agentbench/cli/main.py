"""`agentbench`: the group of commands, and how their errors look."""

import sys
from typing import Any

import click

from inspect_agentbench import __version__
from inspect_agentbench.engine import remove_all_of_this_process
from inspect_agentbench.errors import AgentbenchError, HarnessFault

from .admit import admit
from .compare import compare
from .demo import demo
from .doctor import doctor
from .grade import grade
from .learn import learn
from .list import list_families
from .lock import lock
from .new import new
from .panel import panel
from .redact import redact
from .regrade import regrade
from .run import run
from .signatures import signatures
from .strength import strength

BAD_INPUT = 2
HARNESS_FAULT = 3
INTERRUPTED = 130


class _Group(click.Group):
    """Tells this package's errors in one line and ends with the exit code that fits."""

    def invoke(self, context: click.Context) -> Any:
        try:
            return super().invoke(context)
        except AgentbenchError as error:
            _end(f"error: {error}", BAD_INPUT)
        except HarnessFault as error:
            _end(f"harness fault: {error}", HARNESS_FAULT)
        except KeyboardInterrupt:
            remove_all_of_this_process(ending=True)
            _end("interrupted", INTERRUPTED)


def _end(line: str, code: int) -> None:
    click.echo(line, err=True)
    sys.exit(code)


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="agentbench")
def main() -> None:
    """Evaluate coding agents on tasks that cannot be faked.

    Exit codes: 0 all well, 1 a check said no, 2 bad input, 3 the harness failed, 130 interrupted.
    """


COMMANDS = (
    admit,
    compare,
    demo,
    doctor,
    grade,
    learn,
    list_families,
    lock,
    new,
    panel,
    redact,
    regrade,
    run,
    signatures,
    strength,
)
for command in COMMANDS:
    main.add_command(command)
