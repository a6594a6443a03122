"""Find what the sites call themselves on which somebody tells of himself."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.web.pages import StoredPage
from research_crawler.core.text.plain_text import clean_line
from research_crawler.core.web.urls import host_of
from research_crawler.text.languages.statements import is_personal

MOST_SITES_NAMED: Final = 20
"""Most sites whose pages are looked up for their names: a report cites seldom more."""
MOST_SITE_CHARS: Final = 60
"""Longest name of a site; a longer one is a slogan, and the host stands alone."""


async def site_names(
    findings: Sequence[Finding], page_of: Callable[[str], Awaitable[StoredPage | None]]
) -> dict[str, str]:
    """The names that pages give their sites, by host: of the findings that are somebody's own words."""
    shas: dict[str, str] = {}
    for finding in findings:
        if finding.page_sha256 and is_personal(finding.quote):
            shas.setdefault(host_of(finding.url), finding.page_sha256)
    names = {}
    for host, sha in list(shas.items())[:MOST_SITES_NAMED]:
        page = await page_of(sha)
        name = clean_line(page.page.site) if page else ""
        if name and len(name) <= MOST_SITE_CHARS and name.casefold() != host:
            names[host] = name
    return names
