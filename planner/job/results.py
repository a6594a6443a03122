"""The search results of a job: merged from all searches, labelled by the scorer, cut to the size of their field."""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from research_crawler.core.models.jobs.decisions import ResultLabel
from research_crawler.core.models.jobs.records import ScoredResult
from research_crawler.core.models.messages.events import SearchResult
from research_crawler.core.models.web.pages import Link
from research_crawler.core.web.urls import canonical_url, dedupe_key
from research_crawler.text.languages.language import detect
from research_crawler.text.languages.sentences import without_markdown
from research_crawler.text.languages.words import terms
from research_crawler.text.questions.query_words import settings_in, spelled_out

MAX_SNIPPET, SHORT_SNIPPET, MAX_TITLE = 300, 100, 160
"""Longest snippet of a result, of one that stands behind others, and longest title."""
LINKS_PER_PAGE = 5
"""Most links of a page that become results."""
LINK_SCORE = 0.4
"""Highest score of a link. Only its anchor text is known, so it ranks below what a scorer calls useful (0.5)."""
ENTRY_LINK_SCORE = 0.75
"""Score of a link by the name of a setting that the goal asks about."""
NAMED_LINKS_PER_PAGE = 6
"""Most links of a page that become results because a sub-question names them."""
NAMED_LINK_SCORE, FITTING_LINK_SCORE = 0.2, 0.6
"""Score of a link by a name that the goal does not have, twice that in a line with all words of the goal: it is read
mostly by who looks for this name. In the line that fits best it is worth reading if that has `_LEAST_LINE` of the goal.
"""
_LEAST_LINE = 0.5
"""Words of the goal that no line has count as the rarest ones. Without them a club that does not exist was answered
with the matches of another one; with them the three invented entities of 33 two-hop questions on tables are answered as
before (two are said to be unknown), 16 of the others are found for 15, and 3 for 4 not answered."""
_NAME = re.compile(r"[A-ZÀ-Þ\d][^\n|]{0,80}[^\n|:]")
"""An anchor that begins with a capital or a figure, and is no label."""

_ANCHOR_WEIGHT = 0.6
"""Weight of the share of the anchor; the rest is that of the share of the goal, which long goals keep small."""
_ABSENT_SHARE = 1 / 3
"""Weight of a word of the goal that no link has, as a share of the rarest one's: it tells no link from another."""
_LEAST_FIT = 0.25
"""A link with a smaller fit is not kept: a long anchor with one common word of the goal has less."""


def merge_results(
    known: Sequence[ScoredResult], new: Iterable[SearchResult], *, search: int
) -> tuple[list[ScoredResult], int]:
    """The known results and those of a search together, best first, and how many of them are new."""
    merged = {dedupe_key(result.url): result for result in known}
    added = 0
    for result in new:
        url = canonical_url(result.url)
        if not url:
            continue
        key = dedupe_key(url)
        if key in merged:
            merged[key] = _seen_again(merged[key], result, url, search)
        else:
            merged[key] = _unscored(result, url, search)
            added += 1
    return best_first(merged.values()), added


def link_results(known: Sequence[ScoredResult], links: Sequence[Link], *, about: str) -> list[ScoredResult]:
    """The links of a visited page whose anchor text is about the goal, as results without a search.

    Two shares are looked at, in stems weighted by how rare they are among the page's links: how much of the anchor is
    in the goal (all of `git-rebase(1)` for a question on a rebase in git), and how much of the goal is in the anchor. A
    name made of words (`LimitRequestBody`) is compared by these. An anchor that is a setting of the goal leads to what
    the manual says of it.
    """
    language = detect(about)
    goal, taken = frozenset(terms(about, language)), {dedupe_key(result.url) for result in known}
    asked = {setting.lower() for setting in settings_in(about)}
    words_of = {link.url: frozenset(terms(spelled_out(link.text), language)) for link in links}
    weights = _rarity(words_of.values())
    scored = []
    for link in links:
        url, key, words = canonical_url(link.url), dedupe_key(link.url), words_of[link.url]
        is_entry = link.text.strip(" ()").lower() in asked
        share = 1.0 if is_entry else _fit(words, goal, weights)
        if not url or key in taken or share < _LEAST_FIT:
            continue
        taken.add(key)
        score = ENTRY_LINK_SCORE if is_entry else round(LINK_SCORE * share, 3)
        scored.append(ScoredResult(url=url, title=link.text.strip()[:MAX_TITLE], score=score))
    return sorted(scored, key=lambda r: -r.score)[:LINKS_PER_PAGE]


def named_links(
    known: Sequence[ScoredResult], links: Sequence[Link], quotes: Sequence[str], *, about: str
) -> list[ScoredResult]:
    """The links of a page whose anchor is a name in one of its quotes, as results without a search.

    "It was designed by the engineer Tomas Ehrling": the goal asks for him without his name, and the link leads to him.
    Those of the line that has most of the goal's words come first: of a table, the row that is asked about. The line is
    their snippet, so that a model sees by which row a page is named.
    """
    language = detect(about)
    goal, taken = frozenset(terms(about, language)), {dedupe_key(result.url) for result in known}
    lines = [without_markdown(line) for quote in quotes for line in quote.splitlines() if line.strip()]
    words = [frozenset(terms(line, language)) for line in lines]
    weights = _rarity(words)
    rarest = max(weights.values(), default=0.0)
    whole = sum(weights.get(word, rarest) for word in goal) or 1.0
    shares = [sum(weights[word] for word in own & goal) / whole for own in words]
    best = max(shares, default=0.0)
    found = []
    for link in links:
        url, name = canonical_url(link.url), " ".join(link.text.split())
        is_new = bool(url) and dedupe_key(url) not in taken and not frozenset(terms(name, language)) <= goal
        if not is_new or not _NAME.fullmatch(name):
            continue
        naming_lines = [(share, line) for share, line in zip(shares, lines, strict=True) if name in line]
        if naming_lines:
            taken.add(dedupe_key(url))
            share, line = max(naming_lines, key=lambda one: one[0])
            is_best = share == best >= _LEAST_LINE
            score = FITTING_LINK_SCORE if is_best else round(NAMED_LINK_SCORE * (1 + share), 3)
            found.append(ScoredResult(url=url, title=name, snippet=line[:SHORT_SNIPPET], score=score))
    return sorted(found, key=lambda one: -one.score)[:NAMED_LINKS_PER_PAGE]


def apply_labels(results: Sequence[ScoredResult], labels: Iterable[ResultLabel]) -> list[ScoredResult]:
    """The results with the scorer's labels, best first; results without a label keep their first score."""
    by_url = {canonical_url(label.url) or label.url: label for label in labels}

    def labelled(result: ScoredResult) -> ScoredResult:
        label = by_url.get(result.url)
        if label is None or result.scored:
            return result.changed(scored=True)
        return result.changed(score=label.score, type=label.type, priority=label.priority, scored=True)

    return best_first(labelled(result) for result in results)


def unlabelled_results(results: Iterable[ScoredResult]) -> list[SearchResult]:
    """The results that the scorer has not seen yet, in the order of the search engines."""
    waiting = sorted((r for r in results if not r.scored), key=lambda r: (-r.fused, r.rank))
    shared_fields = SearchResult.model_fields.keys() & ScoredResult.model_fields.keys()
    return [SearchResult(**{name: getattr(r, name) for name in shared_fields}) for r in waiting]


def best_first(results: Iterable[ScoredResult]) -> list[ScoredResult]:
    """The results by score, those that the scorer would skip last; ties keep the search engines' order."""
    return sorted(results, key=lambda r: (r.priority == "skip", -r.score, -r.fused, r.rank, r.url))


def trimmed_results(
    results: Sequence[ScoredResult], room: int, read: Collection[str] = frozenset()
) -> list[ScoredResult]:
    """As many of the best results as fit into `room` bytes, in their order; if not all fit, snippets are cut first.

    Pages that were read give way to those that can be read next: their labels are all that is still wanted of them.

    Args:
        read: the keys of URLs that were visited.
    """

    def is_read(result: ScoredResult) -> bool:
        return dedupe_key(result.url) in read

    if _size(results) > room - 2:
        results = [one.changed(snippet="") if is_read(one) else one for one in results]
    if _size(results) > room - 2:
        results = [one.changed(snippet=one.snippet[:SHORT_SNIPPET]) for one in results]
    kept, room = set(), room - 2
    for result in sorted(results, key=is_read):
        room -= _size([result])
        if room < 0:
            break
        kept.add(result.url)
    return [result for result in results if result.url in kept]


def _size(results: Iterable[ScoredResult]) -> int:
    return sum(len(result.model_dump_json().encode()) + 1 for result in results)


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


def _seen_again(known: ScoredResult, again: SearchResult, url: str, search: int) -> ScoredResult:
    is_safer = url.startswith("https:") and known.url.startswith("http:")
    more = known.changed(
        url=url if is_safer else known.url,
        providers=list(dict.fromkeys([*known.providers, *again.providers])),
        fused=max(known.fused, again.fused),
        published=known.published or again.published,
    )
    if known.search == 0:  # it was only a link until now: the snippet of a search says more to the scorer
        more = more.changed(search=search, snippet=again.snippet[:MAX_SNIPPET], scored=False)
    return more


def _rarity(anchors: Collection[Collection[str]]) -> Mapping[str, float]:
    """The weight of each word: high if few anchors of the page have it."""
    counts = Counter(word for anchor in anchors for word in anchor)
    return {word: math.log(1 + len(anchors) / count) for word, count in counts.items()}


def _fit(anchor: frozenset[str], goal: frozenset[str], weights: Mapping[str, float]) -> float:
    """How well an anchor fits the goal, 0 to 1; one that shares only words which most links have fits little."""
    rarest = max(weights.values(), default=0.0)
    shared = sum(weights[word] for word in anchor & goal)
    if not shared:
        return 0.0
    of_anchor = shared / sum(weights[word] for word in anchor)
    of_goal = shared / sum(weights.get(word, _ABSENT_SHARE * rarest) for word in goal)
    return _ANCHOR_WEIGHT * of_anchor * min(1.0, shared / rarest) + (1 - _ANCHOR_WEIGHT) * of_goal
