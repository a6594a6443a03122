"""Turn a model's answers into decisions, labels, findings and drafts, without anything that it may not choose."""

from collections.abc import Iterable, Mapping
from typing import Final, assert_never

from planner.brains.model.answers.evidence_ids import cited_sentences, index_of, normal_id
from planner.brains.result_labels import priority_of
from planner.quality.shorter_queries import keywords_of
from prompts.answers import (
    PlannerAnswer,
    RecommenderAnswer,
    ScoredEntry,
    ScorerAnswer,
)
from prompts.schemas import BOTH, NO_OFFER
from research_crawler.core.brain_errors import BadAnswer
from research_crawler.core.models.evidence.findings import ENTRY_FIELDS
from research_crawler.core.models.jobs.decisions import (
    MOST_QUERY_CHARS,
    Decision,
    LabelRequest,
    PlannerView,
    ResultLabel,
)
from research_crawler.core.models.reports.drafts import AlternativePick, RecommendationDraft
from research_crawler.core.web.urls import canonical_url, dedupe_key
from research_crawler.text.measures.normal_quote import normal_quote
from research_crawler.text.source_types import source_type

_KINDS: Final = {name: kind for fields in ENTRY_FIELDS.values() for name, kind in fields.items()}
MOST_GOAL_WORDS: Final = 6
"""A goal of so few words is a query already."""
UNLABELLED_SCORE: Final = 0.25
"""Score of a result that the model was not shown or left out: lower than most that it labelled, but not too low to be
visited. Labels have one decimal, so that this one tells of itself that nobody has judged the result."""
OFF_SUBJECT_SCORE: Final = 0.1
"""Score of a result that the planner left out beside others that it labelled: it is about something else."""


def decision_from(answer: PlannerAnswer, view: PlannerView, shown: Mapping[str, str]) -> Decision:
    """The planner's decision, only with URLs that it was shown and within the allowances.

    Raises:
        BadAnswer: the action is not allowed now, or has no usable argument.
    """
    needed = {"search", "visit"} if answer.action == BOTH else {answer.action}
    if not needed <= set(view.allowed):
        raise BadAnswer(f"the model chose {answer.action}, which is not allowed now")
    reason = " ".join(answer.reason.split())
    urls = _shown_only([answer.url, *answer.urls], shown)[: max(1, view.remaining_visits)]
    match answer.action:
        case "done":
            return Decision(action="done", reason=reason, missing=_clean(answer.missing))
        case "ask_human":
            question = " ".join(answer.question.split())
            if not question:
                raise BadAnswer("the model wants to ask a person and gives no question")
            return Decision(action="ask_human", question=question, reason=reason)
        case "read_section":
            return _sections_from(answer, view, reason)
        case "search":
            return _search_from(answer, view, reason, beside=[])
        case "search_and_visit":
            return _search_from(answer, view, reason, beside=urls)
        case "visit":
            if not urls:
                raise BadAnswer("the model wants to visit pages that it was not shown")
            return Decision(action="visit", urls=urls, reason=reason)
        case unknown:
            assert_never(unknown)


def _sections_from(answer: PlannerAnswer, view: PlannerView, reason: str) -> Decision:
    """The sections of an answer that were shown and not read yet."""
    known = {f"S{n}": section for n, section in enumerate(view.unread_sections, start=1)}
    sections = [known[id_] for name in answer.sections if (id_ := normal_id(name, "S")) in known]
    if not sections:
        raise BadAnswer("the model wants to read sections that it was not shown")
    sections = list(dict.fromkeys(sections))[: max(1, view.remaining_visits)]
    return Decision(action="read_section", sections=sections, reason=reason)


def _search_from(answer: PlannerAnswer, view: PlannerView, reason: str, *, beside: list[str]) -> Decision:
    """The searches of an answer, and the pages that are visited beside them."""
    queries = [query for query in _clean([answer.query, *answer.queries]) if not canonical_url(query)]
    queries = [_as_query(query, view) for query in queries[: max(1, view.remaining_searches)]]
    if not queries:
        raise BadAnswer("the model wants to search and gives no query")
    return Decision(
        action="search",
        queries=queries,
        urls=beside,
        providers=_clean(answer.providers),
        reason=reason,
        expected_domains=_clean(answer.expected_domains),
    )


def labels_of_scorer(answer: ScorerAnswer, request: LabelRequest) -> list[ResultLabel]:
    """A label for every result, best first.

    Raises:
        BadAnswer: no entry belongs to a result.
    """
    shown = {f"R{n}": result.url for n, result in enumerate(request.results, start=1)}
    if not any(normal_id(entry.id, "R") in shown for entry in answer.results):
        raise BadAnswer("none of the model's labels belongs to a result")
    return labels_with_defaults(answer.results, request, shown)


def labels_with_defaults(
    entries: Iterable[ScoredEntry],
    request: LabelRequest,
    shown: Mapping[str, str],
    *,
    left_out: float = UNLABELLED_SCORE,
    most: int = 0,
) -> list[ResultLabel]:
    """A label for every result, best first: a default one where no entry has the result's id.

    Args:
        entries: the model's labels.
        request: the results.
        shown: the URLs of the results by their ids.
        left_out: score of a result that was shown and has no entry, if others have one.
        most: with so many entries, what has none may have lacked room; 0: there is room for all.
    """
    labels: dict[str, ResultLabel] = {}
    for entry in entries:
        url = shown.get(normal_id(entry.id, "R"), "")
        if url and url not in labels:
            priority = entry.priority or priority_of(entry.score)
            labels[url] = ResultLabel(url=url, score=entry.score, type=entry.type, priority=priority)
    seen = set(shown.values()) if labels and not (most and len(labels) >= most) else set()
    for result in request.results:
        kind = source_type(result.url, result.title, result.snippet)
        score = left_out if result.url in seen else UNLABELLED_SCORE
        labels.setdefault(
            result.url, ResultLabel(url=result.url, score=score, type=kind, priority=priority_of(score))
        )
    return sorted(labels.values(), key=lambda label: -label.score)


def recommendation_from(
    answer: RecommenderAnswer, offers: int, evidence: int, by: str
) -> RecommendationDraft:
    """The offer that the model chose among those shown, with the reasons that have evidence.

    Raises:
        BadAnswer: the model names an offer that does not exist, or gives no reason with evidence though there is
            evidence.
    """
    reasons = cited_sentences(answer.reasons, range(evidence))
    if answer.product.strip().casefold() == NO_OFFER:
        return RecommendationDraft(by=by, reasons=reasons)
    product = index_of(answer.product, "P", offers)
    if product is None:
        raise BadAnswer("the model recommends an offer that it was not shown")
    if evidence and not reasons:
        raise BadAnswer("no reason of the model's recommendation names existing evidence")
    others = {
        index: " ".join(one.why.split())
        for one in answer.alternatives
        if (index := index_of(one.product, "P", offers)) is not None and index != product
    }
    return RecommendationDraft(
        by=by,
        product=product,
        reasons=reasons,
        cautions=cited_sentences(answer.cautions, range(evidence)),
        alternatives=[AlternativePick(product=index, why=why) for index, why in others.items()],
    )


def _as_query(query: str, view: PlannerView) -> str:
    """The query; a goal that is handed over as it stands becomes its keywords."""
    asked, goal = (normal_quote(text).rstrip("?!. ") for text in (query, view.goal))
    is_goal = asked == goal and len(query.split()) > MOST_GOAL_WORDS
    return keywords_of(query) or query if is_goal else query


def _shown_only(named: Iterable[str], shown: Mapping[str, str]) -> list[str]:
    """The URLs for the ids or URLs in `named` that were shown, each once; everything else is dropped."""
    by_url = {dedupe_key(url): url for url in shown.values()}
    found: dict[str, None] = {}
    for name in named:
        text = name.strip().strip("[]<>.")
        url = shown.get(text.upper()) or by_url.get(dedupe_key(text), "") if text else ""
        if url:
            found.setdefault(url)
    return list(found)


def _clean(texts: Iterable[str]) -> list[str]:
    folded = (" ".join(text.split())[:MOST_QUERY_CHARS] for text in texts)
    return list(dict.fromkeys(text for text in folded if text))
