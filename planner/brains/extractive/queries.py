"""Search queries without a model: from the caller's words, and from what reading has shown to be missing."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from planner.text.ranking import cosine
from planner.text.subject import names_in, subject_of
from planner.text.words import content_words, stem, terms
from research_crawler.core.model_ports import Embedder
from research_crawler.core.models.decisions import PlannerView
from research_crawler.core.models.findings import Finding

MAX_WORDS = 12
"""Engines weigh every word; beyond a dozen they mostly add noise."""
CONTEXT_WORDS = 5
"""Words borrowed from the conversation before: fewer than a question's own, so that they do not drown it."""
FEEDBACK_WORDS, FEEDBACK_POOL, MIN_FEEDBACK_CHARS = 3, 24, 4
"""Words borrowed from findings (pseudo-relevance feedback, Rocchio 1971); few, since they may drift."""
NAME_WEIGHT = 2.0
"""A name that good findings share is the likeliest lead."""
NOW = re.compile(
    r"\b(?:best|cheap(?:est)?|current(?:ly)?|latest|newest|now|recent(?:ly)?|today|this year)\b", re.I
)
"""Words that ask for the state of things now: their query carries the year of the clock."""
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
BRACKETED = re.compile(r"\(([^)]+)\)")
SPLIT = re.compile(r"[?;,]+|\b(?:and|und|et|as well as|or|oder|ou)\b", re.I)
TALK = frozenset(
    ("conversation", "discussed", "discussing", "discussion", "earlier", "previous", "talk", "talked")
)
"""Words about the conversation rather than of its subject."""
OTHER_WAYS = ("explained", "guide details", "experiences forum", "facts figures")
"""Said beside the subject when everything else has been asked: each finds other kinds of pages."""


def question_of(goal: str, task: str) -> str:
    """What is to be found out: the caller's words, then the task where there is one."""
    return f"{goal} {task}".strip() if task and task not in goal else goal


def aspects(question: str) -> list[str]:
    """The parts of a question that can be answered apart; empty where it has only one."""
    parts = [part.strip() for part in SPLIT.split(question)]
    parts = [part for part in parts if len(content_words(part)) > 1]
    return list(dict.fromkeys(parts)) if len(parts) > 1 else []


def first_query(view: PlannerView) -> str:
    """Keywords of goal and task, the subject of the talk before and, where the wording asks, the year."""
    words = content_words(question_of(view.goal, view.task))[:MAX_WORDS]
    words += _context_words(view, {stem(word.lower()) for word in words})
    if view.intent == "commerce" and "review" not in {stem(word.lower()) for word in words}:
        words.append("reviews")
    return " ".join(words + _year(view))


def next_query(
    view: PlannerView, gaps: Sequence[str] = (), feedback: Sequence[str] = (), *, different: bool = False
) -> str:
    """A query not asked before: what is missing, else what findings suggest, else another kind of page.

    `gaps` are parts of the question without an answer, `feedback` words learned from findings. `different`
    skips what is mostly an old query with fewer words. "" where nothing is left.
    """
    asked = {frozenset(terms(search.query)) for search in view.searches}
    options = _options(view, gaps, feedback)
    if different:
        options = (option for option in options if not _is_near(option, asked))
    return next((option for option in options if option and frozenset(terms(option)) not in asked), "")


def uncovered(question: str, findings: Sequence[Finding]) -> list[str]:
    """Content words of the question that no finding's quote or title has, in order."""
    known = {term for finding in findings for term in terms(f"{finding.quote} {finding.title}")}
    return [word for word in content_words(question) if stem(word.lower()) not in known]


def _options(view: PlannerView, gaps: Sequence[str], feedback: Sequence[str]) -> Iterator[str]:
    question = question_of(view.goal, view.task)
    words = content_words(question)[:MAX_WORDS]
    core = _core(question) or words[:4]
    if not view.searches:
        yield first_query(view)
    for gap in gaps:
        yield _joined(core, content_words(gap))
    if feedback:
        yield _joined(feedback, words[: MAX_WORDS // 2])
    missing = uncovered(question, view.findings)
    if 1 < len(missing) < len(words):
        yield _joined(core, missing)
    for part in _least_covered(aspects(question), view.findings):
        yield _joined(core, content_words(part))
    yield " ".join(words)
    for way in OTHER_WAYS:
        yield _joined(core, way.split())


async def feedback_words(question: str, findings: Sequence[Finding], embedder: Embedder) -> list[str]:
    """Words that the best findings use and the question lacks: names first, then what is near in meaning."""
    asked = set(terms(question))
    weight: defaultdict[str, float] = defaultdict(float)
    spelled: dict[str, str] = {}
    for finding in findings:
        names = names_in(finding.quote)
        for word in content_words(finding.quote):
            key = stem(word.lower())
            if key in asked or len(key) < MIN_FEEDBACK_CHARS or any(char.isdigit() for char in key):
                continue
            spelled.setdefault(key, word)
            weight[key] += finding.score * (NAME_WEIGHT if key in names else 1.0)
    keys = sorted(weight, key=lambda key: -weight[key])[:FEEDBACK_POOL]
    if not keys:
        return []
    centre, *vectors = await embedder.embed([question, *(spelled[key] for key in keys)])
    value = {key: weight[key] * max(0.0, cosine(centre, v)) for key, v in zip(keys, vectors, strict=True)}
    return [spelled[key] for key in sorted(keys, key=lambda key: -value[key])[:FEEDBACK_WORDS]]


def _core(question: str) -> list[str]:
    """The question's names and numbers, in order."""
    subject = subject_of(question)
    return [
        word
        for word in content_words(question)
        if stem(word.lower()) in subject.words or word in subject.years
    ][:6]


def _least_covered(parts: list[str], findings: Sequence[Finding]) -> list[str]:
    text = {term for finding in findings for term in terms(finding.quote)}

    def covered(part: str) -> float:
        wanted = set(terms(part))
        return len(wanted & text) / (len(wanted) or 1)

    return sorted(parts, key=covered)


def _context_words(view: PlannerView, known: set[str]) -> list[str]:
    """Subject of the talk before: the topic (what stands in brackets, if anything), then the prior turn."""
    inner = BRACKETED.findall(view.topic)
    words = content_words(f"{' '.join(inner) or view.topic} {view.prior_turn_context}")
    fresh = [word for word in words if stem(word.lower()) not in known and word.lower() not in TALK]
    return fresh[:CONTEXT_WORDS] if view.prior_turn_context or inner else fresh[:2]


def _year(view: PlannerView) -> list[str]:
    asked = f"{view.goal} {view.task}"
    wants = view.intent == "commerce" or NOW.search(asked)
    return [str(view.year)] if view.year and wants and not _YEAR.search(asked) else []


def _joined(*groups: Iterable[str]) -> str:
    words: dict[str, str] = {}
    for word in (word for group in groups for word in group):
        words.setdefault(stem(word.lower()), word)
    return " ".join(list(words.values())[:MAX_WORDS])


def _is_near(query: str, asked: set[frozenset[str]]) -> bool:
    """Whether a query has no word of its own beside one asked before."""
    own = frozenset(terms(query))
    return any(own <= other for other in asked)
