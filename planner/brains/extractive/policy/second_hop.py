"""The second hop: the pages that the best evidence links, or a search with the words that weigh most in it."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from planner.brains.extractive.nearness import Similarity, SimilarityIndex, excerpt_in_context
from planner.brains.question_and_outline import question_to_answer
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.decisions import PlannerView
from research_crawler.core.web.urls import dedupe_key
from research_crawler.text.languages.language import detect
from research_crawler.text.languages.sentences import without_markdown
from research_crawler.text.languages.words import content_words, stem, terms
from research_crawler.text.measures.likeness import Bm25
from research_crawler.text.questions.query_words import most_words, query_words

EVIDENCE_SEARCH_REASON: Final = "These words weigh most in the best excerpts of what was read."
_MOST_LEADING: Final = 8
"""Most findings that may lead on, the nearest to the question."""
NO_HOP_MIN_WORD_SHARE: Final = 0.7
"""Share of the question's words in one finding from which nothing leads on: of 30 two-hop questions five have it, of 25
on manuals fourteen."""
MOST_LINKS: Final = 3
"""Most links that are followed at once."""
QUESTION_WORDS, EVIDENCE_WORDS = 4, 4
"""Words of a search by the best evidence: so many of the question, and the heaviest of the evidence. Of 130 facts on
manuals, 117 stand on six pages of which such a search found the last two, 110 on those of the first search alone; with
5 and 5, 6 and 4, or 4 and 2 of them 113 to 116."""

WEIGHED_MIN_SHARE: Final = 0.5
"""Least score of a finding whose words count for the next search, as a share of its page's best: weaker ones are kept
so that sections stay whole, and have other words. With them, a question on quotas searched for `add` instead of
`group`, and the one page with all four facts was not found."""


@dataclass(frozen=True)
class NextHop:
    """What leads on: a page that the evidence links, or a search."""

    name: str = ""
    url: str = ""
    query: str = ""


def next_hops(view: PlannerView, index: SimilarityIndex, vector: Sequence[float]) -> list[NextHop]:
    """The pages that the best evidence links, from the line that fits the question best; else a search by its words.

    Args:
        view: what is known.
        index: its findings.
        vector: that of the question.
    """
    question = question_to_answer(view.goal, view.task)
    fits = index.similarities_to(question, vector)
    order = sorted(range(len(fits)), key=lambda number: -fits[number].fit)
    ranked = [(fits[number].fit, view.findings[number]) for number in order]
    best = ranked[:_MOST_LEADING]
    asked = frozenset(terms(question, detect(question)))
    linked = _linked(view, best, asked, index, question) if leaves_words_open(fits) else []
    if linked or "search" not in view.allowed:
        return linked[:MOST_LINKS]
    return _by_words(question, _near_best_of_page(ranked), asked)


def leaves_words_open(fits: Sequence[Similarity]) -> bool:
    """Whether no finding has most of the question's words, so that what it names may have the rest."""
    return max((one.coverage for one in fits), default=0.0) < NO_HOP_MIN_WORD_SHARE


def _linked(
    view: PlannerView,
    best: Sequence[tuple[float, Finding]],
    asked: frozenset[str],
    index: SimilarityIndex,
    question: str,
) -> list[NextHop]:
    """The links of read pages whose text stands in a row of the best evidence, those of the row that fits best first.

    A row names what it is about and says little of it; what a sentence names is mostly beside the question. What the
    question names itself, and the label of a row, lead to nothing new.
    """
    visited = {dedupe_key(url) for visit in view.visited for url in (visit.url, visit.final_url) if url}
    links = [
        candidate.result
        for candidate in view.candidates
        if not candidate.result.search
        and not frozenset(terms(candidate.result.title)) <= asked
        and not candidate.result.title.endswith(":")
        and dedupe_key(candidate.result.url) not in visited
    ]
    worth: dict[str, tuple[float, NextHop]] = {}
    for fit, finding in best:
        for line in map(without_markdown, filter(_is_row, finding.quote.splitlines())):
            named = [link for link in links if link.title in line]
            of_line = fit + index.share(question, line) if named else 0.0
            for link in named:
                if link.url not in worth or worth[link.url][0] < of_line:
                    worth[link.url] = (of_line, NextHop(link.title, url=link.url))
    return [hop for _, hop in sorted(worth.values(), key=lambda one: -one[0])]


def _is_row(line: str) -> bool:
    return line.lstrip().startswith("|")


def _near_best_of_page(ranked: Sequence[tuple[float, Finding]]) -> list[tuple[float, Finding]]:
    """The findings that come near to the best one of their page."""
    best_of: defaultdict[str, float] = defaultdict(float)
    for _, one in ranked:
        best_of[one.url] = max(best_of[one.url], one.score)
    return [(fit, one) for fit, one in ranked if one.score >= WEIGHED_MIN_SHARE * best_of[one.url]]


def _by_words(question: str, ranked: Sequence[tuple[float, Finding]], asked: frozenset[str]) -> list[NextHop]:
    """The search with the first words of the question and those that weigh most in the best evidence.

    A manual seldom has the words of who asks: pages near to the question have them. Source: pseudo relevance feedback
    (Lavrenko and Croft 2001, relevance models; Abdul-Jaleel et al. 2004, RM3).
    """
    language = detect(question)
    known = Bm25([excerpt_in_context(one.title, one.heading, one.claim) for _, one in ranked], language)
    worth: defaultdict[str, float] = defaultdict(float)
    written: dict[str, str] = {}
    for fit, finding in ranked[:_MOST_LEADING]:
        for word in content_words(finding.claim, language):
            term = stem(word, language)
            if term not in asked and len(term) > 2 and not term.isdigit():
                worth[term] += fit**2 * known.idf(term)
                written.setdefault(term, word)
    heaviest = sorted(worth, key=lambda term: -worth[term])[:EVIDENCE_WORDS]
    words = [*most_words(query_words(question), QUESTION_WORDS), *(written[term] for term in heaviest)]
    return [NextHop(query=" ".join(words))] if heaviest else []


def linked_from(finding: Finding, others: Sequence[Finding]) -> bool:
    """Whether a finding of another page names the page of this one by its title."""
    title = finding.title.partition(" - ")[0].strip()
    return bool(title) and any(
        other.url != finding.url and title in without_markdown(other.quote) for other in others
    )
