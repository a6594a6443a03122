"""The search results of a job: merged from all searches, labelled by the scorer, cut to the size of their field."""

import re
from collections.abc import Iterable, Sequence

from research_crawler.core.models.decisions import ResultLabel
from research_crawler.core.models.events import SearchResult
from research_crawler.core.models.jobs import ScoredResult
from research_crawler.core.models.pages import Link
from research_crawler.core.web.urls import canonical_url

MAX_SNIPPET, SHORT_SNIPPET, MAX_TITLE = 300, 100, 160
LINKS_PER_PAGE = 5
LINK_SCORE = 0.4
"""Highest score of a link. Only its anchor text is known, so it ranks below what a scorer calls useful (0.5)."""

_WORD = re.compile(r"[^\W_]{3,}")


def merge_results(
    known: Sequence[ScoredResult], new: Iterable[SearchResult], *, search: int
) -> tuple[list[ScoredResult], int]:
    """The known results and those of a search together, best first, and how many of them are new."""
    merged = {result.url: result for result in known}
    added = 0
    for result in new:
        url = canonical_url(result.url)
        if not url:
            continue
        if url in merged:
            merged[url] = _seen_again(merged[url], result, search)
        else:
            merged[url] = _unscored(result, url, search)
            added += 1
    return best_first(merged.values()), added


def link_results(known: Sequence[ScoredResult], links: Iterable[Link], *, about: str) -> list[ScoredResult]:
    """The links of a visited page whose anchor text shares words with the goal, as results without a search."""
    goal, taken = _words(about), {result.url for result in known}
    scored = []
    for link in links:
        url, words = canonical_url(link.url), _words(link.text)
        shared = goal & words
        if not url or url in taken or len(shared) < min(2, len(goal)) or not shared:
            continue
        taken.add(url)
        score = round(LINK_SCORE * len(shared) / len(goal), 3)
        scored.append(ScoredResult(url=url, title=link.text.strip()[:MAX_TITLE], score=score))
    return sorted(scored, key=lambda r: -r.score)[:LINKS_PER_PAGE]


def apply_labels(results: Sequence[ScoredResult], labels: Iterable[ResultLabel]) -> list[ScoredResult]:
    """The results with the scorer's labels, best first; results without a label keep their first score."""
    by_url = {canonical_url(label.url) or label.url: label for label in labels}

    def labelled(result: ScoredResult) -> ScoredResult:
        label = by_url.get(result.url)
        if label is None or result.scored:
            return result.changed(scored=True)
        return result.changed(score=label.score, type=label.type, priority=label.priority, scored=True)

    return best_first(labelled(result) for result in results)


def unscored_results(results: Iterable[ScoredResult]) -> list[SearchResult]:
    """The results that the scorer has not seen yet, in the order of the search engines."""
    waiting = sorted((r for r in results if not r.scored), key=lambda r: (-r.fused, r.rank))
    shared_fields = SearchResult.model_fields.keys() & ScoredResult.model_fields.keys()
    return [SearchResult(**{name: getattr(r, name) for name in shared_fields}) for r in waiting]


def best_first(results: Iterable[ScoredResult]) -> list[ScoredResult]:
    """The results by score, those that the scorer would skip last; ties keep the search engines' order."""
    return sorted(results, key=lambda r: (r.priority == "skip", -r.score, -r.fused, r.rank, r.url))


def trimmed_results(results: Sequence[ScoredResult], room: int) -> list[ScoredResult]:
    """As many of the best results as fit into `room` bytes; if not all fit, long snippets are cut first."""
    if sum(len(r.model_dump_json().encode()) + 1 for r in results) > room - 2:
        results = [r.changed(snippet=r.snippet[:SHORT_SNIPPET]) for r in results]
    fitting, room = [], room - 2
    for result in results:
        room -= len(result.model_dump_json().encode()) + 1
        if room < 0:
            break
        fitting.append(result)
    return fitting


def _unscored(result: SearchResult, url: str, search: int) -> ScoredResult:
    return ScoredResult(
        url=url,
        title=result.title[:MAX_TITLE],
        snippet=result.snippet[:MAX_SNIPPET],
        score=max(0.1, round(0.5 - 0.01 * result.rank, 2)),
        published=result.published,
        providers=result.providers,
        search=search,
        rank=result.rank,
        fused=result.fused,
        scored=False,
    )


def _seen_again(known: ScoredResult, again: SearchResult, search: int) -> ScoredResult:
    more = known.changed(
        providers=list(dict.fromkeys([*known.providers, *again.providers])),
        fused=max(known.fused, again.fused),
        published=known.published or again.published,
    )
    if known.search == 0:  # it was only a link until now: the snippet of a search says more to the scorer
        more = more.changed(search=search, snippet=again.snippet[:MAX_SNIPPET], scored=False)
    return more


def _words(text: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(text)}
