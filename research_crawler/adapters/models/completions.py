"""Reads the completions of chat endpoints: answer, tokens, whether it was cut off, and whether the model thought."""

import re
from typing import TYPE_CHECKING, Final

from research_crawler.core.ports.models import ChatAnswer

if TYPE_CHECKING:
    from openai.types.chat import ChatCompletion

USUAL_CHARS_PER_TOKEN: Final = 4
"""Estimate for endpoints that report no token counts."""
THINKING: Final = re.compile(r"^\s*<think>.*?</think>", re.DOTALL)
OPEN_THINKING: Final = re.compile(r"\s*<think>")


def read_answer(completion: "ChatCompletion", prompt: str, model: str) -> ChatAnswer:
    """The answer in a completion, without the model's thoughts; tokens that no endpoint counts are estimated."""
    choice = completion.choices[0] if completion.choices else None
    written = (choice.message.content or "") if choice else ""
    text, usage = THINKING.sub("", written), completion.usage
    is_cut = choice is not None and choice.finish_reason == "length"
    return ChatAnswer(
        "" if is_cut and OPEN_THINKING.match(text) else text,
        usage.prompt_tokens if usage else len(prompt) // USUAL_CHARS_PER_TOKEN + 1,
        usage.completion_tokens if usage else len(written) // USUAL_CHARS_PER_TOKEN + 1,
        completion.model or model,
        is_cut=is_cut,
        has_reasoned=_has_reasoned(completion, written),
    )


def _has_reasoned(completion: "ChatCompletion", written: str) -> bool:
    """Whether the model thought before it answered; servers tell so in one of four ways."""
    details = completion.usage.completion_tokens_details if completion.usage else None
    if details and details.reasoning_tokens:
        return True
    extra = (completion.choices[0].message.model_extra or {}) if completion.choices else {}
    return bool(extra.get("reasoning_content") or extra.get("reasoning") or OPEN_THINKING.match(written))
