import httpx2
import pytest
from inspect_ai.model._model import ModelGenerateError  # what Inspect raises, though not exported
from openai import APIStatusError

from inspect_agentbench.models import is_context_overflow

FULL = [
    "request (20024 tokens) exceeds the available context size (8192 tokens), try increasing it",
    "the request exceeds the available context size. try increasing the context size or enable context shift",
    "Context size has been exceeded.",
    "prompt too long; exceeded max context length by 42 tokens",
    "the input length exceeds the context length",
    "This model's maximum context length is 16384 tokens. However, you requested 122946 tokens (112946 in "
    "the messages, 10000 in the completion). Please reduce the length of the messages or completion.",
    "This model's maximum context length is 4097 tokens. However, your messages resulted in 6988 tokens.",
    "'max_tokens' or 'max_completion_tokens' is too large: 2000. This model's maximum context length is 4096 "
    "tokens and your request has 3000 input tokens (2000 > 4096 - 3000).",
    "max_tokens must be at least 1, got -186.",
    "The decoder prompt (length 5951) is longer than the maximum model length of 4096.",
    "You passed 99073 input tokens and requested 32000 output tokens. However, the model's context length is "
    "only 131072 tokens, resulting in a maximum input length of 99072 tokens.",
    "Input length (5000) exceeds model's maximum context length (4096).",
    "Your input exceeds the context window of this model. Please adjust your input and try again.",
    "The input (5000 tokens) is longer than the model's context length (4096 tokens).",
]
OTHER = [
    "Unable to generate parser for this template. Automatic parser generation failed",
    "'messages' is required",
    "The model `qwen3` does not exist.",
    "Invalid 'messages[0].content': string too long. Expected a string with maximum length 1048576",
    "max_tokens must be at least 1, got 0.",
    "Unsupported value: 'temperature' does not support 0.0 with this model.",
    "'max_tokens' is too large: 50000. This model's maximum context length is 4096 tokens and your request "
    "has 10 input tokens (50000 > 4096 - 10).",
    "This model's maximum context length is 4096 tokens. However, you requested 5010 tokens (10 in the "
    "messages, 5000 in the completion).",
    "Missing required parameter: 'context'",
    "",
]


def from_server(message: str, status: int = 400, **more: object) -> APIStatusError:
    request = httpx2.Request("POST", "http://localhost/v1/chat/completions")
    body = {"message": message, "type": "invalid_request_error"} | more
    return APIStatusError(
        f"Error code: {status} - {body}", response=httpx2.Response(status, request=request), body=body
    )


def wrapped(error: Exception, request: str = "{}") -> Exception:
    """As Inspect raises it: the whole request in the message, the server's words beside it."""
    outer = ModelGenerateError(f"\nRequest:\n{request}\n\n{error!r}", provider_message=str(error))
    outer.__cause__ = error
    return outer


@pytest.mark.parametrize("text", FULL)
def test_a_full_context_is_recognised(text: str) -> None:
    """Each server's words count, bare, from the client and as Inspect wraps them."""
    assert is_context_overflow(RuntimeError(text))
    assert is_context_overflow(from_server(text))
    assert is_context_overflow(wrapped(from_server(text)))
    assert is_context_overflow(ExceptionGroup("tasks", [ValueError("x"), wrapped(from_server(text))]))


@pytest.mark.parametrize("text", OTHER)
def test_other_refusals_are_not_taken_for_a_full_context(text: str) -> None:
    """A wrong setting, a missing model or a bad request is an error, not a ceiling."""
    assert not is_context_overflow(RuntimeError(text))
    assert not is_context_overflow(wrapped(from_server(text)))


def test_the_code_alone_is_enough() -> None:
    """OpenAI's code and llama.cpp's type count whatever the message says."""
    assert is_context_overflow(from_server("too much", code="context_length_exceeded"))
    assert is_context_overflow(from_server("too much", type="exceed_context_size_error"))


def test_the_conversation_does_not_count() -> None:
    """Words in the request, which Inspect's message repeats, are not the server's words."""
    assert not is_context_overflow(wrapped(from_server("bad request"), request=FULL[0]))


@pytest.mark.parametrize("status", [401, 404, 429, 503])
def test_other_statuses_do_not_count(status: int) -> None:
    """A rate limit or a missing key is never a full context."""
    assert not is_context_overflow(from_server(FULL[0], status))


def test_a_fault_met_while_handling_a_full_context_is_a_fault() -> None:
    """Only stated causes are followed, not what was in hand."""
    fault = OSError("docker is gone")
    fault.__context__ = from_server(FULL[0])
    assert not is_context_overflow(fault)


def test_a_circle_of_causes_ends() -> None:
    """Two errors that name each other as cause are looked at once each."""
    one, two = ValueError("one"), ValueError("two")
    one.__cause__, two.__cause__ = two, one
    assert not is_context_overflow(one)
