"""Choose the pages to read next: those that the caller named, and the best candidates from different hosts."""

import re
from collections.abc import Sequence

from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.decisions import Candidate, PlannerView
from research_crawler.core.web.urls import canonical_url, slot_of

VISITS_AT_ONCE = 4
"""Pages that a round asks for; the next round chooses by what these gave."""
LONG_WAIT_S = 10.0
"""Twice the default delay between visits: with a longer wait, another host is the better choice."""
WAIT_COST = 0.02
"""How much a second of waiting lowers a candidate's score."""
SAME_HOST_COST, MAX_SAME_HOST_COST = 0.1, 0.15
"""How much each page of the same host, read or chosen before, lowers a page's score, and by how much at most: another
source is worth more, but what a manual says on its right page is not found elsewhere."""
SAME_TITLE_COST = 0.25
"""How much each earlier page with the same title lowers a page's score: shops and mirrors repeat the same text."""
WORTH, WORTH_LATER = 0.25, 0.4
"""Least score of a page to visit: at first, and once pages of two hosts that the job has read itself have given
findings. Findings of earlier jobs do not count."""
_SITE = re.compile(r"(?<!\s)\s++[|–—·:-]++\s++")


def hosts_of(findings: Sequence[Finding]) -> set[str]:
    """The hosts that findings come from."""
    return {slot_of(finding.url) for finding in findings}


def caller_urls(view: PlannerView) -> list[str]:
    """URLs that the caller named and that were not visited, at most one batch."""
    seen = _visited(view)
    return [url for url in view.given_urls if canonical_url(url) not in seen][
        : min(VISITS_AT_ONCE, view.remaining_visits)
    ]


def promising_pages(view: PlannerView) -> list[Candidate]:
    """Candidates worth a visit, best first: good enough, not visited, and free while the job may wait.

    Shops are left out if there are other pages or findings, because what is good is better learned from people who
    do not sell it. For commerce, phase 2 asks shops for their offers. For a question about prices, shops stay.
    """
    read = {slot_of(url) for visit in view.visited for url in (visit.url, visit.final_url) if url}
    least = WORTH_LATER if len(hosts_of(view.findings) & read) > 1 else WORTH
    has_others = any(one.result.type != "vendor" for one in view.candidates)
    skips_shops = not view.asks_offer and (has_others or bool(view.findings))
    candidates = [
        candidate
        for candidate in open_pages(view)
        if candidate.result.score >= least
        and candidate.result.priority != "skip"
        and not (skips_shops and candidate.result.type == "vendor")
    ]
    return sorted(candidates, key=lambda one: -(one.result.score - WAIT_COST * one.wait_s))


def open_pages(view: PlannerView) -> list[Candidate]:
    """The candidates that were not visited and whose hosts are free while the job may wait."""
    seen = _visited(view)
    left_s = view.longest_wait or float("inf")
    return [
        one for one in view.candidates if one.wait_s < left_s and canonical_url(one.result.url) not in seen
    ]


def batch_pages(
    view: PlannerView, promising: Sequence[Candidate], most: int = VISITS_AT_ONCE
) -> list[Candidate]:
    """The best candidates to visit at once, from different hosts; slow hosts only if no other is left."""
    most = min(most, VISITS_AT_ONCE, view.remaining_visits)
    quick = [one for one in promising if one.wait_s <= LONG_WAIT_S] or list(promising)
    read_hosts = [slot_of(visit.url) for visit in view.visited]
    read_titles = [title_name(visit.title) for visit in view.visited]
    chosen: list[Candidate] = []
    while quick and len(chosen) < most:
        hosts = read_hosts + [slot_of(one.result.url) for one in chosen]
        titles = read_titles + [title_name(one.result.title) for one in chosen]
        best = max(quick, key=lambda one: _value(one, hosts, titles))
        chosen.append(best)
        quick.remove(best)
    return chosen


def _value(candidate: Candidate, hosts: list[str], titles: list[str]) -> float:
    """What a candidate is worth beside pages of these hosts and titles."""
    name = title_name(candidate.result.title)
    return (
        candidate.result.score
        - WAIT_COST * candidate.wait_s
        - min(MAX_SAME_HOST_COST, SAME_HOST_COST * hosts.count(slot_of(candidate.result.url)))
        - SAME_TITLE_COST * (titles.count(name) if name else 0)
    )


def title_name(title: str) -> str:
    """A title without the name of its site, in small letters."""
    return _SITE.split(title, maxsplit=1)[0].strip().casefold()


def _visited(view: PlannerView) -> set[str]:
    return {canonical_url(url) for visit in view.visited for url in (visit.url, visit.final_url) if url}
