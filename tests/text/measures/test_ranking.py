from hypothesis import given
from hypothesis import strategies as st

from research_crawler.adapters.in_memory.memory_embedder import HashEmbedder
from research_crawler.core.models.web.pages import Passage
from research_crawler.text.measures.likeness import Bm25, fused_scores, normalised
from research_crawler.text.measures.ranking import passage_scores, rank_passages

TEXTS = ["the tower is 43 metres tall", "opening hours of the tower", "a recipe for fish soup", ""]


async def ranked_by(query, found, embedder, **options):
    return await rank_passages(query, found, passage_scores(query, found), embedder, **options)


def passages(texts, headings=None):
    return [
        Passage(start=i, end=i, text=text, tokens=10, heading=(headings or [""] * len(texts))[i])
        for i, text in enumerate(texts)
    ]


def test_documents_with_rarer_words_of_the_query_score_higher():
    scores = Bm25(TEXTS).scores("how tall is the tower")
    assert scores[0] > scores[1] > scores[2] == scores[3] == 0


def test_an_empty_list_of_texts_gives_no_scores():
    assert Bm25([]).scores("x") == []
    assert normalised([0.0, 0.0]) == [0.0, 0.0]


@given(st.lists(st.text(), max_size=6), st.text())
def test_bm25_is_never_negative(texts, query):
    assert all(score >= 0 for score in Bm25(texts).scores(query))


def test_fused_scores_lie_between_zero_and_one():
    assert all(0 <= score <= 1 for score in fused_scores([1.0, -0.5, 0.3], [9.0, 0.0, 3.0]))


async def test_the_passage_about_the_question_ranks_first(embedder):
    ranked = await ranked_by("How tall is the lighthouse?", passages(TEXTS[:3]), embedder)
    assert max(ranked) == ranked[0]


async def test_the_words_of_a_heading_count_for_its_passage():
    texts = ["It measures 43 metres.", "It measures 12 litres."]
    ranked = await ranked_by(
        "height of tower", passages(texts, ["Height of the tower", "Tank"]), HashEmbedder()
    )
    assert ranked[0] > ranked[1]


async def test_passages_without_a_vector_rank_below_those_with_one():
    texts = [f"tower number {i} " + "tower " * (10 - i) for i in range(10)]
    ranked = await ranked_by("tower", passages(texts), HashEmbedder(), dense_top=3)
    with_vector = sorted(ranked, reverse=True)[:3]
    assert min(with_vector) > max(sorted(ranked, reverse=True)[3:])
    assert await ranked_by("tower", [], HashEmbedder()) == []
