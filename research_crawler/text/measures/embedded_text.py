"""The part of a text that gets a vector: who compares the same texts shares their vectors."""

from typing import Final

EMBEDDED_CHARS: Final = 300
"""The beginning of a text that gets a vector, about 64 tokens, which are what a vector costs. Of 38 questions on
manuals and Wikipedia, reports of the same pages have 0.750 of the facts with whole texts below title and
headings, 0.750 with 64 tokens of these, 0.731 (one fact of 52 fewer) with 64 tokens of the text alone."""


def embedded(text: str) -> str:
    """The part of an excerpt, a finding or a statement that gets a vector, whoever compares it: its beginning."""
    if len(text) <= EMBEDDED_CHARS:
        return text
    begun = text[:EMBEDDED_CHARS]
    last = begun.rfind(" ")
    return (
        begun[:last] if last > EMBEDDED_CHARS // 2 else begun
    )  # scripts without spaces have no word to keep whole
