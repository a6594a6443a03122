"""The inverted index beside a local Qdrant ranks as Qdrant's own sparse vectors do."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research_crawler.adapters.qdrant_index import LocalWords
from research_crawler.adapters.qdrant_points import SPARSE, point_of
from research_crawler.core.models.archive.memory import EVERYTHING, FindingFilter
from research_crawler.text.measures.sparse import sparse_query
from tests.adapters.samples import axis, finding

WORDS = ("grass", "green", "snow", "white", "chlorophyll", "light", "moss")
MEAN = 5.0


def in_qdrant(findings, query):
    from qdrant_client import QdrantClient, models  # not by every process that collects tests, for a second

    client = QdrantClient(":memory:")
    dense = models.VectorParams(size=8, distance=models.Distance.COSINE)
    sparse = models.SparseVectorParams(modifier=models.Modifier.IDF)
    client.create_collection("c", vectors_config={"dense": dense}, sparse_vectors_config={SPARSE: sparse})
    client.upsert("c", [point_of(one, axis(0), MEAN) for one in findings])
    weights = sparse_query(query)
    vector = models.SparseVector(indices=list(weights), values=list(weights.values()))
    return {str(p.id): p.score for p in client.query_points("c", query=vector, using=SPARSE, limit=50).points}


texts = st.lists(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=9).map(" ".join), min_size=1, max_size=8
)


@given(texts, st.lists(st.sampled_from(WORDS), min_size=1, max_size=4, unique=True).map(" ".join))
def test_it_gives_the_scores_that_qdrant_gives(claims, query):
    findings = [finding("job1:1", n, claim=claim) for n, claim in enumerate(claims)]
    words = LocalWords(MEAN)
    words.add(findings)
    found = dict(words.rank(query, EVERYTHING, 50))
    assert found == pytest.approx(in_qdrant(findings, query), abs=1e-4)


def test_what_is_removed_or_replaced_is_no_longer_found():
    words = LocalWords(MEAN)
    words.add([finding("job1:1", 0, claim="moss"), finding("job1:1", 1, claim="snow")])
    words.add([finding("job1:1", 0, claim="light")])
    assert words.rank("moss", EVERYTHING, 9) == []
    words.remove([finding("job1:1", 1).id, "unknown"])
    assert words.rank("snow", EVERYTHING, 9) == []
    assert words.rank("light", FindingFilter(job="other"), 9) == []
    words.clear()
    assert words.rank("light", EVERYTHING, 9) == []
