"""Leave out of a report's sections what its answer says already, from the same quotes.

The answer and most sections are written at the same time, so that no writer sees what the others say.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final

from planner.verify.cited_source import CitedSource
from planner.verify.vetoes import vetoes
from research_crawler.core.models.reports.drafts import ReportDraft, Sentence
from research_crawler.text.languages.negation import negations
from research_crawler.text.languages.sentences import leans
from research_crawler.text.languages.words import terms
from research_crawler.text.measures.likeness import word_coverage

_SAID: Final = 0.8
"""Least share of a sentence's words that another one has, to say the same. Of 29 sentences of two sections beside
their answer, the four that repeat it have 0.8 to 1.0, and those that say something else have at most 0.75."""
_LEADS_IN: Final = (":", "：")


def without_repeats(draft: ReportDraft) -> ReportDraft:
    """The draft without sentences of sections that say what one of the answer says; each part keeps one of its own."""
    sections = [
        section.changed(
            sentences=[
                one for part in by_question(section.sentences) for one in unrepeated(part, draft.answer)
            ],
            table=section.table,
        )
        for section in draft.sections
    ]
    return draft.changed(sections=sections)


def by_question(sentences: Iterable[Sentence]) -> list[list[Sentence]]:
    """The sentences of a section by the question that they stand under."""
    return [list(group) for _, group in groupby(sentences, key=lambda one: one.heading)]


def unrepeated(part: Sequence[Sentence], known: Sequence[Sentence]) -> list[Sentence]:
    """A part without the sentences that repeat a known one, unless the next one leans on it or it would be empty.

    A step stays: who follows the others would miss it.
    """
    kept = list(part)
    for index in reversed(range(len(part))):
        if (
            part[index].form not in ("step", "or", "way")
            and may_go(kept, index)
            and any(says_no_more_than(part[index], one) for one in known)
        ):
            del kept[index]
    return kept


def may_go(part: Sequence[Sentence], index: int) -> bool:
    """Whether a part can be read without one of its sentences: it has others, the next one does not point to it, and
    it neither leads to the next one nor is what the last one leads to.
    """
    if any(leads_in(one) for one in part[max(0, index - 1) : index + 1]):
        return False
    if len(part) < 2 or index + 1 == len(part):
        return len(part) > 1
    return not leans(part[index + 1].text)


def leads_in(sentence: Sentence) -> bool:
    """Whether a sentence is nothing without what stands behind it: "These are the files:"."""
    return sentence.text.rstrip().endswith(_LEADS_IN) and not sentence.code


def says_no_more_than(sentence: Sentence, earlier: Sentence) -> bool:
    """Whether a sentence says nothing that another one does not say, from a quote that both cite.

    A listing below it, a number or an option that the other one lacks makes it worth reading.
    """
    if sentence.is_excerpt or earlier.is_excerpt or set(sentence.evidence).isdisjoint(earlier.evidence):
        return False
    if sentence.code and sentence.code != earlier.code:
        return False
    own = set(terms(sentence.text))
    if not own or word_coverage(own, earlier.text) < _SAID:
        return False
    source = CitedSource([earlier.text])
    denies_as_much = negations(sentence.text, source.language) <= negations(earlier.text, source.language)
    return denies_as_much and not vetoes(sentence.text, source, source.language)
