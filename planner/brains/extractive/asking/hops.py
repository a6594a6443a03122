"""How near a finding comes to a question that was led on by a name: to the question itself, or to its next hop.

"Where did the engineer who designed it study?" is far from "He learned his trade in Kessel", on the page of the
engineer; the query that found this page is near.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from research_crawler.core.models.records import SearchRecord
from research_crawler.core.ports.models import Embedder
from research_crawler.text.hops import hop_name, hops_in
from research_crawler.text.ranking import cosine
from research_crawler.text.words import terms

HOP_WEIGHT: Final = 0.9
"""Weight of nearness to a hop, whose query has only a part of what is asked."""


@dataclass(frozen=True)
class HopQuery:
    """A search by a name that pages gave for what is asked about."""

    query: str
    name: frozenset[str]
    """Stems."""
    vector: Sequence[float]


async def hops_of(question: str, searches: Sequence[SearchRecord], embedder: Embedder) -> list[HopQuery]:
    """The next hops of a question among the searches of its job."""
    queries = hops_in(question, [search.query for search in searches])
    vectors = await embedder.embed(queries) if queries else []
    return [
        HopQuery(query, frozenset(terms(hop_name(query))), vector)
        for query, vector in zip(queries, vectors, strict=True)
    ]


def nearness_by_hops(direct: float, text: str, vector: Sequence[float], hops: Sequence[HopQuery]) -> float:
    """The nearness of a text to a question or, if it has the name of one of its hops, to that.

    Args:
        direct: the cosine of the text with the question.
        text: with title and headings.
        vector: of the text.
        hops: those of the question.
    """
    if not hops:
        return direct
    words = frozenset(terms(text))
    return max([direct, *(HOP_WEIGHT * cosine(hop.vector, vector) for hop in hops if hop.name <= words)])
