"""Running a program of `episode.inside` in the agent's container: one exec, request in, reply out.

Everything goes through the provider itself and not through Inspect's logging proxy: the transcript
holds the tool call and its result, and a second copy of both would only swell the log.
"""

import json
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from inspect_ai.util import ExecResult, SandboxEnvironment, SandboxUnavailableError, sandbox

from ..errors import HarnessFault

_INSIDE: Final = Path(__file__).parent / "inside"
_LOADER: Final = (
    "import sys; i = sys.stdin.buffer; exec(compile(i.read(int(i.readline())), '<agentbench>', 'exec'))"
)
_NOTHING_READ: Final = "int() with base 10: b''"
"""What the loader says when its standard input was empty: the engine lost the input, nothing ran."""


class NoReply(Exception):
    """The container is alive, but the program gave no answer; the message says what is known."""


async def run_inside(
    program: str, request: dict[str, Any], *, user: str, seconds: int, attachment: bytes = b""
) -> dict[str, Any]:
    """The reply of a program to a request.

    `attachment` follows the request on its line's end. Raises NoReply if none came, and HarnessFault if
    the container or the engine is gone.
    """
    line = json.dumps(request).encode() + b"\n"
    result = await _exec(_source(program) + line + attachment, user, seconds)
    if _NOTHING_READ in result.stderr:
        result = await _exec(_source(program) + line + attachment, user, seconds)
    try:
        reply = json.loads(result.stdout)
    except (ValueError, RecursionError):
        reply = None
    if not isinstance(reply, dict):
        await check_alive()
        said = (result.stderr or result.stdout).strip().splitlines()
        raise NoReply(said[-1][:300] if said else f"exit status {result.returncode} and no answer")
    return reply


async def check_alive() -> None:
    """Raise HarnessFault unless the agent's container runs. Providers that cannot tell are believed."""
    try:
        await sandbox().connection()
    except NotImplementedError:
        return
    except Exception as error:
        raise HarnessFault(f"the agent's container is gone: {error}") from error


async def _exec(standard_input: bytes, user: str, seconds: int) -> ExecResult[str]:
    try:
        provider = sandbox().as_type(SandboxEnvironment)  # type: ignore[type-abstract]
        return await provider.exec(
            ["/usr/bin/python3", "-sP", "-c", _LOADER],
            input=standard_input,
            cwd="/",
            user=user,
            timeout=seconds,
            timeout_retry=False,  # a second run of an agent's command would not be the same command
            concurrency=False,  # a command may wait for minutes; it must not hold up other samples' commands
        )
    except TimeoutError as error:
        await check_alive()
        raise NoReply(f"no answer within {seconds} seconds") from error
    except (
        SandboxUnavailableError,
        OSError,
        RuntimeError,
    ) as error:  # output of the agent can imitate the first
        await check_alive()
        raise NoReply(f"{error}"[-300:]) from error


@lru_cache
def _source(program: str) -> bytes:
    """The program with its length in front, as the loader wants it."""
    source = (_INSIDE / f"{program}.py").read_bytes()
    return b"%d\n%s" % (len(source), source)
