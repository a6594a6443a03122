"""What stands in the collection of Qdrant: points made of findings, queries and filters over them."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from planner.memory.memory_search import RANK_CONSTANT, text_of_finding
from research_crawler.core.models.archive.memory import FindingFilter, Match
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.web.urls import host_of
from research_crawler.text.measures.sparse import Sparse, sparse_query, sparse_text

if TYPE_CHECKING:  # its import takes 0.7 s, so it is delayed until the first use
    from qdrant_client.models import (
        Condition,
        Filter,
        PointStruct,
        Prefetch,
        RrfQuery,
        ScoredPoint,
        SparseVector,
    )

DENSE, SPARSE = "dense", "bm25"
CONTENT_TYPE = "web_research"
MEAN_TERMS = 30.0
"""Terms of a finding with its title and headings, on average (28 to 35 on jobs over real manuals)."""
CANDIDATES = 100
"""How many points of each ranking are fused. On SciFact, 50 give the same nDCG@10 to 0.002."""


def point_of(finding: Finding, vector: Sequence[float], mean_terms: float | None) -> "PointStruct":
    """The point of a finding, with the payload that other readers of the collection know.

    Args:
        mean_terms: how many terms a finding has on average; None: it gets no sparse vector.
    """
    from qdrant_client import models

    payload = {
        "contentType": CONTENT_TYPE,
        "sourceURL": finding.url,
        "extractedAt": finding.fetched_at,
        "job": finding.command.rpartition(":")[0],
        "command": finding.command,
        "finding": finding.id,
        "kind": finding.kind,
        "hosts": _with_parents(host_of(finding.url)),
    }
    vectors: dict[str, list[float] | SparseVector] = {DENSE: list(vector)}
    if mean_terms is not None:
        vectors[SPARSE] = _sparse(sparse_text(text_of_finding(finding), mean_terms=mean_terms))
    return models.PointStruct(id=finding.id, vector=vectors, payload=payload)


def rankings(vector: Sequence[float], text: str, where: "Filter | None") -> "list[Prefetch]":
    """The two rankings that a search of the memory fuses: by meaning and by words."""
    from qdrant_client import models

    found = [models.Prefetch(query=list(vector), using=DENSE, limit=CANDIDATES, filter=where)]
    if words := sparse_query(text):
        found.append(models.Prefetch(query=_sparse(words), using=SPARSE, limit=CANDIDATES, filter=where))
    return found


def by_rank() -> "RrfQuery":
    """Fuse the rankings by reciprocal ranks."""
    from qdrant_client import models

    return models.RrfQuery(rrf=models.Rrf(k=RANK_CONSTANT))


def fused(
    nearest: "Sequence[ScoredPoint]", by_words: Sequence[tuple[str, float]], limit: int
) -> "list[ScoredPoint]":
    """Two rankings fused by reciprocal ranks, by the code with which Qdrant's local mode does it."""
    from qdrant_client import models
    from qdrant_client.hybrid.fusion import reciprocal_rank_fusion

    lexical = [models.ScoredPoint(id=id_, version=0, score=score) for id_, score in by_words]
    return reciprocal_rank_fusion([list(nearest), lexical], limit=limit, ranking_constant_k=RANK_CONSTANT)


def match_of(point: "ScoredPoint", vectors: object, vector: Sequence[float]) -> Match:
    """A point of an answer, with its cosine to the query's vector; `vectors` are the point's own by their names."""
    found = vectors.get(DENSE) if isinstance(vectors, dict) else None
    own = [float(x) for x in found or []]
    product = sum(a * b for a, b in zip(vector, own, strict=False))
    lengths = math.hypot(*vector) * math.hypot(*own)
    return Match(id=str(point.id), score=point.score, similarity=product / lengths if lengths else 0.0)


def matching(field: str, value: str) -> "Filter":
    """Points whose payload has this value."""
    from qdrant_client import models

    return models.Filter(must=[models.FieldCondition(key=field, match=models.MatchValue(value=value))])


def filter_of(where: FindingFilter) -> "Filter | None":
    """The condition on payloads that a filter of findings means; None if it restricts nothing."""
    from qdrant_client import models

    wanted = {"job": where.job, "kind": where.kind or "", "hosts": where.host}
    conditions: list[Condition] = [
        models.FieldCondition(key=key, match=models.MatchValue(value=value))
        for key, value in wanted.items()
        if value
    ]
    if where.since:
        since = models.DatetimeRange.model_validate({"gte": where.since})
        conditions.append(models.FieldCondition(key="extractedAt", range=since))
    return models.Filter(must=conditions) if conditions else None


def _sparse(weights: Sparse) -> "SparseVector":
    from qdrant_client import models

    return models.SparseVector(indices=list(weights), values=list(weights.values()))


def _with_parents(host: str) -> list[str]:
    """A host and the domains above it, so that one condition finds subdomains too."""
    labels = host.split(".")
    return [".".join(labels[start:]) for start in range(len(labels))]
