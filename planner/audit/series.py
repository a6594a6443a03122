"""Recognise the pages of a series: bulletins, lists and protocols of many days, of which each is filled in alike."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from planner.verify.dates import dates_of
from research_crawler.core.models.findings import Finding
from research_crawler.core.web.urls import canonical_url, slot_of

MOST_OF_SERIES: Final = 3
"""Most findings of one series in what a report is written from, before those of other pages: they say the same of
other days."""
LEAST_OTHERS: Final = 3
_NUMBER: Final = re.compile(r"\d+")
Key = tuple[str, str, str]


def series_of(url: str, title: str) -> Key | None:
    """What all pages of a series have in common: host, path and title without their numbers and dates; None for a page
    whose address or title has none."""
    bare = dates_of(title)[1]
    path = canonical_url(url).partition("://")[2].partition("/")[2]
    if not _NUMBER.search(path) or (bare == title and not _NUMBER.search(title)):
        return None
    return slot_of(url), _NUMBER.sub("#", path), " ".join(_NUMBER.sub("#", bare).split())


def is_of_one_series(one: Finding, other: Finding) -> bool:
    """Whether two findings are of different pages of one series: what differs there is no disagreement."""
    key = series_of(one.url, one.title)
    return key is not None and one.url != other.url and key == series_of(other.url, other.title)


def others_first(findings: Sequence[Finding]) -> tuple[list[Finding], list[Finding]]:
    """The findings in their order, and apart from them those of a series from the fourth one on.

    Where hardly anything else was found, the series is what there is to tell, and none is set apart.
    """
    count: Counter[Key] = Counter()
    kept: list[Finding] = []
    late: list[Finding] = []
    others = 0
    for finding in findings:
        key = series_of(finding.url, finding.title)
        if key is not None:
            count[key] += 1
        others += key is None
        (late if key is not None and count[key] > MOST_OF_SERIES else kept).append(finding)
    return (kept, late) if others >= LEAST_OTHERS else (list(findings), [])
