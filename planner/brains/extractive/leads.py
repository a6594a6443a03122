"""Find the second hop: a command, setting or option that the first pages name, and whose own page is not read yet."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import Final

from planner.brains.extractive.queries import question_of
from planner.outline.making import query_names
from planner.text.words import terms
from research_crawler.core.models.decisions import Candidate, PlannerView
from research_crawler.core.models.findings import Finding

NAMED_BY: Final = 2
"""A name that so many of the best findings have is what they are about; one of them alone may mention it in passing."""
BEST_FINDINGS: Final = 12
MOST_NAMES: Final = 4
_IDENTIFIER: Final = re.compile(
    r"(?<![\w./$@-])(?:"
    r"[A-Za-z][\w.+-]*\(\d\w?\)"  # a page of the manual: git-gc(1)
    r"|[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+"  # pg_dump, shared_buffers
    r"|[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+"  # LimitRequestBody
    r"|[a-z][a-z0-9]*(?:\.[a-z]+[A-Z][A-Za-z]*)+"  # gc.pruneExpire
    r")(?![\w/])"
)
_SECTION: Final = re.compile(r"\(\d\w?\)$")


def named_in(text: str) -> list[str]:
    """The identifiers in a text, each once, without the number of a manual's section: they are names by their form."""
    return list(dict.fromkeys(_SECTION.sub("", match.group()) for match in _IDENTIFIER.finditer(text)))


def leads_of(view: PlannerView) -> list[str]:
    """The names that the best findings share and the question lacks, without those whose own page was read."""
    known = set(terms(question_of(view.goal, view.task)))
    read = {name for visit in view.visited for name in _title_names(visit.title)}
    weight: defaultdict[str, float] = defaultdict(float)
    count: defaultdict[str, int] = defaultdict(int)
    for finding in _best(view):
        for name in named_in(f"{finding.heading}\n{finding.quote}"):
            weight[name] += finding.score
            count[name] += 1
    shared = [
        name
        for name in weight
        if count[name] >= NAMED_BY and name.lower() not in read and not set(terms(name)) <= known
    ]
    return sorted(shared, key=lambda name: -weight[name])[:MOST_NAMES]


def lead_query(view: PlannerView, names: Sequence[str]) -> str:
    """A search for the page of the first of these names that no search had yet: with the names of the question."""
    searched = [frozenset(terms(search.query)) for search in view.searches]
    about = query_names(question_of(view.goal, view.task))
    for name in names:
        if not any(set(terms(name)) <= words for words in searched):
            return " ".join([name, *(word for word in about if word.lower() != name.lower())])
    return ""


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
    return {name.lower() for name in [*named_in(title), first] if name}
