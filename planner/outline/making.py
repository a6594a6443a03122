"""Make the first outline of a job from its question: a section for each part, a leaf for each thing asked."""

from collections.abc import Sequence
from typing import Final

from planner.goal.report_language import report_language
from planner.outline.parts import compared_things, question_parts, stated_before
from research_crawler.core.models.jobs.outline import Leaf, Outline, Section
from research_crawler.text.languages.words import stem
from research_crawler.text.questions.query_words import distinct_words, is_code_word, most_words, query_words
from research_crawler.text.questions.question import begins_as_clause
from research_crawler.text.questions.subject import subject_of

MAX_LEAF_QUESTION, MAX_SECTION_TITLE = 240, 120
"""Longest sub-question and longest title of a section, in characters."""
QUERY_WORDS: Final = 9
"""Most words of the query of a leaf: engines weigh each of them, and more find pages that have any."""
CLEAR_WORDS: Final = 4
"""A part with fewer words of its own ("what are the drawbacks") is searched with words of the first part too."""
_CONTEXT_WORDS: Final = 3
"""Most words of the first part: with all of them, the query of a part is that of the whole question."""


def first_outline(question: str, *, by: str) -> Outline:
    """The outline of a question before anything is known: all leaves are open."""
    language = report_language(question)
    parts, context = question_parts(question, language), stated_before(question)
    sections = []
    for number, part in enumerate(parts, 1):
        asks = begins_as_clause(part, language)
        things = [] if asks else compared_things(part)
        before = " ".join([context, *(query_words(parts[0])[:_CONTEXT_WORDS] if number > 1 else [])])
        leaves = [
            Leaf(
                id=f"{number}.{index}",
                question=_heading(text, asks=asks),
                query=query_of(text, before),
            )
            for index, text in enumerate(things or [part], 1)
        ]
        title = _heading(part, asks=asks, most=MAX_SECTION_TITLE)
        sections.append(Section(id=str(number), title=title, leaves=leaves))
    return Outline(by=by, sections=sections)


def query_of(part: str, before: str = "") -> str:
    """Search words for one part of a question.

    Args:
        part: what is asked.
        before: what was said before it, for a part that says too little by itself.
    """
    own = query_words(part)
    more = query_words(before) if len(own) < CLEAR_WORDS else []
    words = most_words(distinct_words([*own, *more]), QUERY_WORDS)
    return " ".join(words) or part[:MAX_SECTION_TITLE]


def query_names(question: str) -> list[str]:
    """The names and years of a question in order, and numbers that belong to a name (`PostgreSQL 15`, not `line 7`)."""
    subject = subject_of(question)
    marks = {name.mark for name in subject.names}
    return [
        word
        for word in query_words(question)
        if is_code_word(word)
        or word in subject.years
        or (stem(word.lower()) in subject.words and (not word.isdecimal() or word in marks))
    ]


def leaf_texts(leaves: Sequence[Leaf]) -> list[str]:
    """What each leaf asks, with the words of its query that it lacks, as rankers compare it."""
    texts = []
    for leaf in leaves:
        known = {stem(word.lower()) for word in query_words(leaf.question)}
        more = [word for word in leaf.query.split() if stem(word.lower()) not in known]
        texts.append(f"{leaf.question} ({' '.join(more)})" if more else leaf.question)
    return texts


def _heading(text: str, *, asks: bool, most: int = MAX_LEAF_QUESTION) -> str:
    """A part as a heading: with a capital, unless code begins it, and if it asks with a question mark."""
    cut = text if len(text) <= most else text[: most - 1].rsplit(" ", 1)[0] + "…"
    first = cut[:1] if is_code_word(cut.partition(" ")[0]) else cut[:1].upper()
    return f"{first}{cut[1:]}" + "?" * (asks and not cut.endswith("…"))
