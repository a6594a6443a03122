"""Repairs JSON that a model wrote with mistakes: fences, missing commas, an end that was cut off.

Processes that plan or crawl have it done in the processes that read pages, where a repair that takes too long is ended.
"""

import json
from collections.abc import Awaitable, Callable
from typing import Final

import json_repair

from research_crawler.core.brain_errors import BadAnswer
from research_crawler.core.errors import PageUnreadable
from research_crawler.core.ports.crawler import PageParser

MOST_PARSED_CHARS: Final = 200_000
"""Longer texts are no answers: the longest of a role has some 40,000 characters. Half a million in 100,000 sentences
held the loop for more than a second."""
MOST_REPAIRED_DEPTH: Final = 64
"""Answers are at most five levels deep. Each opening bracket makes json_repair look at the rest of the text again: 20
kB of them took minutes."""
_STEPS: Final = {"{": 1, "[": 1, "}": -1, "]": -1}
"""How much deeper each bracket leads."""

Repair = Callable[[str], Awaitable[str]]
"""Makes JSON of a text, in a process where it can be ended, or in this one."""
REPAIR_SECONDS: Final = 2.0
"""Most processor time. Answers of the longest role take 0.1 s."""


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


def repair_by(parser: PageParser) -> Repair:
    """Repairs answers in these processes."""

    async def repair(text: str) -> str:
        try:
            return await parser.run(answer_json, text, url="", seconds=REPAIR_SECONDS)
        except PageUnreadable as error:
            raise BadAnswer("the model's answer is not JSON, and its repair takes too long") from error

    return repair


def answer_json(text: str) -> str:
    """`repaired_json` for another process: a text of which no JSON can be made is null, which is no answer."""
    try:
        return repaired_json(text)
    except BadAnswer:
        return "null"
