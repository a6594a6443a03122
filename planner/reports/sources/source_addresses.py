"""One address for each source: a page that was read under several addresses is one source."""

from collections.abc import Sequence
from urllib.parse import urlsplit

from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.records import VisitRecord
from research_crawler.core.web.urls import canonical_url, dedupe_key, is_mobile, site_of
from research_crawler.text.measures.normal_quote import normal_quote


class SourceAddresses:
    """The address under which each page is cited: one that was read, so a page cannot choose where its quotes lead.

    Addresses are the same if they differ by http and https, `www.`, `m.` or a final slash, or if the page calls
    another address of its site, with the same title, its canonical one. A page of another site is another source,
    whatever it declares; so is a page that calls its site's home page canonical, as carelessly made sites do.
    """

    def __init__(self, findings: Sequence[Finding], visits: Sequence[VisitRecord]) -> None:
        self._visits = {visit.command: visit for visit in visits}
        self._same: dict[str, str] = {}
        """Name of a page → a name of the same page, up to one that stands for all of them."""
        self._declared: set[str] = set()
        for finding in findings:
            self._name(finding)
        groups: dict[str, dict[str, None]] = {}
        for finding in findings:
            url = self._read_at(finding)
            groups.setdefault(self._first(_key(url)), {})[url] = None
        self._chosen: dict[str, str] = {}
        self._others: dict[str, list[str]] = {}
        for urls in groups.values():
            best = min(urls, key=self._rank)
            self._chosen |= dict.fromkeys(urls, best)
            self._others[best] = [url for url in urls if url != best]

    def of(self, finding: Finding) -> str:
        """The address of a finding's source."""
        url = self._read_at(finding)
        return self._chosen.get(url, url)

    def others(self, address: str) -> list[str]:
        """The other addresses under which this source was read."""
        return self._others.get(address, [])

    def is_at(self, finding: Finding, address: str) -> bool:
        """Whether the finding was read at this very address."""
        return self._read_at(finding) == address

    def _read_at(self, finding: Finding) -> str:
        """The final URL of the finding's page."""
        visit = self._visits.get(finding.command)
        url = (visit.final_url if visit else "") or finding.url
        return canonical_url(url) or finding.url

    def _name(self, finding: Finding) -> None:
        """Note the names of a finding's page: its address, and its title with the address it has or declares."""
        url, visit, title = (
            self._read_at(finding),
            self._visits.get(finding.command),
            normal_quote(finding.title),
        )
        self._join(_key(url), f"{_key(url)} {title}")
        declared = canonical_url(visit.canonical_url) if visit else ""
        if declared and site_of(declared) == site_of(url) and urlsplit(declared).path != "/":
            self._declared.add(_key(declared))
            self._join(_key(url), f"{_key(declared)} {title}")

    def _join(self, one: str, other: str) -> None:
        if (first := self._first(one)) != (second := self._first(other)):
            self._same[second] = first

    def _first(self, name: str) -> str:
        while name in self._same:
            name = self._same[name]
        return name

    def _rank(self, url: str) -> tuple[bool, bool, bool]:
        """Smallest for the best address: a canonical one, then https, then one that is not for telephones."""
        return _key(url) not in self._declared, not url.startswith("https:"), is_mobile(url)


def _key(url: str) -> str:
    return dedupe_key(url) or url
