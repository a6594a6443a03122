"""Which pages a job has visited, also those whose records it had to drop to stay small."""

import hashlib
from collections.abc import Iterable, Sequence
from typing import Final

from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.jobs.records import VisitRecord
from research_crawler.core.web.urls import dedupe_key

_DIGEST_CHARS: Final = 8
"""With 400 digests of 32 bits, one of a million other pages is taken for a visited one in ten jobs."""


def is_visited(job: Job, url: str) -> bool:
    """Whether the job has visited a page under this address or a variant of it.

    A visit that was only refused because its host was busy does not count.
    """
    return not unvisited(job, [url])


def unvisited(job: Job, urls: Iterable[str]) -> list[str]:
    """Those of these addresses that the job has not visited."""
    known = {dedupe_key(url) for url in _addresses(job.visits)}
    dropped = set(job.plan.dropped_visits)
    return [url for url in urls if (key := dedupe_key(url)) not in known and _digest(key) not in dropped]


def dropped_digests(before: Sequence[VisitRecord], after: Sequence[VisitRecord]) -> list[str]:
    """The digests of the addresses that are in the records before they were cut and not in those after it."""
    left = set(_addresses(after))
    return [_digest(dedupe_key(url)) for url in _addresses(before) if url not in left]


def _addresses(visits: Iterable[VisitRecord]) -> list[str]:
    found = (
        url for visit in visits if visit.outcome != "busy" for url in (visit.url, visit.final_url) if url
    )
    return list(dict.fromkeys(found))


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()[:_DIGEST_CHARS]
