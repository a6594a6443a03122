"""Put the sentence that gives an asked figure before the excerpts: who asks how much wants to read it first."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from planner.brains.extractive.answering.layout import Item
from planner.brains.extractive.nearness import SimilarityIndex, excerpt_in_context
from planner.evidence.parsed_sentence import parsed_sentence
from research_crawler.core.ports.models import Embedder
from research_crawler.text.languages.language import detect
from research_crawler.text.languages.sentences import quotable_pieces
from research_crawler.text.languages.words import terms
from research_crawler.text.measures.embedded_text import embedded
from research_crawler.text.questions.question import kind_words, parse_question

LEADING_MIN_FIT: Final = 0.43
"""Least fit of a sentence that is put first. Of 34 that questions about manuals and the small web lead to, 20 of the 23
above it give the figure, and 5 of the 11 below."""


async def led_by_figure(questions: Sequence[str], items: Sequence[Item], embedder: Embedder) -> list[Item]:
    """The excerpts behind the sentence or row of theirs that gives the figure which each question asks for.

    Nothing is put before them for a question that asks for none, or where none of them gives one.
    """
    leading = [await _leading(question, items, embedder) for question in questions]
    shown = [one for one in leading if one and not items[0].finding.claim.startswith(one.finding.claim)]
    return [*shown, *items]


async def _leading(question: str, items: Sequence[Item], embedder: Embedder) -> Item | None:
    """The sentence that gives the figure, as an excerpt; None if the question asks for none or nothing gives it."""
    language = detect(question)
    asked = parse_question(question, language)
    if asked.answer_type != "number":
        return None
    pieces = [
        (item, piece.text)
        for item in items
        for piece in quotable_pieces(item.finding.quote)
        if not piece.text.endswith("?")
    ]
    amounts = {text: parsed_sentence(text, language).quantities for _, text in pieces}
    words = kind_words(asked.unit, language)  # "The ticket costs 3 crowns": a unit that no list has
    found = [
        (item, text)
        for item, text in pieces
        if any(asked.unit in (one.dimension, one.unit, one.counted) for one in amounts[text])
    ] or [
        (item, text) for item, text in pieces if amounts[text] and not words.isdisjoint(terms(text, language))
    ]
    if not found:
        return None
    texts = [excerpt_in_context(item.finding.title, item.finding.heading, text) for item, text in found]
    wanted, *vectors = await embedder.embed([question, *(embedded(text) for _, text in found)])
    fits = SimilarityIndex(texts, vectors, language).similarities_to(question, wanted)
    best = max(range(len(found)), key=lambda place: fits[place].fit)
    item, text = found[best]
    if fits[best].fit < LEADING_MIN_FIT:
        return None
    return replace(item, finding=item.finding.changed(claim=text), part=items[0].part, rank=fits[best].fit)
