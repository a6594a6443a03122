"""Rate how credible the sources of a report are, and from how many sites they come, without asking anybody. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from types import MappingProxyType

from research_crawler.core.models.evidence.credibility import Credibility, Diversity
from research_crawler.core.models.messages.events import ResultType
from research_crawler.core.models.reports.cited_parts import Source
from research_crawler.core.web.urls import site_of
from research_crawler.text.source_types import page_type
from research_crawler.text.writing.markdown import is_own_file

PART_WEIGHTS: Mapping[str, float] = MappingProxyType(
    {"authority": 0.4, "https": 0.1, "freshness": 0.2, "cross_references": 0.3}
)
"""The weights of the parts; their sum is 1."""
_AUTHORITY: Mapping[ResultType, float] = MappingProxyType(
    {"official": 1.0, "review": 0.7, "news": 0.7, "other": 0.5, "forum": 0.4, "vendor": 0.3}
)
_UNDATED = 0.5
"""How fresh a page without a date counts, from 0 to 1."""
_FRESH_YEARS, _OLD_YEARS, _OLD = 1.0, 10.0, 0.1
"""A page of the last year is fresh; freshness falls evenly to that of a page of ten years."""
_CROSS_REFERENCES = (0.0, 0.5, 0.8, 1.0)
"""By the number of other sites: the second confirmation says less than the first."""
LEAST_SITE_SHARE = 0.6
"""Sources are independent enough if at least this share is of different sites."""
LEAST_SOURCES = 2
"""Of fewer sources, it is not said whether they are independent."""


def with_credibility(
    sources: Sequence[Source],
    cited: Iterable[Sequence[str]],
    today: str,
    kinds: Mapping[str, str] = MappingProxyType({}),
) -> list[Source]:
    """The sources with their credibility and its parts.

    Args:
        cited: for each sentence the addresses of the pages that are cited for it.
        today: ISO date.
        kinds: what the pages read like (PageKind), by their addresses.
    """
    others = _cross_references(sources, cited)
    return [_rated(source, len(others[source.url]), today, kinds.get(source.url, "")) for source in sources]


def by_credibility(sources: Sequence[Source]) -> list[Source]:
    """Sources in the order of a report: the caller's own files, then the most credible; equal ones stay as they are."""

    def rank(source: Source) -> tuple[bool, float]:
        return not is_own_file(source.url), -(source.credibility or 0.0)

    return sorted(sources, key=rank)


def total(parts: Credibility) -> float:
    """The weighted sum of the parts, 0 to 1."""
    return round(sum(weight * float(getattr(parts, name)) for name, weight in PART_WEIGHTS.items()), 3)


def _rated(source: Source, confirmed_by: int, today: str, kind: str) -> Source:
    is_own = is_own_file(source.url)
    parts = Credibility(
        authority=1.0 if is_own else _AUTHORITY[page_type(source.url, source.title, kind)],
        https=float(is_own or source.url.startswith("https:")),
        freshness=freshness(source.published, today),
        cross_references=_CROSS_REFERENCES[min(confirmed_by, len(_CROSS_REFERENCES) - 1)],
    )
    return source.changed(credibility=total(parts), credibility_parts=parts)


def freshness(published: str, today: str) -> float:
    """How fresh a page is that was published then, 0 to 1."""
    try:
        years = (date.fromisoformat(today[:10]) - date.fromisoformat(published[:10])).days / 365.25
    except ValueError:
        return _UNDATED
    share = (years - _FRESH_YEARS) / (_OLD_YEARS - _FRESH_YEARS)
    return round(1.0 - (1.0 - _OLD) * min(1.0, max(0.0, share)), 3)


def _cross_references(sources: Sequence[Source], cited: Iterable[Sequence[str]]) -> dict[str, set[str]]:
    """For each source the other sites that are cited for the same statement with other content."""
    by_url = {source.url: source for source in sources}
    others: dict[str, set[str]] = {url: set() for url in by_url}
    for pages in cited:
        known = [by_url[url] for url in pages if url in by_url]
        for source in known:
            others[source.url] |= {
                site_of(other.url)
                for other in known
                if site_of(other.url) != site_of(source.url) and content_of(source) != content_of(other)
            }
    return others


def content_of(source: Source) -> str:
    """What two sources share if they are copies of one text: its hash, or the address where there is none."""
    return source.content_hash or source.url


def diversity_of(sources: Sequence[Source]) -> Diversity:
    """The diversity of sources; those with the same content count once, and below two nothing is computed.

    The caller's own files are no sites, and do not count.
    """
    found = [source for source in sources if not is_own_file(source.url)]
    distinct = list({content_of(source): source for source in found}.values())
    hosts = {site_of(source.url) for source in distinct}
    if len(distinct) < LEAST_SOURCES:
        return Diversity(hosts=len(hosts), sources=len(distinct))
    share = len(hosts) / len(distinct)
    return Diversity(
        share=round(share, 3), hosts=len(hosts), sources=len(distinct), is_enough=share >= LEAST_SITE_SHARE
    )
