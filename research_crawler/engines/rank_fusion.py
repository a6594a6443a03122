"""Merges the results of several providers by reciprocal rank fusion: one entry per page, and a cap per host.

The score of a page is the sum of 1 / (60 + rank) over the lists it is in (Cormack, Clarke, Büttcher:
Reciprocal Rank Fusion Outperforms Condorcet and Individual Rank Learning Methods, SIGIR 2009; 60 is the
constant of the paper).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from research_crawler.core.models.messages.events import SearchResult
from research_crawler.core.web.urls import canonical_url, dedupe_key, is_mobile, site_of

RANK_CONSTANT = 60
"""The constant k of the paper (Cormack et al. 2009): how little the first ranks differ."""


@dataclass
class _Page:
    """One page with its ranks and results from all lists."""

    ranks: dict[str, int] = field(default_factory=dict)
    results: list[tuple[int, SearchResult]] = field(default_factory=list)

    @property
    def score(self) -> float:
        # The ranks are summed in a fixed order, so that the order of the providers cannot change the sum.
        return sum(1 / (RANK_CONSTANT + rank) for rank in sorted(self.ranks.values()))

    @property
    def best_rank(self) -> int:
        return min(self.ranks.values())


def fuse(
    lists: Mapping[str, Sequence[SearchResult]],
    *,
    limit: int,
    per_host: int,
    allowed: Callable[[str], bool] | None = None,
) -> list[SearchResult]:
    """The best `limit` results of all lists, at most `per_host` of one site.

    Args:
        lists: provider → its results, best first.
        limit: maximum number of results.
        per_host: maximum number of results of one registrable host; for an IP address or a name without a
            suffix, of one host and port. The cap is hard where there is any other site: a short list is better
            than one that a single site fills. Where nothing else is found, it is no choice.
        allowed: says whether a canonical URL may be in the list; without it all URLs may.

    Returns:
        Results with `rank` (from 1), `fused`, all their `providers`, and the longest title and snippet of
        each. Variants of one address (http, www., m., a final slash) become one entry; its URL is always one
        that a provider returned.
    """
    per_site: Counter[str] = Counter()
    fused: list[SearchResult] = []
    found = [(page, _address(page.results)) for page in sorted(_pages(lists, allowed).values(), key=_order)]
    is_one_site = len({site_of(url) for _, url in found}) == 1
    for page, url in found:
        site = site_of(url)
        if len(fused) >= limit:
            break
        if per_site[site] >= per_host and not is_one_site:
            continue
        per_site[site] += 1
        fused.append(_merged(page, url, rank=len(fused) + 1))
    return fused


def _pages(
    lists: Mapping[str, Sequence[SearchResult]], allowed: Callable[[str], bool] | None
) -> dict[str, _Page]:
    pages: dict[str, _Page] = {}
    for provider, results in lists.items():
        rank = 0
        for result in results:
            url = canonical_url(result.url)
            if not url or (allowed and not allowed(url)):
                continue
            page = pages.setdefault(dedupe_key(url), _Page())
            if provider not in page.ranks:
                rank += 1
                page.ranks[provider] = rank
            providers = result.providers or [provider]
            page.results.append((page.ranks[provider], result.changed(url=url, providers=providers)))
    return pages


def _order(page: _Page) -> tuple[float, int, str]:
    return (-page.score, page.best_rank, _address(page.results))


def _address(results: Iterable[tuple[int, SearchResult]]) -> str:
    """The variant to visit: https before http, desktop before mobile, then the best rank."""
    return min(
        (not result.url.startswith("https:"), is_mobile(result.url), rank, result.url)
        for rank, result in results
    )[3]


def _merged(page: _Page, url: str, *, rank: int) -> SearchResult:
    results = [result for _, result in page.results]
    dates = sorted((list_rank, result.published) for list_rank, result in page.results if result.published)
    return SearchResult(
        url=url,
        title=_longest(result.title for result in results),
        snippet=_longest(result.snippet for result in results),
        published=dates[0][1] if dates else "",
        providers=sorted({name for result in results for name in result.providers}),
        rank=rank,
        fused=page.score,
        image=next(
            (result.image for _, result in sorted(page.results, key=_rank_and_image) if result.image), ""
        ),
    )


def _rank_and_image(result: tuple[int, SearchResult]) -> tuple[int, str]:
    return result[0], result[1].image


def _longest(texts: Iterable[str]) -> str:
    return max(texts, key=lambda text: (len(text), text))
