"""Write search queries without a model, from the caller's words and from what is still missing."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from urllib.parse import unquote, urlsplit

from planner.goal.about import BRACKETED
from planner.goal.language import report_language
from planner.outline.making import first_outline, leaf_texts, query_names
from research_crawler.core.models.decisions import PlannerView
from research_crawler.core.models.findings import Finding
from research_crawler.core.ports.models import Embedder
from research_crawler.core.web.urls import host_of
from research_crawler.text.query_words import distinct_words, is_code, most_words, query_words
from research_crawler.text.ranking import cosine
from research_crawler.text.subject import names_in
from research_crawler.text.words import content_words, stem, terms

MAX_WORDS = 12
"""Most words of a query. Engines weigh every word; more than a dozen mostly add noise."""
CONTEXT_WORDS = 5
"""Most words from the earlier conversation: fewer than the question's own, so that those still dominate."""
FEEDBACK_WORDS, FEEDBACK_POOL, MIN_FEEDBACK_CHARS, FEEDBACK_PAGES = 2, 24, 4, 2
"""Words taken from findings (pseudo-relevance feedback, Rocchio 1971): few, because they may lead off the subject, and
only those that the findings of several pages have: what one page names beside the matter is another one's subject."""
MOST_CORE, FEWEST_NAMES = 6, 2
NAME_WEIGHT = 2.0
"""Weight of a name, because names that good findings share are the most promising words."""
NOW = re.compile(
    r"\b(?:best|cheap(?:est)?|current(?:ly)?|latest|newest|now|recent(?:ly)?|today|this year)\b", re.I
)
"""Words that ask for something current; a query for such a goal contains the current year."""
_PROCEDURE = re.compile(
    r"\b(?:how (?:do|can|should|would|does|is|to)|why|wie (?:kann|muss|soll)|warum|comment|pourquoi|cómo)\b",
    re.I,
)
"""A question about how or why something is done: what it calls new is a thing, and no news."""
MAX_QUESTION_WORDS = 24
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_URL = re.compile(r"https?://[^\s<>\"'`]++", re.I)
TALK = frozenset(
    ("conversation", "discussed", "discussing", "discussion", "earlier", "previous", "talk", "talked")
)
"""Words about the conversation itself, not about its subject."""
OTHER_WAYS = ("explained", "guide details", "experiences forum", "facts figures")
"""Words added to the subject when all other queries were used: each finds other kinds of pages."""


def question_of(goal: str, task: str) -> str:
    """The question to answer: the goal, and the task if there is one, with the sites' names for URLs.

    The words of a URL say little about what is asked; the page itself is visited.
    """
    question = f"{goal} {task}".strip() if task and task not in goal else goal
    named = _URL.sub(lambda match: host_of(match.group()).removeprefix("www."), question)
    return named if len(content_words(named)) > 1 else _URL.sub(_site_and_path, question)


def _site_and_path(match: re.Match[str]) -> str:
    """A URL as words, for a question that is hardly more than this URL."""
    path = re.findall(r"[^\W\d_]{3,}", unquote(urlsplit(match.group()).path))
    return " ".join([host_of(match.group()).removeprefix("www."), *path])


@lru_cache(maxsize=256)
def aspects(question: str) -> Sequence[str]:
    """The parts of a question that can be answered separately, each with its subject; empty if it has only one."""
    leaves = first_outline(question, by="").leaves
    return leaf_texts(leaves) if len(leaves) > 1 else []


def first_query(view: PlannerView) -> str:
    """The keywords of goal and task, the subject of the earlier conversation and, if the goal needs it, the year."""
    question = question_of(view.goal, view.task)
    words = most_words(query_words(question), MAX_WORDS) or question.split()[:MAX_WORDS]
    words += _context_words(view, {stem(word.lower()) for word in words})
    if view.intent == "commerce" and "review" not in {stem(word.lower()) for word in words}:
        words.append("reviews")
    return " ".join(words + _year(view))


def common_names(question: str) -> list[str]:
    """The names of a question that are the same in every language: code, versions, words with a capital inside.

    `PostgreSQL-Datenbank` has `PostgreSQL`.
    """
    parts = (
        part
        for word in query_words(question)
        for part in ([word] if is_code(word) or '"' in word else word.split("-"))
    )
    return distinct_words(
        part for part in parts if is_code(part) or part[1:] != part[1:].lower() or any(map(str.isdigit, part))
    )


def english_query(view: PlannerView) -> str:
    """The names of a goal in another language, as pages in English have them; empty if these are too few."""
    question = question_of(view.goal, view.task)
    names = common_names(question) if report_language(question) != "en" else []
    return " ".join(most_words(names, MAX_WORDS)) if len(names) >= FEWEST_NAMES else ""


def asked_query(view: PlannerView) -> str:
    """The question as it was asked, in one line: its small words ("two at once", "not") find what keywords miss.

    Empty if that is hardly more than its keywords, or too long for an engine.
    """
    question = " ".join(question_of(view.goal, view.task).split())
    words = question.split()
    is_more = len(words) > len(content_words(question)) + 1
    return question.rstrip("?!. ") if is_more and len(words) <= MAX_QUESTION_WORDS else ""


def next_query(
    view: PlannerView, gaps: Sequence[str] = (), feedback: Sequence[str] = (), *, different: bool = False
) -> str:
    """A new query: for what is missing, else by words of the findings, else for another kind of page.

    Args:
        gaps: parts of the question without an answer.
        feedback: words learned from findings.
        different: skip queries whose words are all in one earlier query.

    Returns:
        The query, or "" if no new one is left.
    """
    used = {frozenset(terms(search.query)) for search in view.searches}
    options = _options(view, gaps, feedback)
    if different:
        options = (option for option in options if not _is_near(option, used))
    return next((option for option in options if option and frozenset(terms(option)) not in used), "")


def other_queries(view: PlannerView, used: Sequence[str]) -> list[str]:
    """The queries that these leave: the subject with words of other kinds of pages."""
    known = {frozenset(terms(query)) for query in used}
    return [option for option in _options(view, (), ()) if option and frozenset(terms(option)) not in known]


def _options(view: PlannerView, gaps: Sequence[str], feedback: Sequence[str]) -> Iterator[str]:
    question = question_of(view.goal, view.task)
    words = most_words(query_words(question), MAX_WORDS)
    core = query_names(question)[:MOST_CORE] or words[:4]
    if not view.searches:
        yield first_query(view)
    for gap in gaps:
        yield _joined(core, query_words(gap))
    if feedback:
        yield _joined(words[: MAX_WORDS // 2], feedback)
    for part in _least_covered(aspects(question), view.findings):
        yield _joined(core, query_words(part))
    yield " ".join(words)
    for way in OTHER_WAYS:
        yield _joined(core, way.split())


async def feedback_words(question: str, findings: Sequence[Finding], embedder: Embedder) -> list[str]:
    """Words that findings of several pages use and the question lacks, those nearest to the question first."""
    question_terms = set(terms(question))
    weight: defaultdict[str, float] = defaultdict(float)
    spelled: dict[str, str] = {}
    pages: defaultdict[str, set[str]] = defaultdict(set)
    for finding in findings:
        names = names_in(finding.quote)
        for word in content_words(finding.quote):
            key = stem(word.lower())
            if key in question_terms or len(key) < MIN_FEEDBACK_CHARS or any(char.isdigit() for char in key):
                continue
            spelled.setdefault(key, word)
            pages[key].add(finding.url)
            weight[key] += finding.score * (NAME_WEIGHT if key in names else 1.0)
    shared = (key for key in weight if len(pages[key]) >= FEEDBACK_PAGES)
    keys = sorted(shared, key=lambda key: -weight[key])[:FEEDBACK_POOL]
    if not keys:
        return []
    centre, *vectors = await embedder.embed([question, *(spelled[key] for key in keys)])
    value = {key: weight[key] * max(0.0, cosine(centre, v)) for key, v in zip(keys, vectors, strict=True)}
    return [spelled[key] for key in sorted(keys, key=lambda key: -value[key])[:FEEDBACK_WORDS]]


def _least_covered(parts: Sequence[str], findings: Sequence[Finding]) -> list[str]:
    text = {term for finding in findings for term in terms(finding.quote)}

    def covered(part: str) -> float:
        wanted = set(terms(part))
        return len(wanted & text) / (len(wanted) or 1)

    return sorted(parts, key=covered)


def _context_words(view: PlannerView, known: set[str]) -> list[str]:
    """The subject of the earlier conversation: from the topic (the part in brackets, if any) and the prior turn."""
    in_brackets = BRACKETED.findall(view.topic)
    words = content_words(f"{' '.join(in_brackets) or view.topic} {view.prior_turn_context}")
    fresh = [word for word in words if stem(word.lower()) not in known and word.lower() not in TALK]
    return fresh[:CONTEXT_WORDS] if view.prior_turn_context or in_brackets else fresh[:2]


def _year(view: PlannerView) -> list[str]:
    """The current year as a word of the query, if the goal asks for something current and names no year."""
    question = f"{view.goal} {view.task}"
    is_current = view.intent == "commerce" or (NOW.search(question) and not _PROCEDURE.search(question))
    return [str(view.year)] if view.year and is_current and not _YEAR.search(question) else []


def _joined(*groups: Iterable[str]) -> str:
    return " ".join(most_words(distinct_words(word for group in groups for word in group), MAX_WORDS))


def _is_near(query: str, used: set[frozenset[str]]) -> bool:
    """Whether all words of a query are in one earlier query."""
    own = frozenset(terms(query))
    return any(own <= other for other in used)
