"""Rank passages for a question: BM25 chooses the passages to embed, then both scores are fused."""

from collections.abc import Sequence

from research_crawler.core.models.pages import Passage
from research_crawler.core.ports.models import Embedder
from research_crawler.text.likeness import Bm25, cosine, fuse, normalised

DENSE_TOP = 24
"""Most passages of a page that are embedded; 24 passages of 110 words take 0.4 s of one core in bfloat16."""

OTHER_TOKENIZER_SHARE = 0.1
"""This share of a limit stays free, because the model that reads the passages has another tokenizer than ours."""


def passage_scores(query: str, passages: Sequence[Passage], language: str = "en") -> list[float]:
    """The BM25 score of each passage, with its headings."""
    return Bm25([_with_heading(passage) for passage in passages], language).scores(query)


def _with_heading(passage: Passage) -> str:
    return f"{passage.heading}\n{passage.text}" if passage.heading else passage.text


async def rank_passages(
    query: str,
    passages: Sequence[Passage],
    embedder: Embedder,
    *,
    dense_top: int = DENSE_TOP,
    language: str = "en",
) -> list[float]:
    """The relevance of each passage to the query, 0 to 1, in the order of `passages`.

    Only the `dense_top` best passages by BM25 are embedded. The others get lower scores than all of these, in
    BM25's order. If BM25 finds fewer than `dense_top`, the first passages of the page fill up the number.
    """
    texts = [_with_heading(passage) for passage in passages]
    lexical = passage_scores(query, passages, language)
    chosen = sorted(range(len(texts)), key=lambda i: (-lexical[i], i))[:dense_top]
    if not chosen:
        return []
    query_vector, *vectors = await embedder.embed([query, *(texts[i] for i in chosen)])
    shares = normalised(lexical)
    fused = fuse([cosine(query_vector, vector) for vector in vectors], [lexical[i] for i in chosen])
    floor = min(fused)
    ranked = [floor * 0.5 * share for share in shares]
    for place, score in zip(chosen, fused, strict=True):
        ranked[place] = score
    return ranked


def choose_passages(passages: Sequence[Passage], scores: Sequence[float], max_tokens: int) -> list[Passage]:
    """Choose the passages with the highest scores that fit into nine tenths of the limit, in page order."""
    room = max_tokens * (1 - OTHER_TOKENIZER_SHARE)
    chosen: list[int] = []
    for index in sorted(range(len(passages)), key=lambda n: (-scores[n], n)):
        if passages[index].tokens <= room:
            chosen.append(index)
            room -= passages[index].tokens
    return [passages[index] for index in sorted(chosen)]
