"""Show the sentences of a part of a report in their forms: paragraphs, numbered steps, and labelled lines."""

from collections.abc import Sequence
from itertools import count
from textwrap import indent
from typing import Final

from planner.reports.sources.citations import Cited
from research_crawler.core.models.reports.cited_parts import SentenceForm
from research_crawler.text.markdown_blocks.excerpt_markdown import code_block
from research_crawler.text.writing.messages import Messages

SENTENCES_OF_A_PARAGRAPH: Final = 8
LABELS: Final[dict[SentenceForm, str]] = {
    "see": "you_see",
    "means": "it_means",
    "do": "to_do",
    "rule": "rule_of_thumb",
    "except": "not_where",
}
"""The label of a line, as a message."""
NEEDS: Final[dict[SentenceForm, SentenceForm]] = {"means": "see", "except": "rule"}
"""A label that says nothing in a part that has no line with the other one: such a line is plain text."""


def in_forms(sentences: Sequence[Cited], say: Messages) -> list[str]:
    """The blocks of Markdown; the code that a sentence shows stands below it and ends its paragraph."""
    blocks: list[str] = []
    paragraph: list[str] = []
    steps = count(1)
    forms = _forms(sentences)
    for sentence, form in zip(sentences, forms, strict=True):
        if form != "line" or len(paragraph) == SENTENCES_OF_A_PARAGRAPH:
            blocks, paragraph = _ended(blocks, paragraph), []
        if form == "line":
            paragraph.append(sentence.written())
            if sentence.code:
                blocks, paragraph = [*_ended(blocks, paragraph), *_listing(sentence)], []
        elif form == "step":
            lead = f"{next(steps)}. "
            blocks.append(lead + _below(sentence.written(), _listing(sentence), len(lead)))
        else:
            label = f"**{say(LABELS[form])}:** "
            blocks.append("- " + _below(label + sentence.written(), _listing(sentence), 2))
    return _ended(blocks, paragraph)


def _forms(sentences: Sequence[Cited]) -> list[SentenceForm]:
    """The form of each sentence; a line whose label needs another one that is missing is plain, and so is a step that
    has no other beside it."""
    present = {one.form for one in sentences}
    if sum(one.form == "step" for one in sentences) == 1:
        present.discard("step")
    return ["line" if NEEDS.get(one.form, one.form) not in present else one.form for one in sentences]


def _ended(blocks: Sequence[str], paragraph: Sequence[str]) -> list[str]:
    return [*blocks, " ".join(paragraph)] if paragraph else [*blocks]


def _listing(sentence: Cited) -> list[str]:
    """The code of a sentence, and what it is composed from."""
    if not sentence.code:
        return []
    return [
        "\n".join(code_block(sentence.code.splitlines())),
        *([str(sentence.composed)] if sentence.composed else []),
    ]


def _below(text: str, blocks: Sequence[str], width: int) -> str:
    """An item of a list with blocks that belong to it."""
    return "\n\n".join([text, *(indent(block, " " * width) for block in blocks)])
