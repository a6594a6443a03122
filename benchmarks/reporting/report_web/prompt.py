"""What the scripted model reads from a prompt: its own role, and the orders of pages."""

import re
from collections.abc import Iterator
from typing import Any, Final

from benchmarks.models.scripted_model import FENCE

Schema = dict[str, Any]
_ADDRESSED: Final = re.compile(
    r"\b(?:AI|LLM|bots?|language models?|assistants?|automated readers|instructions?|override)\b", re.I
)
_ORDERED_URL: Final = re.compile(r"https?://127\.0\.22\.15[^\s)\]>\"”]*")
_ORDERED_TEXT: Final = re.compile(r"[\"“]([A-Z][^\"“”]{15,200}[.!])[\"”]")


def role_of(schema: Schema) -> str:
    """The role of a call, which the keys of its answer show; "writer" for all that write."""
    keys = set(schema["properties"])
    for role, key in (
        ("planner", "action"),
        ("scorer", "results"),
        ("extractor", "relevance"),
        ("verifier", "statements"),
    ):
        if key in keys:
            return role
    return "writer"


def orders_in(prompt: str) -> Iterator[str]:
    """The addresses that texts of the prompt order a machine to open, and the sentences it is to write."""
    for _, text in FENCE.findall(prompt):
        for line in text.splitlines():
            if _ADDRESSED.search(line):
                yield from _ORDERED_URL.findall(line)
                yield from _ORDERED_TEXT.findall(line)
