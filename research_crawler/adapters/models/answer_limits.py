"""Bounds what is read of a chat endpoint's answer: one that never stops writing must not use up the memory."""

from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from openai import DefaultAsyncHttpxClient

MOST_ANSWER_CHARS: Final = 1_000_000
"""Longest text of an answer, about 250,000 tokens; parsing a hundred times as much stops a planner for 30 s."""
MOST_BODY_BYTES: Final = 64_000_000
"""Most bytes of an answer with all that is around it: one in pieces has about 200 bytes a token."""


class AnswerTooLong(ValueError):
    """An endpoint sends more than any answer has."""


class ReadableResponse(Protocol):
    """A response of the SDK's HTTP client, of which all that is read comes from `aiter_bytes`, unpacked."""

    aiter_bytes: Callable[[int | None], AsyncIterator[bytes]]


def check_length(text: str) -> str:
    """The text of an answer.

    Raises:
        AnswerTooLong: it is longer than any answer.
    """
    if len(text) > MOST_ANSWER_CHARS:
        raise AnswerTooLong(f"its answer is longer than {MOST_ANSWER_CHARS:,} characters")
    return text


def bounded_client(*, trust_env: bool) -> "DefaultAsyncHttpxClient":
    """The SDK's HTTP client, which reads no more of an answer than MOST_BODY_BYTES.

    Args:
        trust_env: whether it uses the proxies of the environment.
    """
    from openai import DefaultAsyncHttpxClient  # here, because it loads slowly

    return DefaultAsyncHttpxClient(trust_env=trust_env, event_hooks={"response": [_bound_body]})


async def _bound_body(response: ReadableResponse) -> None:
    """Let reading a response end where it is too long; the client calls this before the body is read."""
    read = response.aiter_bytes

    async def bounded(chunk_size: int | None = None) -> AsyncIterator[bytes]:
        length = 0
        async for chunk in read(chunk_size):
            length += len(chunk)
            if length > MOST_BODY_BYTES:
                raise AnswerTooLong(f"its answer has more than {MOST_BODY_BYTES:,} bytes")
            yield chunk

    response.aiter_bytes = bounded
