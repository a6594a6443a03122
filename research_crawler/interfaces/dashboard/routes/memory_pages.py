"""A search of the findings of all jobs, as one types, with what it may be narrowed to."""

from collections import Counter
from typing import get_args

from fastapi import APIRouter, Request
from starlette.responses import Response

from research_crawler.core.errors import UsageError
from research_crawler.core.models.archive.memory import FindingFilter, MemoryAnswer, MemoryHit
from research_crawler.core.models.evidence.findings import FindingKind
from research_crawler.core.web.urls import host_of
from research_crawler.interfaces.dashboard.page_templates import page, shown_error
from research_crawler.interfaces.http.state import RuntimeOf
from research_crawler.services.findings_search import memory_query, search_memory
from research_crawler.text.languages.language import detect
from research_crawler.text.languages.words import terms

router = APIRouter(prefix="/memory")
HITS = 25
"""Hits of the memory that a page shows."""
HOSTS_OFFERED = 8
"""Hosts to which a search of the memory may be narrowed."""


@router.get("")
async def memory_page(
    request: Request, runtime: RuntimeOf, q: str = "", host: str = "", kind: str = "", since: str = ""
) -> Response:
    """The form, and what was found."""
    kinds: tuple[FindingKind, ...] = get_args(FindingKind)
    where = FindingFilter(
        since=since[:10], host=host.strip(), kind=next((one for one in kinds if one == kind), None)
    )
    answer, complaint = None, ""
    if q.strip():
        try:
            answer = await search_memory(runtime, memory_query(q, where=where, limit=HITS))
        except UsageError as error:
            complaint = shown_error(request, error)
    named = _with_words(answer, q) if answer else []
    return page(
        request,
        "memory.html",
        {
            "query": q,
            "host": host,
            "kind": kind,
            "since": since[:10],
            "kinds": kinds,
            "hosts": _hosts(answer),
            "host_of": host_of,
            "answer": answer,
            "named": named,
            "near": [hit for hit in answer.hits if hit not in named] if answer else [],
            "complaint": complaint,
        },
    )


def _with_words(answer: MemoryAnswer, query: str) -> list[MemoryHit]:
    """What has a word of the query; the other findings are only near to it in meaning."""
    language = detect(query)
    wanted = frozenset(terms(query, language))
    return [hit for hit in answer.hits if not wanted or wanted & _words_of(hit, language)]


def _words_of(hit: MemoryHit, language: str) -> frozenset[str]:
    found = hit.finding
    return frozenset(terms(" ".join((found.title, found.heading, found.claim, found.quote)), language))


def _hosts(answer: MemoryAnswer | None) -> list[tuple[str, int]]:
    """The hosts of what was found, those with the most first."""
    hosts = Counter(host_of(hit.finding.url) for hit in answer.hits) if answer else Counter[str]()
    return [(host, number) for host, number in hosts.most_common(HOSTS_OFFERED) if host]
