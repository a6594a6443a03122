"""Bring a report that is too long to its length, so that each of its parts keeps what it says first."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain

from planner.evidence.length_plan import MOST_ANSWER_WORDS, report_words, words_in
from planner.goal.report_language import report_language
from planner.outline.parts import question_parts
from planner.reports.lengths.repeats import by_question, leads_in, may_go, says_no_more_than
from research_crawler.core.models.reports.drafts import DraftSection, ReportDraft, Sentence


def trimmed(draft: ReportDraft, most: int) -> ReportDraft:
    """The draft within so many words, by whole sentences.

    What a sentence above says already goes first, then the last sentences of the part that is longest at the time for
    what it answers: of a question in a section, or of a list. So each question keeps what it says first, and its only
    sentence. Lists go before the answer, which keeps its length above sections, and only where that is not enough whole
    parts go, from the least important section on. A table goes after the sentences of its section, and then whole: a
    comparison without one of the things that are compared misleads. Contradictions stay, and so does the first sentence
    of the answer, whatever its length.
    """
    steps = (_without_a_repeat, _without_an_end, _without_an_item, _without_a_detail, _without_a_part)
    for step in steps:
        while report_words(draft) > most and (shorter := step(draft)):
            draft = shorter
    return draft


def sentences_lost(before: ReportDraft, after: ReportDraft) -> int:
    """How many sentences a shorter draft lacks."""
    return len(_sentences(before)) - len(_sentences(after))


def _sentences(draft: ReportDraft) -> list[Sentence]:
    in_sections = (sentence for section in draft.sections for sentence in section.sentences)
    listed = chain.from_iterable(draft.lists.values())
    return [*draft.answer, *listed, *in_sections]


def _without_a_repeat(draft: ReportDraft) -> ReportDraft | None:
    """Without the last sentence that says what one above it says, if its part can be read without it."""
    for index, section in reversed(list(enumerate(draft.sections))):
        above_section = _sentences(draft.changed(sections=draft.sections[:index]))
        parts = by_question(section.sentences)
        for n, part in reversed(list(enumerate(parts))):
            above = [*above_section, *chain.from_iterable(parts[:n])]
            place = _place_of_repeat(part, above)
            if place is not None:
                return _with_part(draft, index, n, [*part[:place], *part[place + 1 :]])
    return None


def _place_of_repeat(part: Sequence[Sentence], above: Sequence[Sentence]) -> int | None:
    """The last sentence of a part that says what one above it says, and without which the part can be read."""
    for place in reversed(range(len(part))):
        earlier = [*above, *part[:place]]
        if may_go(part, place) and any(says_no_more_than(part[place], sentence) for sentence in earlier):
            return place
    return None


def _without_an_end(draft: ReportDraft) -> ReportDraft | None:
    """Without the end of the longest part that can be shorter; of parts of one length, the last.

    A question that asks two things may have two parts' length, and a list, which answers none, half of one's.
    """
    longest, found = 0.0, None
    for key, entries in draft.lists.items():
        if (shorter := _shorter(entries)) and (length := 2.0 * words_in(entries)) >= longest:
            longest, found = length, draft.changed(lists={**draft.lists, key: shorter})
    for index, section in enumerate(draft.sections):
        for n, part in enumerate(by_question(section.sentences)):
            if (shorter := _shorter(part)) and (
                length := words_in(part) / _asked(part[0].heading)
            ) >= longest:
                longest, found = length, _with_part(draft, index, n, shorter)
    return found


def _without_an_item(draft: ReportDraft) -> ReportDraft | None:
    """Without the last item of the last list that has one."""
    for key in reversed(draft.lists):
        if draft.lists[key]:
            return draft.changed(lists={**draft.lists, key: draft.lists[key][:-1]})
    return None


def _without_a_detail(draft: ReportDraft) -> ReportDraft | None:
    """Without the end of an answer that is longer than one above sections is to be."""
    if not draft.sections or words_in(draft.answer) <= MOST_ANSWER_WORDS:
        return None
    shorter = _shorter(draft.answer)
    return draft.changed(answer=shorter) if shorter else None


def _without_a_part(draft: ReportDraft) -> ReportDraft | None:
    """Without the last part of the last section, or its table; without sections, without the end of the answer."""
    if not draft.sections:
        shorter = _shorter(draft.answer) or draft.answer[:1]
        return draft.changed(answer=shorter) if len(shorter) < len(draft.answer) else None
    parts = by_question(draft.sections[-1].sentences)
    if parts:
        return _with_part(draft, len(draft.sections) - 1, len(parts) - 1, [])
    return draft.changed(sections=draft.sections[:-1])


@lru_cache(maxsize=256)
def _asked(question: str) -> int:
    """How many things a question asks."""
    return len(question_parts(question, report_language(question)))


def _shorter(part: Sequence[Sentence]) -> list[Sentence]:
    """A part without its last sentence, and without what only led to that; empty if nothing would be left of it."""
    kept = list(part[:-1])
    while kept and leads_in(kept[-1]):
        kept.pop()
    return kept


def _with_part(draft: ReportDraft, index: int, n: int, part: Sequence[Sentence]) -> ReportDraft:
    """The draft with another text of one part of one section; a section without anything is left out."""
    section = draft.sections[index]
    parts = by_question(section.sentences)
    sentences = list(chain.from_iterable((*parts[:n], part, *parts[n + 1 :])))
    changed = section.changed(sentences=sentences, table=section.table)
    kept: list[DraftSection] = [changed] if sentences or section.table else []
    return draft.changed(sections=[*draft.sections[:index], *kept, *draft.sections[index + 1 :]])
