"""Repairs models' answers in the processes that read pages, where one that takes too long is ended."""

from typing import Final

from prompts.repair import Repair, repaired_json
from research_crawler.core.brain_errors import BadAnswer
from research_crawler.core.errors import PageUnreadable
from research_crawler.core.ports.crawler import PageParser

REPAIR_SECONDS: Final = 2.0
"""Most processor time. Answers of the longest role take 0.1 s."""


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
