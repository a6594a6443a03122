"""Reads what chat endpoints answer: text, tokens, whether it was cut off, whether the model thought; refusals."""

import json
import re
from collections.abc import AsyncIterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from research_crawler.adapters.models.answer_limits import check_body, check_length
from research_crawler.core.ports.models import ChatAnswer

if TYPE_CHECKING:
    from openai import APIStatusError
    from openai.types.chat import ChatCompletionChunk

USUAL_CHARS_PER_TOKEN: Final = 4
"""Estimate for endpoints that report no token counts."""
MOST_CHARS_PER_TOKEN: Final = 20
"""A text with fewer tokens than this says is not counted right: German compounds and code have at most 6."""
LONGEST_PAUSE_MS: Final = 900_000
"""The longest pause that an endpoint can ask for; then it is tried again."""
MOST_COUNTED: Final = 10_000_000
"""More tokens than any model takes or gives in one call."""
DEFAULT_PAUSE_MS: Final = 2_000
"""Pause after a 429 without Retry-After."""
_CACHED: Final = (
    (
        "prompt_tokens_details",
        "cached_tokens",
    ),  # OpenAI, and most that follow it: vLLM, Gemini, Groq, xAI, OpenRouter
    ("prompt_cache_hit_tokens",),  # DeepSeek
    ("cache_read_input_tokens",),  # gateways to Anthropic
    ("cached_tokens",),  # Moonshot
)
_TAG: Final = r"(?:think(?:ing)?|thought|reasoning)>"
_OPEN_THINKING: Final = re.compile(rf"\s*<{_TAG}", re.IGNORECASE)
_END_OF_THINKING: Final = re.compile(rf"</{_TAG}", re.IGNORECASE)
_MOST_THOUGHTS: Final = 4
"""Some models think again before they answer."""
_JSON: Final = re.compile(r"\s*[{\[`]")
"""How an answer begins that no thoughts stand before: as JSON, or with a fence."""


class NoCompletion(ValueError):
    """An endpoint sends something else than an answer."""


@dataclass(frozen=True)
class SentAnswer:
    """What is used of an endpoint's answer. The rest of it is not kept: objects of 30 MB of it took 2.3 GB."""

    text: str
    finish: str
    model: str
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int | None = None
    """Of the prompt's, those that the provider had read before."""
    has_thoughts: bool = False
    """Whether the endpoint tells the model's thoughts beside its answer, or counts them."""


def completion_of(body: bytes) -> SentAnswer:
    """What is used of an answer.

    Raises:
        NoCompletion: it is not the JSON of an answer.
        AnswerTooLong: it is longer than any answer.
    """
    data = _parsed(body)
    message, details = _at(data, "choices", 0, "message"), "completion_tokens_details"
    return SentAnswer(
        text=check_length(_text(_at(message, "content"))),
        finish=_text(_at(data, "choices", 0, "finish_reason")),
        model=_text(data.get("model")),
        prompt_tokens=_count(_at(data, "usage", "prompt_tokens")),
        completion_tokens=_count(_at(data, "usage", "completion_tokens")),
        cached_tokens=_cached_in(data.get("usage")),
        has_thoughts=bool(
            _at(data, "usage", details, "reasoning_tokens")
            or _at(message, "reasoning_content")
            or _at(message, "reasoning")
        ),
    )


def models_in(body: bytes) -> list[str]:
    """The names in an endpoint's list of models.

    Raises:
        NoCompletion: it is no such list.
        AnswerTooLong: it is longer than any answer.
    """
    data = _parsed(body)
    listed = data.get("data")
    return [_text(_at(one, "id")) for one in listed] if isinstance(listed, list) else []


async def whole_completion(chunks: "AsyncIterable[ChatCompletionChunk]") -> SentAnswer:
    """The completion that a stream gives in pieces, for endpoints that answer in no other way.

    Raises:
        AnswerTooLong: it is longer than any answer.
    """
    pieces, length, finish, usage, model, has_thoughts = list[str](), 0, "stop", None, "", False
    async for chunk in chunks:
        usage, model = chunk.usage or usage, chunk.model or model
        for choice in chunk.choices:
            extra = choice.delta.model_extra or {}
            has_thoughts |= bool(extra.get("reasoning_content") or extra.get("reasoning"))
            finish = choice.finish_reason or finish
            pieces.append(choice.delta.content or "")
            length += len(check_length(pieces[-1], before=length))
    details = usage.completion_tokens_details if usage else None
    return SentAnswer(
        text="".join(pieces),
        finish=finish,
        model=model,
        prompt_tokens=usage.prompt_tokens if usage else None,
        completion_tokens=usage.completion_tokens if usage else None,
        cached_tokens=_cached_in(usage.model_dump()) if usage else None,
        has_thoughts=has_thoughts or bool(details and details.reasoning_tokens),
    )


def read_answer(completion: SentAnswer, prompt: str, model: str) -> ChatAnswer:
    """The answer in a completion, without the model's thoughts; tokens that no endpoint counts are estimated."""
    written, sent = completion.text, _counted(completion.prompt_tokens, prompt)
    text, is_cut = _without_thoughts(written), completion.finish == "length"
    return ChatAnswer(
        "" if is_cut and _OPEN_THINKING.match(text) else text,
        sent,
        _counted(completion.completion_tokens, written),
        completion.model or model,
        cached_tokens=min(sent, max(0, completion.cached_tokens or 0)),
        is_cut=is_cut,
        has_reasoned=completion.has_thoughts or text != written or _OPEN_THINKING.match(written) is not None,
    )


def _without_thoughts(text: str) -> str:
    """The text behind what the model thinks before it answers. Where the template of a prompt has opened the tag, only
    its end stands in the answer; in an answer that begins as JSON, it is a word of a page."""
    for _ in range(_MOST_THOUGHTS):
        is_open = _OPEN_THINKING.match(text) is not None
        end = None if _JSON.match(text) else _END_OF_THINKING.search(text)
        if end is None or not (is_open or re.search(r"[{\[]", text[end.end() :])):
            break
        text = text[end.end() :]
    return text


def _cached_in(usage: Any) -> int | None:
    """The cached tokens of a prompt, wherever an endpoint tells them."""
    return next((count for place in _CACHED if (count := _count(_at(usage, *place))) is not None), None)


def _counted(reported: int | None, text: str) -> int:
    """The tokens of a text as the endpoint reports them, or an estimate: a count that cannot be would spend a budget,
    give it back, or let a job go on above its ceiling."""
    if reported is not None and len(text) / MOST_CHARS_PER_TOKEN <= reported <= MOST_COUNTED:
        return reported
    return len(text) // USUAL_CHARS_PER_TOKEN + 1


def _parsed(body: bytes) -> dict[str, Any]:
    check_body(body)
    try:
        data = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise NoCompletion("its answer is no JSON, or nested too deeply") from error
    if not isinstance(data, dict):
        raise NoCompletion("its answer is no object of JSON")
    return data


def _at(data: Any, *steps: str | int) -> Any:
    """What stands at a place in JSON; None if nothing does."""
    for step in steps:
        if isinstance(step, str):
            data = data.get(step) if isinstance(data, dict) else None
        else:
            data = data[step] if isinstance(data, list) and len(data) > step else None
    return data


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) else None


def pause_ms_of(error: "APIStatusError") -> int | None:
    """The pause after an error: always for 429, for 503 if it names one, none if the quota is used up."""
    if error.status_code not in (429, 503) or error.code == "insufficient_quota":
        return None
    headers = error.response.headers
    for name, factor in (("retry-after-ms", 1), ("retry-after", 1000)):
        try:
            return min(LONGEST_PAUSE_MS, max(1, int(float(headers.get(name, "")) * factor)))
        except (ValueError, OverflowError):
            continue
    return DEFAULT_PAUSE_MS if error.status_code == 429 else None
