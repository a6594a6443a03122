"""Bounds what is read of a chat endpoint's answer: one that never stops writing must not use up the memory."""

import re
from collections.abc import AsyncIterator, Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    import ssl

    from openai import DefaultAsyncHttpxClient

STREAM: Final = "text/event-stream"
"""The type of an answer in pieces."""
MOST_ANSWER_CHARS: Final = 1_000_000
"""Longest text of an answer, about 250,000 tokens; parsing a hundred times as much stops a planner for 30 s."""
MOST_BODY_BYTES: Final = 8_000_000
"""Most bytes of an answer with all that is around it: each character of its text may take six."""
MOST_PARTS: Final = 50_000
"""Most objects and lists of an answer: millions of empty ones took half a gigabyte and held the loop for seconds. A
list of all models of a gateway has some thousands."""
MOST_MARKS: Final = 1_200_000
"""Most quotation marks, commas and brackets of an answer, those of its text among them: 700,000 keys or 2,600,000 empty
texts held the loop for 0.6 s."""
_TEXT: Final = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)', re.S)
"""A text of JSON, also one that does not end: no quotation mark is looked at twice."""
MOST_STREAM_BYTES: Final = 64_000_000
"""Most bytes of an answer in pieces, which has about 200 bytes a token and is kept only piece by piece."""
MOST_LINE_BYTES: Final = 1_000_000
"""Most bytes of one piece of it."""


class AnswerTooLong(ValueError):
    """An endpoint sends more than any answer has."""


class ReadableResponse(Protocol):
    """A response of the SDK's HTTP client, of which all that is read comes from `aiter_bytes`, unpacked."""

    aiter_bytes: Callable[[int | None], AsyncIterator[bytes]]
    headers: Mapping[str, str]


def check_length(text: str, *, before: int = 0) -> str:
    """The text of an answer, or a piece of it behind so many characters.

    Raises:
        AnswerTooLong: it is longer than any answer.
    """
    if before + len(text) > MOST_ANSWER_CHARS:
        raise AnswerTooLong(f"its answer is longer than {MOST_ANSWER_CHARS:,} characters")
    return text


def check_body(body: bytes) -> bytes:
    """An answer with all that is around it.

    Raises:
        AnswerTooLong: it is longer than any answer, or has more parts.
    """
    if len(body) > MOST_BODY_BYTES:
        raise AnswerTooLong(f"its answer has more than {MOST_BODY_BYTES:,} bytes")
    if _parts(body) + body.count(b'"') + body.count(b",") > MOST_MARKS:
        raise AnswerTooLong(f"its answer has more than {MOST_MARKS:,} quotation marks, commas and brackets")
    if _parts(body) > MOST_PARTS and _parts(_TEXT.sub(b"", body)) > MOST_PARTS:
        raise AnswerTooLong(f"its answer has more than {MOST_PARTS:,} parts")
    return body


def _parts(body: bytes) -> int:
    return body.count(b"{") + body.count(b"[")


def bounded_client(*, trust_env: bool) -> "DefaultAsyncHttpxClient":
    """The SDK's HTTP client, which reads no more of an answer than any has, and goes nowhere else with a prompt.

    A redirect is not followed: the prompt, with what pages say, would go to any address that the endpoint names,
    private ones included.

    Args:
        trust_env: whether it uses the proxies of the environment.
    """
    from openai import DefaultAsyncHttpxClient  # here, because it loads slowly

    return DefaultAsyncHttpxClient(
        verify=_certificates(trust_env),
        trust_env=trust_env,
        follow_redirects=False,
        event_hooks={"response": [_bound_body]},
    )


@cache
def _certificates(trust_env: bool) -> "ssl.SSLContext":  # it is the key
    """Whom the clients believe, loaded once a process: each time takes 30 ms of the event loop."""
    import httpx  # here, because it loads slowly

    return httpx.create_ssl_context(trust_env=trust_env)


async def _bound_body(response: ReadableResponse) -> None:
    """Let reading a response end where it is too long; the client calls this before the body is read."""
    read = response.aiter_bytes
    is_stream = response.headers.get("content-type", "").startswith(STREAM)
    most = MOST_STREAM_BYTES if is_stream else MOST_BODY_BYTES

    async def bounded(chunk_size: int | None = None) -> AsyncIterator[bytes]:
        length = of_line = 0
        async for chunk in read(chunk_size):
            length += len(chunk)
            if length > most:
                raise AnswerTooLong(f"its answer has more than {most:,} bytes")
            begun = chunk.rfind(b"\n") + 1
            of_line = len(chunk) - begun if begun else of_line + len(chunk)
            if is_stream and of_line > MOST_LINE_BYTES:
                raise AnswerTooLong(f"a piece of its answer has more than {MOST_LINE_BYTES:,} bytes")
            yield chunk

    response.aiter_bytes = bounded
