"""Rank passages for a question: BM25 chooses the passages to embed, then both scores are fused."""

import asyncio
from collections.abc import Sequence

from pydantic import TypeAdapter

from research_crawler.core.models.web.pages import Passage
from research_crawler.core.ports.crawler import PageParser
from research_crawler.core.ports.models import Embedder
from research_crawler.text.languages.language import detect
from research_crawler.text.measures.likeness import Bm25, cosine, fused_scores, normalised

DENSE_TOP = 24
"""Most passages of a page that are embedded; 24 passages of 110 words take 0.4 s of one core in bfloat16."""

_PASSAGES, _SCORES = TypeAdapter(list[Passage]), TypeAdapter(list[float])
OTHER_TOKENIZER_SHARE = 0.1
"""This share of a limit stays free, because the model that reads the passages has another tokenizer than ours."""


def passage_scores(query: str, passages: Sequence[Passage], language: str = "en") -> list[float]:
    """The BM25 score of each passage, with its headings."""
    return Bm25([_with_heading(passage) for passage in passages], language).scores(query)


def scores_json(markdown: str, passages: str, query: str) -> str:
    """The same in another process: passages without texts and the answer are JSON; in the query's language."""
    whole = [
        passage.changed(text=markdown[passage.start : passage.end])
        for passage in _PASSAGES.validate_json(passages)
    ]
    return _SCORES.dump_json(passage_scores(query, whole, detect(query))).decode()


async def scores_by(
    parser: PageParser, markdown: str, passages: Sequence[Passage], query: str, *, url: str
) -> list[float]:
    """The score of each passage of a page, made in the processes that read pages: a page may have 200,000 words.

    Raises:
        PageUnreadable: the page used up its limit of time or memory.
    """
    bare = await asyncio.to_thread(_bare_json, passages)
    return _SCORES.validate_json(await parser.run(scores_json, markdown, bare, query, url=url))


def _bare_json(passages: Sequence[Passage]) -> str:
    return _PASSAGES.dump_json([passage.changed(text="") for passage in passages]).decode()


def _with_heading(passage: Passage) -> str:
    return f"{passage.heading}\n{passage.text}" if passage.heading else passage.text


async def rank_passages(
    query: str,
    passages: Sequence[Passage],
    lexical: Sequence[float],
    embedder: Embedder,
    *,
    dense_top: int = DENSE_TOP,
) -> list[float]:
    """The relevance of each passage to the query, 0 to 1, in the order of `passages`.

    `lexical` are their scores by words. Only the `dense_top` best by these are embedded. The others get lower scores
    than all of these, in the order of `lexical`. If fewer than `dense_top` have one, the first passages of the page
    fill up the number.
    """
    chosen = sorted(range(len(passages)), key=lambda i: (-lexical[i], i))[:dense_top]
    if not chosen:
        return []
    texts = [_with_heading(passages[i]) for i in chosen]
    query_vector, *vectors = await embedder.embed([query, *texts])
    shares = normalised(lexical)
    fused = fused_scores([cosine(query_vector, vector) for vector in vectors], [lexical[i] for i in chosen])
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
