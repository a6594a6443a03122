"""Tell which excerpts are on the point of a question, and whether what was found answers it at all."""

from collections.abc import Collection, Sequence
from typing import Final

from planner.brains.extractive.reading.passages import finding_text
from planner.brains.extractive.stating.asked import Asked, every_stem, has_word, read_asked
from planner.brains.extractive.stating.statements import statement_for
from planner.brains.extractive.writing.excerpt_order import Item, PartOfDigest
from planner.outline.making import asked_alone
from research_crawler.core.models.drafts import ReportView
from research_crawler.core.models.findings import Finding
from research_crawler.core.ports.models import Embedder
from research_crawler.text.query_words import is_code
from research_crawler.text.ranking import cosine

NEAR_BEST: Final = 0.72
"""Least nearness of an excerpt to the question or to a part of it, as a share of that of the nearest one."""
ASKED_SHARE, ASKED_COUNT = 0.35, 0.4
"""Least share of the words that are asked for, by their weights, in an excerpt and what stands above it; and by their
number, if it has all names."""
BEST_KEPT: Final = 8
"""So many of the best excerpts are shown in any case. What is asked may stand in one that hardly has its words: with
four, a web of invented things gives one more fact on one half of its questions and one fewer on the other."""
LEAST_DIGITS: Final = 3
"""Of so many digits, a number is a model's or a year's."""
MOST_NEAR: Final = 5
"""Most excerpts under a part of the question that nothing states, or for a question of one part."""
HARDLY_STATED, HARDLY_NEAR = 0.25, 0.55
"""Below both, the best passage of a question says hardly anything of what is asked: with these words about HTTP/3 in
Apache's manual for a question about nginx, 0.17 and 0.46; the least of 25 questions that have an answer are 0.20 and
0.57, and 0.42 and 0.50."""


async def asked_parts(
    view: ReportView, question: str, parts: Sequence[PartOfDigest], texts: Sequence[str], embedder: Embedder
) -> list[Asked]:
    """What each part of a question asks, or the question itself; nothing for a purchase, where all facts are of use.

    Args:
        view: its findings show which words are rare.
        question: as it was asked.
        parts: those of the digest.
        texts: what each part asks, with what it needs of the whole question.
        embedder: one that remembers.
    """
    if view.intent == "commerce":
        return []
    asked = [(part.leaf.question, text) for part, text in zip(parts, texts, strict=True)]
    return [
        await read_asked(own, told, view.findings, embedder)
        for own, told in asked or [(asked_alone(view.outline, question), question)]
    ]


def on_point(items: Sequence[Item], parts: Sequence[PartOfDigest], asked: Sequence[Asked]) -> set[int]:
    """The places of the findings that come near enough to the question or one of its parts, and have its words; all of
    them where nothing is known of what is asked.

    Args:
        items: best first.
        parts: those of the digest.
        asked: what each of them asks, or the question itself.
    """
    if not asked:
        return {item.place for item in items}
    near = [[item.similarity, *(cosine(part.vector, item.vector) for part in parts)] for item in items]
    best = [max(column) for column in zip(*near, strict=True)]
    found = {item.place for item in items[:BEST_KEPT]}
    for item, own in zip(items, near, strict=True):
        stems = every_stem(finding_text(item.finding))
        is_near = any(one >= NEAR_BEST * most for one, most in zip(own, best, strict=True))
        # In a language that the packaged model does not know, words are found only as they are written.
        has_words = any(_has_words(one, stems) or not one.meanings for one in asked)
        if is_near and has_words:
            found.add(item.place)
    return found


def has_a_name(asked: Asked, finding: Finding) -> bool:
    """Whether a finding, or what stands above it, has one of the names that are asked for and that not every finding
    has; True if there is none. The 5 of "release 5" names nothing by itself: it may count anything."""
    text = finding_text(finding)
    stems = every_stem(text)
    names = [name for name in asked.names if not (name.isdecimal() and len(name) < LEAST_DIGITS)]
    return not names or any(
        name.lower() in text.lower() if is_code(name) else has_word(name, stems) for name in names
    )


def _has_words(asked: Asked, stems: Collection[str]) -> bool:
    """Whether enough of what is asked is among these stems: by weight or, beside the names, by number.

    A question may hang on a word for which pages have another one: "Why should I avoid `.htaccess`?", "prefer".
    """
    if not asked.words or asked.share_said(stems) >= ASKED_SHARE:
        return True
    wanted = [*asked.words, *asked.names]
    said = [one for one in wanted if has_word(one, stems)]
    return bool(asked.names) and {*asked.names} <= {*said} and len(said) >= ASKED_COUNT * len(wanted)


async def is_hardly_stated(
    view: ReportView, asked: Sequence[Asked], items: Sequence[Item], embedder: Embedder
) -> bool:
    """Whether nothing states the question, and what comes nearest is neither near nor says much of what is asked, or is
    about something else: a database of another name."""
    states = [leaf.state for leaf in view.outline.leaves]
    if not asked or len(states) != 1 or states == ["filled"] or not asked[0].meanings:
        return False
    if not any(has_a_name(asked[0], item.finding) for item in items[:MOST_NEAR]):
        return True
    if max(item.similarity for item in items) >= HARDLY_NEAR:
        return False
    findings, near = [item.finding for item in items], [item.similarity for item in items]
    best = await statement_for(asked[0], findings, near, embedder)
    return best is None or best.worth < HARDLY_STATED
