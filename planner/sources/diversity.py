"""Measure from how many different sites the sources of a report come. Pure."""

from collections.abc import Sequence

from research_crawler.core.models.evidence.credibility import Diversity
from research_crawler.core.models.reports.cited_parts import Source
from research_crawler.core.web.urls import site_of
from research_crawler.text.writing.markdown import is_own_file

ENOUGH = 0.6
LEAST_SOURCES = 2


def diversity_of(sources: Sequence[Source]) -> Diversity:
    """The diversity of sources; those with the same content count once, and below two nothing is computed.

    The caller's own files are no sites, and do not count.
    """
    found = [source for source in sources if not is_own_file(source.url)]
    distinct = list({source.content_hash or source.url: source for source in found}.values())
    hosts = {site_of(source.url) for source in distinct}
    if len(distinct) < LEAST_SOURCES:
        return Diversity(hosts=len(hosts), sources=len(distinct))
    share = len(hosts) / len(distinct)
    return Diversity(
        share=round(share, 3), hosts=len(hosts), sources=len(distinct), is_enough=share >= ENOUGH
    )
