"""Reads what chat endpoints answer: text, tokens, whether it was cut off, whether the model thought; refusals."""

import re
from collections.abc import AsyncIterable
from typing import TYPE_CHECKING, Any, Final

from research_crawler.adapters.models.answer_limits import check_length
from research_crawler.core.ports.models import ChatAnswer

if TYPE_CHECKING:
    from openai import APIStatusError
    from openai.types.chat import ChatCompletion, ChatCompletionChunk

USUAL_CHARS_PER_TOKEN: Final = 4
"""Estimate for endpoints that report no token counts."""
LONGEST_PAUSE_MS: Final = 900_000
"""The longest pause that an endpoint can ask for; then it is tried again."""
MOST_COUNTED: Final = 10_000_000
"""More tokens than any model takes or gives in one call."""
DEFAULT_PAUSE_MS: Final = 2_000
"""Pause after a 429 without Retry-After."""
THINKING: Final = re.compile(r"^\s*<think>.*?</think>", re.DOTALL)
OPEN_THINKING: Final = re.compile(r"\s*<think>")


def read_answer(completion: "ChatCompletion", prompt: str, model: str) -> ChatAnswer:
    """The answer in a completion, without the model's thoughts; tokens that no endpoint counts are estimated.

    Raises:
        AnswerTooLong: it is longer than any answer.
    """
    choice = completion.choices[0] if completion.choices else None
    written = check_length((choice.message.content or "") if choice else "")
    text, usage = THINKING.sub("", written), completion.usage
    is_cut = choice is not None and choice.finish_reason == "length"
    return ChatAnswer(
        "" if is_cut and OPEN_THINKING.match(text) else text,
        _counted(usage.prompt_tokens if usage else None, prompt),
        _counted(usage.completion_tokens if usage else None, written),
        completion.model or model,
        is_cut=is_cut,
        has_reasoned=_has_reasoned(completion, written),
    )


def _counted(reported: int | None, text: str) -> int:
    """The tokens of a text as the endpoint reports them, or an estimate: a count that cannot be would spend a budget,
    or give it back."""
    if reported is not None and 0 <= reported <= MOST_COUNTED:
        return reported
    return len(text) // USUAL_CHARS_PER_TOKEN + 1


async def whole_completion(chunks: "AsyncIterable[ChatCompletionChunk]") -> "ChatCompletion":
    """The completion that a stream gives in pieces, for endpoints that answer in no other way."""
    from openai.types.chat import ChatCompletion

    text, thoughts, finish, usage, model, id_ = "", "", "stop", None, "", ""
    async for chunk in chunks:
        usage, model, id_ = chunk.usage or usage, chunk.model or model, chunk.id or id_
        for choice in chunk.choices:
            extra = choice.delta.model_extra or {}
            text = check_length(text + (choice.delta.content or ""))
            thoughts += extra.get("reasoning_content") or extra.get("reasoning") or ""
            finish = choice.finish_reason or finish
    message: dict[str, Any] = {"role": "assistant", "content": text, "reasoning_content": thoughts}
    return ChatCompletion.model_validate(
        {
            "id": id_,
            "object": "chat.completion",
            "created": 0,
            "model": model,
            "choices": [{"index": 0, "finish_reason": finish, "message": message}],
            "usage": usage.model_dump() if usage else None,
        }
    )


def _has_reasoned(completion: "ChatCompletion", written: str) -> bool:
    """Whether the model thought before it answered; servers tell so in one of four ways."""
    details = completion.usage.completion_tokens_details if completion.usage else None
    if details and details.reasoning_tokens:
        return True
    extra = (completion.choices[0].message.model_extra or {}) if completion.choices else {}
    return bool(extra.get("reasoning_content") or extra.get("reasoning") or OPEN_THINKING.match(written))


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
