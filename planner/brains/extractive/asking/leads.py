"""Find the second hop: a command, setting or option that the first pages name, and whose own page is not read yet."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import Final

from planner.brains.extractive.asking.queries import common_names, question_of
from planner.goal.language import report_language
from planner.outline.making import query_names
from research_crawler.core.models.decisions import Candidate, PlannerView
from research_crawler.core.models.findings import Finding
from research_crawler.core.ports.models import Embedder
from research_crawler.text.query_words import distinct_words, spelled_out
from research_crawler.text.ranking import cosine
from research_crawler.text.sentences import units
from research_crawler.text.words import terms

BEST_FINDINGS: Final = 12
MOST_HOP_NAMES: Final = 4
MOST_ABOUT: Final = 3
"""Most names of the question beside the one that is searched for."""
SAME_OPENING_CHARS: Final = 40
LEAST_NAME_CHARS: Final = 4
POOL: Final = 16
LEAST_NEAR: Final = 0.6
"""Most names that are compared with the question, and least sum of two cosines with it: of the name as words, and of
the sentence that has it. The name alone says little ("listen_addresses" for connections from other machines: 0.21,
with its sentence 0.65); the sentence alone is near for all names that it lists."""
MOST_SENTENCE_CHARS: Final = 300
MOST_HOP_QUERIES: Final = 2
_IDENTIFIER: Final = re.compile(
    r"(?<![\w./$@+-])(?:"
    r"[A-Za-z][\w.+-]*\(\d\w?\)"  # a page of the manual: git-gc(1)
    r"|[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+"  # pg_dump, shared_buffers
    r"|[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+"  # LimitRequestBody
    r"|[A-Z]{2,}[a-z]{3,}(?:[A-Z][a-z0-9]+)*"  # SSLEngine
    r"|[a-z][a-z0-9]*(?:\.[a-z]+[A-Z][A-Za-z]*)+"  # gc.pruneExpire
    r"|[A-Z]{4,} [A-Z]{4,}"  # CREATE INDEX
    r")(?![\w/])"
)
_SECTION: Final = re.compile(r"\(\d\w?\)$")


def identifiers_in(text: str) -> list[str]:
    """The identifiers in a text, each once, without the number of a manual's section: they are names by their form."""
    return list(dict.fromkeys(_SECTION.sub("", match.group()) for match in _IDENTIFIER.finditer(text)))


async def leads_of(view: PlannerView, embedder: Embedder) -> list[str]:
    """The names that the best findings mention and the question lacks, those nearest to it by meaning first.

    A name that stands in a heading above a finding, or at its beginning, is explained there: its page was read.
    """
    question = question_of(view.goal, view.task)
    known = set(terms(question))
    explained = {name for visit in view.visited for name in _title_names(visit.title)}
    for finding in view.findings:
        explained |= {
            name.lower()
            for name in identifiers_in(f"{finding.heading}\n{finding.claim[:SAME_OPENING_CHARS]}")
        }
    weight: defaultdict[str, float] = defaultdict(float)
    told: dict[str, str] = {}
    for finding in _best(view):
        sentences = [unit.text for unit in units(finding.quote)]
        for name in identifiers_in(finding.quote):
            is_known = name.lower() in explained or set(terms(name)) <= known
            if len(name) >= LEAST_NAME_CHARS and not is_known:
                weight[name] += finding.score
                told.setdefault(name, next((text for text in sentences if name in text), finding.claim))
    names = sorted(weight, key=lambda name: -weight[name])[:POOL]
    words = [spelled_out(name).lower() for name in names]
    around = [told[name][:MOST_SENTENCE_CHARS] for name in names]
    wanted, *vectors = await embedder.embed([question, *words, *around])
    near = {
        name: cosine(wanted, vector) + cosine(wanted, sentence)
        for name, vector, sentence in zip(names, vectors, vectors[len(names) :], strict=False)
    }
    return sorted((name for name in names if near[name] >= LEAST_NEAR), key=lambda name: -near[name])[
        :MOST_HOP_NAMES
    ]


def lead_query(view: PlannerView, names: Sequence[str]) -> str:
    """A search for the page of the first of these names that no search had yet; empty if there is none."""
    return next(iter(lead_queries(view, names)), "")


def lead_queries(view: PlannerView, names: Sequence[str]) -> list[str]:
    """Searches for the pages of the first of these names that no search had yet, with the names of the question.

    Beside a goal in another language these are the ones that pages in English have too.
    """
    searched = [frozenset(terms(search.query)) for search in view.searches]
    question = question_of(view.goal, view.task)
    names_too = query_names(question) if report_language(question) == "en" else common_names(question)
    about = names_too[:MOST_ABOUT]
    new = (name for name in names if not any(set(terms(name)) <= words for words in searched))
    queries = [" ".join(distinct_words([name, *about])) for name in new]
    return queries[: min(MOST_HOP_QUERIES, view.remaining_searches)]


def pages_of(names: Collection[str], candidates: Iterable[Candidate]) -> list[Candidate]:
    """The candidates whose title says that they are the page of one of these names."""
    wanted = {name.lower() for name in names}
    return [one for one in candidates if wanted & _title_names(one.result.title)]


def _best(view: PlannerView) -> list[Finding]:
    """The findings that answer a part of the question, else the best ones."""
    chosen = {id_ for leaf in view.outline.leaves for id_ in leaf.evidence}
    best = sorted(view.findings, key=lambda finding: (finding.id not in chosen, -finding.score))
    return best[:BEST_FINDINGS]


def _title_names(title: str) -> set[str]:
    """The identifiers of a title, and its first word: `psql`, `git-gc(1) Manual Page`, `LimitRequestBody Directive`."""
    first = _SECTION.sub("", title.split(maxsplit=1)[0].strip(":,–-")) if title.split() else ""
    return {name.lower() for name in [*identifiers_in(title), first] if name}
