"""Recognising that a conversation no longer fits the model's context: a ceiling, not a fault.

Inspect recognises only some servers' words and makes `stop_reason == "model_length"` of them; the others
reach the agent's loop as an exception. These are their words, each with the servers that use them.
"""

import re
from collections.abc import Iterator

_OVERFLOW = (
    r"exceed_context_size_error",  # llama.cpp, as the error's type
    r"exceeds? the available context size",  # llama.cpp: the prompt is too long
    r"context size has been exceeded",  # llama.cpp, LM Studio: full while generating
    r"prompt too long; exceeded max context length",  # Ollama
    r"input length exceeds (the|maximum) context length",  # Ollama
    r"\bcontext_length_exceeded\b",  # OpenAI, as the error's code
    r"exceeds the context window of this model",  # OpenAI
    r"maximum context length (is|of) \d+",  # OpenAI, vLLM, SGLang
    r"model's maximum context length \(\d+\)",  # vLLM
    r"model's context length is only \d+",  # vLLM
    r"\bdecoder prompt \(length \d+\) is longer than the maximum model length",  # vLLM
    r"\bmax_tokens must be at least 1, got -\d+",  # vLLM: nothing is left for the answer
    r"is longer than the model's context length",  # SGLang
    r"requested tokens \(\d+\) exceed context window of \d+",  # llama-cpp-python
)
_OVERFLOWS = re.compile("|".join(_OVERFLOW), re.IGNORECASE)

_LIMIT = re.compile(r"context length (?:is|of)(?: only)? (\d{1,12})", re.IGNORECASE)
_ASKED_FOR_ANSWER = re.compile(
    r"(\d{1,12}) in the completion|is too large: (\d{1,12})|requested (\d{1,12}) output tokens", re.IGNORECASE
)

_REFUSALS = frozenset({400, 413, 422, 500})
"""The statuses of such refusals; 500 is llama.cpp's when the context fills while it generates."""


def is_context_overflow(error: BaseException) -> bool:
    """Whether `error`, or what caused it, is a server saying that the context is full.

    A request whose `max_tokens` alone is as large as the context is a wrong setting, not a full context.
    """
    return any(_said_overflow(part) for part in _causes(error))


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The error, its causes and the members of groups, each once.

    Causes that were stated, not what happened to be in hand: a fault met while dealing with a full context is
    a fault.
    """
    waiting, seen = [error], set[int]()
    while waiting:
        part = waiting.pop()
        if id(part) in seen:
            continue
        seen.add(id(part))
        yield part
        if isinstance(part, BaseExceptionGroup):
            waiting.extend(part.exceptions)
        if part.__cause__ is not None:
            waiting.append(part.__cause__)


def _said_overflow(error: BaseException) -> bool:
    status = getattr(error, "status_code", None)
    if status is not None and status not in _REFUSALS:
        return False
    said = _server_text(error)
    return bool(_OVERFLOWS.search(said)) and not _is_wrong_setting(said)


def _server_text(error: BaseException) -> str:
    """The server's words, from an openai error, Inspect's `ModelGenerateError` or any other exception.

    The message of Inspect's holds the whole request, and so whatever was said in the conversation.
    """
    words = getattr(error, "provider_message", None)
    parts = [words if isinstance(words, str) else str(error)]
    parts += [str(value) for name in ("code", "type", "body") if (value := getattr(error, name, None))]
    # Short: a server that complains about a field may quote what was in it.
    return " ".join(part[:1000] for part in parts)


def _is_wrong_setting(said: str) -> bool:
    limit, asked = _LIMIT.search(said), _ASKED_FOR_ANSWER.search(said)
    if not limit or not asked:
        return False
    return int(next(group for group in asked.groups() if group)) >= int(limit[1])
