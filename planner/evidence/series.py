"""Recognise the pages of a series: bulletins, lists and protocols of many days, of which each is filled in alike."""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
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
"""Findings of a series are set apart only if at least so many others are left."""
LEAST_SHARED_WORDS, LEAST_WORDS_OF_PAGE = 0.35, 8
"""Share of the words of two pages that both have for them to be alike, and the fewest words of one that is compared.
Two walks written after one pattern share 0.33 to 0.66; two passages of a manual about one thing hardly 0.2."""
MOST_COMPARED_WITH: Final = 200
"""Most pages of a host that others are compared with; a job that reads so much of one host has seen its series."""
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


def split_off_series(findings: Sequence[Finding]) -> tuple[list[Finding], list[Finding]]:
    """Split the findings: those to write from, and those that are the fourth or later of a series.

    Pages of one host that say nearly the same of other days and numbers are a series too, whatever their addresses: the
    threads, walks and reports about one thing, of which there are ever more the more is read. Where hardly anything
    else was found, the series is what there is to tell, and none is set apart.
    """
    alike = _alike_pages(findings)
    keys = [page_series(finding.url, finding.title) or alike.get(finding.url) for finding in findings]
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


def _alike_pages(findings: Sequence[Finding]) -> dict[str, SeriesKey]:
    """By address: a key that pages of a host share whose findings say nearly the same, without days and numbers.

    Pages of too few words have none; names that the other one has not mean another thing.
    """
    words: defaultdict[str, frozenset[str]] = defaultdict(frozenset)
    names: defaultdict[str, frozenset[str]] = defaultdict(frozenset)
    for finding in findings:
        words[finding.url] |= _words_of(finding.claim)
        names[finding.url] |= _names_of(
            f"{finding.title}. {finding.heading.replace(' > ', '. ')}. {finding.claim}"
        )
    known: defaultdict[str, list[str]] = defaultdict(list)
    keys: dict[str, SeriesKey] = {}
    for url, own in words.items():
        host = slot_of(url)
        alike = (
            known_url
            for known_url in known[host]
            if in_common(own, words[known_url]) >= LEAST_SHARED_WORDS
            and not (names[url] - names[known_url] - words[known_url] and names[known_url] - names[url] - own)
        )
        if len(own) >= LEAST_WORDS_OF_PAGE:
            first = next(alike, url)
            keys[url] = (host, "", first)
            if first == url and len(known[host]) < MOST_COMPARED_WITH:
                known[host].append(url)
    return keys


@lru_cache(maxsize=8_192)
def _words_of(text: str) -> frozenset[str]:
    return frozenset(word for word in terms(without_dates(text)) if not word[0].isdigit())


@lru_cache(maxsize=8_192)
def _names_of(text: str) -> frozenset[str]:
    return frozenset(names_in(without_dates(text)))
