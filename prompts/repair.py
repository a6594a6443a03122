"""Repairs JSON that a model wrote with mistakes: fences, missing commas, an end that was cut off."""

import json
from collections.abc import Awaitable, Callable
from typing import Final

import json_repair

from research_crawler.core.brain_errors import BadAnswer

MOST_PARSED_CHARS: Final = 200_000
"""Longer texts are no answers: the longest of a role has some 40,000 characters. Half a million in 100,000 sentences
held the loop for more than a second."""
MOST_REPAIRED_DEPTH: Final = 64
"""Answers are at most five levels deep. Each opening bracket makes json_repair look at the rest of the text again: 20
kB of them took minutes."""
_STEPS: Final = {"{": 1, "[": 1, "}": -1, "]": -1}

Repair = Callable[[str], Awaitable[str]]
"""Makes JSON of a text, in a process where it can be ended, or in this one."""


async def repaired_here(text: str) -> str:
    """`repaired_json` in this process."""
    return repaired_json(text)


def repaired_json(text: str) -> str:
    """JSON that says what a text with mistakes most likely means.

    Raises:
        BadAnswer: the text is longer or nested deeper than any answer, or no JSON can be made of it.
    """
    if len(text) > MOST_PARSED_CHARS or _depth(text) > MOST_REPAIRED_DEPTH:
        raise BadAnswer("the model's answer is not JSON, and too long or nested too deeply to be repaired")
    try:
        return json.dumps(json_repair.loads(text))
    except (ValueError, RecursionError) as error:
        raise BadAnswer(f"the model's answer is not JSON: {error}") from error


def _depth(text: str) -> int:
    """How many brackets are open at most; those within texts count, for nobody knows where these end."""
    deepest = depth = 0
    for character in text:
        if step := _STEPS.get(character):
            depth = max(0, depth + step)
            deepest = max(deepest, depth)
    return deepest
