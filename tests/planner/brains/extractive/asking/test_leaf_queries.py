from planner.brains.extractive.asking.leaf_queries import QUERIES_AT_ONCE, queries_for
from planner.brains.extractive.brain import ExtractiveBrain
from planner.brains.extractive.deciding.coverage import commerce_gaps
from tests.planner.brains.views import finding, search, view, visit

LIMIT = "What is the largest parcel that Orlo 2.4 takes by default, and how do I lift the limit?"


async def queries(embedder, goal, *asked, findings=()):
    shown = view(
        goal=goal, searches=[search(query, n) for n, query in enumerate(asked, 1)],
        visited=[visit("http://a.test/1")], findings=list(findings),
    )  # fmt: skip
    outline = await ExtractiveBrain(embedder).outlined(shown)
    return await queries_for(shown.changed(outline=outline), [], embedder)


async def test_open_parts_are_searched_side_by_side_with_their_own_words(embedder):
    found = await queries(embedder, "Who built the Skelder lighthouse, can it be visited and what does it cost?",
                          "Skelder lighthouse built visited cost")  # fmt: skip
    assert 1 <= len(found) <= QUERIES_AT_ONCE
    assert all("Skelder" in query for query in found)


async def test_a_part_whose_query_is_hardly_another_one_is_searched_with_fewer_words(embedder):
    first = "largest parcel Orlo 2.4 takes default lift limit"
    narrow = [query for query in await queries(embedder, LIMIT, first) if "lift" in query]
    assert narrow
    assert "takes" not in narrow[0]


async def test_words_that_nearly_all_findings_share_are_added_to_the_query_of_a_part(embedder):
    goal = "How do I let brill find the change that broke a test, and how does my script skip a version?"
    found = [finding(f"With brill bisect, step {n} finds the change that broke it.") for n in range(4)]
    (*_, query) = await queries(embedder, goal, "brill change broke test", findings=found)
    assert {"brill", "script", "version"} <= set(query.split())


async def test_what_an_offer_needs_is_searched_with_the_words_of_the_product(embedder):
    goal = "What is the best quiet garden shredder?"
    shown = view(
        goal=goal, intent="commerce", searches=[search("best quiet garden shredder reviews")],
        visited=[visit("http://a.test/1")], findings=[finding("The shredder costs 99 crowns.")],
    )  # fmt: skip
    outline = await ExtractiveBrain(embedder).outlined(shown)
    found = await queries_for(shown.changed(outline=outline), commerce_gaps(shown), embedder)
    assert found
    assert all("shredder" in query for query in found)
