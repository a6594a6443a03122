"""What the scripted model reads from a prompt: its own role, its parts, and the orders of pages."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Final

from benchmarks.models.scripted_model import FENCE

Schema = dict[str, Any]
_ADDRESSED: Final = re.compile(
    r"\b(?:AI|LLM|bots?|language models?|assistants?|automated readers|instructions?|override)\b", re.I
)
_ORDERED_URL: Final = re.compile(r"https?://127\.0\.22\.15[^\s)\]>\"”]*")
_PART: Final = re.compile(r"^#{1,3} ", re.M)
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


def parts_after(prompt: str, place: int) -> dict[str, int]:
    """The parts of a prompt by their headings, from this place on, each with its characters behind it."""
    borders = [0, *(found.start() for found in _PART.finditer(prompt)), len(prompt)]
    sizes: dict[str, int] = {}
    for start, end in pairwise(borders):
        if new := max(0, end - max(start, place)):
            name = prompt[start:end].partition("\n")[0].strip("# ")
            sizes[name] = sizes.get(name, 0) + new
    return sizes


def orders_in(prompt: str) -> Iterator[str]:
    """The addresses that texts of the prompt order a machine to open, and the sentences it is to write."""
    for _, text in FENCE.findall(prompt):
        for line in text.splitlines():
            if _ADDRESSED.search(line):
                yield from _ORDERED_URL.findall(line)
                yield from _ORDERED_TEXT.findall(line)
