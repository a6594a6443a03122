"""The second hop: what the best evidence names or links, and whose own page is not read yet."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from planner.brains.extractive.nearness import Compared, Near
from planner.brains.questions import question_of
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.decisions import PlannerView
from research_crawler.core.web.urls import dedupe_key
from research_crawler.text.languages.language import detect
from research_crawler.text.languages.proper_names import proper_names
from research_crawler.text.languages.sentences import plain
from research_crawler.text.languages.words import terms
from research_crawler.text.questions.query_words import distinct_words, is_code, query_words

HOP_REASON: Final = "The pages name it; what is asked of it they do not say."
_MOST_LEADING: Final = 8
"""Most findings that may lead on, the nearest to the question."""
ALL_SAID: Final = 0.7
"""Share of the question's words in one finding from which nothing leads on: of 30 two-hop questions five have it, of 25
on manuals fourteen."""
MOST_LINKS: Final = 3
"""Most links that are followed at once."""
MOST_UNSAID: Final = 4
"""Most words of the question in the search for a name."""
MOST_NAME_WORDS: Final = 6


@dataclass(frozen=True)
class Hop:
    """What leads on: a page that the evidence links, or the search for a name."""

    name: str
    url: str = ""
    query: str = ""


def hops_of(view: PlannerView, near: Compared, vector: Sequence[float]) -> list[Hop]:
    """The pages that the best evidence links, from the line that fits the question best; else searches for a name.

    Args:
        view: what is known.
        near: its findings.
        vector: that of the question.
    """
    question = question_of(view.goal, view.task)
    fits = near.with_question(question, vector)
    if not leads_on(fits):
        return []
    order = sorted(range(len(fits)), key=lambda place: -fits[place].fit)[:_MOST_LEADING]
    best = [(fits[place].fit, view.findings[place]) for place in order]
    asked = frozenset(terms(question, detect(question)))
    linked = _linked(view, best, asked, near, question)
    return linked[:MOST_LINKS] or _named(view, best, asked, near)


def leads_on(fits: Sequence[Near]) -> bool:
    """Whether no finding has most of the question's words, so that what it names may have the rest."""
    return max((one.coverage for one in fits), default=0.0) < ALL_SAID


def _linked(
    view: PlannerView,
    best: Sequence[tuple[float, Finding]],
    asked: frozenset[str],
    near: Compared,
    question: str,
) -> list[Hop]:
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
    worth: dict[str, tuple[float, Hop]] = {}
    for fit, finding in best:
        for line in map(plain, filter(_is_row, finding.quote.splitlines())):
            named = [link for link in links if link.title in line]
            of_line = fit + near.share(question, line) if named else 0.0
            for link in named:
                if link.url not in worth or worth[link.url][0] < of_line:
                    worth[link.url] = (of_line, Hop(link.title, url=link.url))
    return [hop for _, hop in sorted(worth.values(), key=lambda one: -one[0])]


def _is_row(line: str) -> bool:
    return line.lstrip().startswith("|")


def _named(
    view: PlannerView, best: Sequence[tuple[float, Finding]], asked: frozenset[str], near: Compared
) -> list[Hop]:
    """The search for the name that the best evidence gives most, with the words of the question that it lacks."""
    question = question_of(view.goal, view.task)
    unsaid = [word for word in query_words(question) if not set(terms(word)) & near.known]
    titles = {term for visit in view.visited for term in terms(visit.title)}
    counts: defaultdict[str, float] = defaultdict(float)
    for fit, finding in best:
        for name in dict.fromkeys(proper_names(plain(finding.quote))):
            if _is_name(name, asked) and not set(terms(name)) <= titles:
                counts[name] += fit
    searched = [frozenset(terms(search.query)) for search in view.searches]
    new = (
        name
        for name in sorted(counts, key=lambda name: -counts[name])
        if not any(set(terms(name)) <= one for one in searched)
    )
    name = next(new, "")
    own = frozenset(terms(name))
    pages = [one.result.url for one in view.candidates if own and own <= frozenset(terms(one.result.title))]
    about = unsaid or query_words(question)
    query = " ".join(distinct_words([name, *about[:MOST_UNSAID]]))
    return [Hop(name, query=query), *(Hop(name, url=url) for url in pages[:1])] if name else []


def _is_name(text: str, asked: Collection[str]) -> bool:
    """Whether a text is a name or code that the question does not have."""
    words = text.split()
    is_named = text[:1].isupper() or is_code(text) or "_" in text
    return is_named and len(words) <= MOST_NAME_WORDS and not frozenset(terms(text)) <= frozenset(asked)


def linked_from(finding: Finding, others: Sequence[Finding]) -> bool:
    """Whether a finding of another page names the page of this one by its title."""
    title = finding.title.partition(" - ")[0].strip()
    return bool(title) and any(other.url != finding.url and title in plain(other.quote) for other in others)
