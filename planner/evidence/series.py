"""Recognise the pages of a series: bulletins, lists and protocols of many days, of which each is filled in alike."""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.web.urls import canonical_url, slot_of
from research_crawler.text.languages.dates import without_dates
from research_crawler.text.languages.names import names_in
from research_crawler.text.languages.words import terms
from research_crawler.text.measures.likeness import in_common

MOST_OF_SERIES: Final = 3
"""Most findings of one series in what a report is written from, before those of other pages: they say the same of
other days."""
LEAST_PAGES_OF_SERIES: Final = 2
"""One page is no series, whatever numbers its address and title have, as "Chapter 2" of a manual."""
LEAST_OTHERS: Final = 3
LEAST_SHARED_WORDS, LEAST_WORDS_OF_PAGE = 0.35, 8
"""Share of the words of two findings that both have for them to be alike, and the fewest words of one that is compared.
Two walks written after one pattern share 0.33 to 0.66; two passages of a manual about one thing hardly 0.2."""
MOST_COMPARED_WITH: Final = 200
"""Most findings of a host that others are compared with; a job that reads so much of one host has seen its series."""
_NUMBER: Final = re.compile(r"\d+")
SeriesKey = tuple[str, str, str]


def page_series(url: str, title: str) -> SeriesKey | None:
    """What all pages of a series have in common: host, path and title without their numbers and dates; None for a page
    whose address or title has none."""
    bare = without_dates(title)
    path = canonical_url(url).partition("://")[2].partition("/")[2]
    if not _NUMBER.search(path) or (bare == title and not _NUMBER.search(title)):
        return None
    return slot_of(url), _NUMBER.sub("#", path), " ".join(_NUMBER.sub("#", bare).split())


def is_of_one_series(finding: Finding, counterpart: Finding) -> bool:
    """Whether two findings are of different pages of one series: what differs there is no disagreement."""
    key = page_series(finding.url, finding.title)
    return (
        key is not None
        and finding.url != counterpart.url
        and key == page_series(counterpart.url, counterpart.title)
    )


def others_first(findings: Sequence[Finding]) -> tuple[list[Finding], list[Finding]]:
    """Split the findings: those to write from, and those that are the fourth or later of a series.

    Pages of one host that say nearly the same of other days and numbers are a series too, whatever their addresses: the
    threads, walks and reports about one thing, of which there are ever more the more is read. Where hardly anything
    else was found, the series is what there is to tell, and none is set apart.
    """
    alike = _AlikeFindings(findings)
    keys = [page_series(finding.url, finding.title) or alike.key_of(finding) for finding in findings]
    pages: defaultdict[SeriesKey | None, set[str]] = defaultdict(set)
    for finding, key in zip(findings, keys, strict=True):
        pages[key].add(finding.url)
    count: Counter[SeriesKey] = Counter()
    kept: list[Finding] = []
    late: list[Finding] = []
    others = 0
    for finding, key in zip(findings, keys, strict=True):
        if key is not None and len(pages[key]) >= LEAST_PAGES_OF_SERIES:
            count[key] += 1
            others += count[key] == 1
            (late if count[key] > MOST_OF_SERIES else kept).append(finding)
        else:
            others += 1
            kept.append(finding)
    return (kept, late) if others >= LEAST_OTHERS else (list(findings), [])


class LikeSeries:
    """Knows which findings are of one series: by their addresses, or because three pages of a host say the same."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        """Compare the findings with each other."""
        alike = _AlikeFindings(findings)
        self._keys = {finding.id: alike.key_of(finding) for finding in findings}
        pages: defaultdict[SeriesKey | None, set[str]] = defaultdict(set)
        for finding in findings:
            pages[self._keys[finding.id]].add(finding.url)
        self._many = {key for key, urls in pages.items() if key is not None and len(urls) >= MOST_OF_SERIES}

    def has(self, finding: Finding, counterpart: Finding) -> bool:
        """Whether two findings are of one series: what differs there, such as the day, is no disagreement."""
        if is_of_one_series(finding, counterpart):
            return True
        key = self._keys.get(finding.id)
        return key in self._many and key == self._keys.get(counterpart.id) and finding.url != counterpart.url


@dataclass(frozen=True)
class Like:
    """The first of several similar findings of one host, with which later ones are compared."""

    key: SeriesKey
    url: str
    words: frozenset[str]
    names: frozenset[str]

    def is_like(self, url: str, words: frozenset[str], names: frozenset[str]) -> bool:
        """Whether another page says nearly the same about the same thing; other names mean another thing."""
        if url == self.url or (names - self.names - self.words and self.names - names - words):
            return False
        return in_common(words, self.words) >= LEAST_SHARED_WORDS


class _AlikeFindings:
    """Groups similar findings of a host by their words, without days and numbers.

    A short sentence has too few words to tell: those of a page are compared together.
    """

    def __init__(self, findings: Sequence[Finding]) -> None:
        self._known: defaultdict[str, list[Like]] = defaultdict(list)
        self._short: defaultdict[str, set[str]] = defaultdict(set)
        self._names: defaultdict[str, set[str]] = defaultdict(set)
        for finding in findings:
            words = _words_of(finding.claim)
            if len(words) < LEAST_WORDS_OF_PAGE:
                self._short[finding.url] |= words
                self._names[finding.url] |= _names_in(finding)

    def key_of(self, finding: Finding) -> SeriesKey | None:
        """A key that similar findings share; None for a finding of too few words."""
        words, names = _words_of(finding.claim), _names_in(finding)
        if len(words) < LEAST_WORDS_OF_PAGE:
            words, names = frozenset(self._short[finding.url]), frozenset(self._names[finding.url])
        if len(words) < LEAST_WORDS_OF_PAGE:
            return None
        known = self._known[slot_of(finding.url)]
        key = (slot_of(finding.url), "", " ".join(sorted(words)))
        for group in known:
            if (group.key, group.url) == (key, finding.url) or group.is_like(finding.url, words, names):
                return group.key
        if len(known) < MOST_COMPARED_WITH:
            known.append(Like(key, finding.url, words, names))
        return key


def _names_in(finding: Finding) -> frozenset[str]:
    return _names_of(f"{finding.title}. {finding.heading.replace(' > ', '. ')}. {finding.claim}")


@lru_cache(maxsize=8_192)
def _words_of(text: str) -> frozenset[str]:
    return frozenset(word for word in terms(without_dates(text)) if not word[0].isdigit())


@lru_cache(maxsize=8_192)
def _names_of(text: str) -> frozenset[str]:
    return frozenset(names_in(without_dates(text)))
