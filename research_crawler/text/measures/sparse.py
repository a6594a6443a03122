"""Sparse vectors whose product with a query's is the BM25 score, if the index multiplies in the inverse frequencies.

A term's dimension is a hash of its stem, so no vocabulary is kept: of 100,000 stems, one pair shares its 32 bits. The
weight of a term in a text is BM25's saturated count; Qdrant keeps the frequencies of the terms and multiplies them in
(its modifier `idf`).
"""

import hashlib
from collections import Counter

from research_crawler.text.languages.words import terms
from research_crawler.text.measures.likeness import saturated_count

Sparse = dict[int, float]


def sparse_text(text: str, *, mean_terms: float) -> Sparse:
    """The weights of a text's terms; `mean_terms` is how many terms a text of the collection has on average."""
    counts = Counter(map(_dimension, terms(text)))
    relative_length = counts.total() / mean_terms
    return {dimension: saturated_count(count, relative_length) for dimension, count in counts.items()}


def sparse_query(text: str) -> Sparse:
    """The terms of a query, each with the weight 1."""
    return dict.fromkeys(map(_dimension, terms(text)), 1.0)


def _dimension(term: str) -> int:
    return int.from_bytes(hashlib.blake2b(term.encode(), digest_size=4).digest(), "big")
