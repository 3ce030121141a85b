"""The solver `coding_agent`: one loop of generate and execute, until a claim or a ceiling.

It expects a sample made of `prompt.sample_messages` whose workspace was placed by `setup_workspace`
(given as `Task(setup=...)`, so that other solvers find it too). All it learns is in `EpisodeRecord`, also
when a limit of Inspect's or an error ends the sample.
"""

import time
from functools import partial
from typing import Final, Protocol

from inspect_ai.model import (
    ChatMessage,
    ChatMessageUser,
    GenerateConfig,
    Model,
    ModelOutput,
    execute_tools,
    get_model,
)
from inspect_ai.model._generate_config import active_generate_config  # private: guarded by a test
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import Tool
from inspect_ai.util import LimitExceededError, apply_limits, sample_limits, time_limit

from ..bank import Variant
from ..models.context import is_context_overflow
from ..outcome import Ceiling
from .identity import variant_of
from .noting import Notes, Snapshot
from .prompt import REMINDER, Budget, system_message
from .record import EpisodeRecord
from .replies import (
    count_shell_blocks,
    count_unparsable,
    is_unreadable_reply,
    make_loggable,
    shorten_errors,
)
from .tools import COMMAND_SECONDS, OUTPUT_CHARS, bash, list_files, read_file, str_replace, submit, write_file
from .workspace import place

TURNS: Final = 40
SECONDS: Final = 1_200
_MOST_REPLIES_WITHOUT_CALL: Final = 5

_UNREADABLE: Final = "[A reply whose tool call holds a number too long to be read.]"

INSPECT_LIMITS: Final = {
    "token": Ceiling.TOKENS,
    "cost": Ceiling.TOKENS,
    "turn": Ceiling.TURNS,
    "message": Ceiling.TURNS,
    "time": Ceiling.SECONDS,
    "working": Ceiling.SECONDS,
}
"""Our word for each of Inspect's own limits."""


class CompletionCheck(Protocol):
    """Runs the pristine visible suite over what the agent has made so far."""

    async def __call__(self, variant: Variant) -> str | None:
        """None if the suite is green, otherwise what the agent is told. Raises HarnessFault."""


@solver
def setup_workspace() -> Solver:
    """Fill the sample's container with the starting tree; for `Task(setup=...)`."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        await place(variant_of(state.messages), state.store_as(EpisodeRecord))
        return state

    return solve


@solver
def coding_agent(
    turns: int = TURNS,
    seconds: int = SECONDS,
    tool_calls: int | None = None,
    command_seconds: int = COMMAND_SECONDS,
    output_chars: int = OUTPUT_CHARS,
    check: CompletionCheck | None = None,
    snapshot: Snapshot | None = None,
) -> Solver:
    """Work on the issue with the suite's own tools until a claim or a ceiling.

    `check` is asked before a claim `done` is accepted; what it answers goes back to the agent. `snapshot`
    is called when the agent has seen the whole visible suite green.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        record = state.store_as(EpisodeRecord)
        record.agent, record.tool_call_limit = "coding_agent", tool_calls
        if record.path_log == "unused":
            record.path_log = "on"
        budget = _budget_in_force(turns, seconds, command_seconds, tool_calls)
        state.messages.insert(0, system_message(budget))
        variant = variant_of(state.messages)
        notes = Notes(variant, snapshot)
        asked = partial(check, variant) if check else None
        tools = [bash(command_seconds, output_chars, notes), read_file(output_chars), write_file(notes)]
        tools += [str_replace(notes), list_files(output_chars), submit(asked)]
        await _limited(_Loop(state, record, tools, turns, notes), record, seconds)
        return state

    return solve


def _budget_in_force(turns: int, seconds: int, command_seconds: int, tool_calls: int | None) -> Budget:
    """The budget that will really end the episode: Inspect's own limits may be tighter."""
    limits = sample_limits()
    return Budget(
        turns=_tighter(turns, limits.turn.limit),
        seconds=_tighter(seconds, limits.time.limit),
        command_seconds=command_seconds,
        tool_calls=tool_calls,
        tokens=None if limits.token.limit is None else int(limits.token.limit),
    )


def _tighter(own: int, inspects: float | None) -> int:
    return own if inspects is None else min(own, int(inspects))


async def _limited(loop: "_Loop", record: EpisodeRecord, seconds: int) -> None:
    """Run the loop within its wall time and note what ended it."""
    started = time.monotonic()
    try:
        with apply_limits([time_limit(seconds)], catch_errors=True) as scope:
            await loop.run()
        if scope.limit_error is not None and record.claim is None:
            record.ceiling = Ceiling.SECONDS
    except LimitExceededError as error:
        record.ceiling = INSPECT_LIMITS.get(error.type)
        raise
    finally:
        record.agent_seconds = time.monotonic() - started
        left = sample_limits().time.remaining
        if record.claim is None and record.ceiling is None and left is not None and left <= 0:
            record.ceiling = Ceiling.SECONDS  # Inspect's own time limit, which arrives as a cancellation


class _Loop:
    def __init__(
        self, state: TaskState, record: EpisodeRecord, tools: list[Tool], turns: int, notes: Notes
    ) -> None:
        self.state, self.record, self.tools, self.turns, self.notes = state, record, tools, turns, notes
        self.without_call = 0
        self.model: Model = get_model()
        self.config = GenerateConfig(seed=_run_seed(self.model, state.epoch))

    async def run(self) -> None:
        while self.record.claim is None and self.record.ceiling is None:
            if self.record.turns == self.turns:
                self.record.ceiling = Ceiling.TURNS
            else:
                await self._turn()

    async def _turn(self) -> None:
        self.record.turns += 1
        self.record.turns_after_refusal += self.record.claims_refused > 0
        if not await self._generate():
            self.record.ceiling = Ceiling.CONTEXT
        elif self.state.output.message.tool_calls:
            await self._execute()
        else:
            self._remind()

    async def _generate(self) -> bool:
        """Add the model's reply; False if the conversation does not fit its context any more."""
        try:
            output = await self.model.generate(self.state.messages, self.tools, config=self.config)
        except Exception as error:
            if is_context_overflow(error):
                return False
            if not (isinstance(error, ValueError) and is_unreadable_reply(error)):
                raise
            self.record.unparsable_calls += 1
            output = ModelOutput.from_content(self.model.name, _UNREADABLE)
        self._count_tokens(output)
        make_loggable(output.message)
        self.state.output = output
        self.state.messages.append(output.message)
        return output.stop_reason != "model_length"

    async def _execute(self) -> None:
        self.without_call = 0
        messages, _ = await execute_tools(self.state.messages, self.tools)
        shorten_errors(messages)
        self.record.unparsable_calls += count_unparsable(messages)
        self.notes.unparsed(self.record, self.state.output.message, messages)
        self._extend(messages)
        limit = self.record.tool_call_limit
        if self.record.claim is None and limit is not None and self.record.tool_calls >= limit:
            self.record.ceiling = Ceiling.TOOL_CALLS

    def _remind(self) -> None:
        self.without_call += 1
        self.record.replies_without_tool_call += 1
        self.record.shell_blocks += count_shell_blocks(self.state.output.completion)
        self.notes.written(self.record, self.state.output.completion)
        self.record.replies_cut += self.state.output.stop_reason == "max_tokens"
        if self.without_call == _MOST_REPLIES_WITHOUT_CALL:
            self.record.ceiling = Ceiling.NO_TOOL_CALLS
            return
        self.record.reminders += 1
        self._extend([ChatMessageUser(content=REMINDER)])

    def _count_tokens(self, output: ModelOutput) -> None:
        """Keep the tokens after a refused claim apart; unknown from the first reply without a count on."""
        record, usage = self.record, output.usage
        if record.claims_refused:
            record.input_tokens_after_refusal = _plus(
                record.input_tokens_after_refusal, usage.input_tokens if usage else None
            )
            record.output_tokens_after_refusal = _plus(
                record.output_tokens_after_refusal, usage.output_tokens if usage else None
            )

    def _extend(self, messages: list[ChatMessage]) -> None:
        self.state.messages.extend(messages)


def _plus(total: int | None, more: int | None) -> int | None:
    return None if total is None or more is None else total + more


def _run_seed(model: Model, epoch: int) -> int | None:
    """The seed of this run: Inspect by itself sends the same one in every epoch."""
    seed = model.config.merge(active_generate_config()).seed
    return None if seed is None else seed + epoch - 1
