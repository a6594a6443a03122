import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from planner.brains.extractive.extractive_brain import ExtractiveBrain
from planner.brains.extractive.policy.visits import VISITS_AT_ONCE
from planner.brains.queries import MOST_FIRST
from research_crawler.adapters.in_memory.memory_embedder import HashEmbedder
from research_crawler.core.config import Config
from research_crawler.core.models.evidence.quality import QualityThresholds
from research_crawler.core.ports.models import Call
from research_crawler.core.settings.depth import limits_for
from research_crawler.text.languages.words import terms
from tests.cases import each_case
from tests.planner.brains.views import GOAL, candidate, finding, search, view, visit
from tests.planner.scripted import Drive, a_job, ended, found, read


async def choose(view, embedder):
    """The decision of a brain that is asked for the first time."""
    answered = await ExtractiveBrain(embedder).decide(view, Call(job="j", key="1", token="t", deadline_s=5))
    return answered.decision


ASKED = search("Skelder lighthouse tall built")


async def test_the_first_step_is_a_search(embedder):
    decision = await choose(view(allowed=["search", "done"]), embedder)
    assert decision.action == "search"
    assert "Skelder" in decision.queries[0]
    assert decision.reason


async def test_the_question_itself_is_searched_for_where_its_words_alone_have_found_nothing(embedder):
    goal = "How do I keep one lamp from being lit at night while all others are?"
    made = await choose(view(goal=goal, allowed=["search", "done"]), embedder)
    nothing = view(
        goal=goal,
        allowed=["search", "done"],
        searches=[search(query, results=0) for query in made.queries],
    )
    decision = await choose(nothing, embedder)
    assert goal.rstrip("?") in [*made.queries, *decision.queries]


async def test_pages_named_in_the_goal_are_read_before_any_search(embedder):
    decision = await choose(
        view(given_urls=["http://a.test/x"], allowed=["search", "visit", "done"]), embedder
    )
    assert (decision.action, decision.urls) == ("visit", ["http://a.test/x"])


async def test_pages_are_read_side_by_side_on_different_hosts(embedder):
    candidates = [candidate(f"http://{host}.test/{n}", 0.8 - n / 100) for n in range(3) for host in "abcd"]
    decision = await choose(view(searches=[ASKED], candidates=candidates), embedder)
    assert decision.action == "visit"
    assert len(decision.urls) == VISITS_AT_ONCE
    assert len({url.split("/")[2] for url in decision.urls}) == VISITS_AT_ONCE


async def test_a_host_with_a_long_wait_is_visited_later(embedder):
    candidates = [candidate("http://slow.test/1", 0.9, wait_s=40.0), candidate("http://a.test/1", 0.5)]
    decision = await choose(view(searches=[ASKED], candidates=candidates), embedder)
    assert decision.urls == ["http://a.test/1"]


async def test_a_page_that_cannot_be_fetched_in_time_is_not_visited(embedder):
    candidates = [candidate("http://slow.test/1", 0.9, wait_s=40.0)]
    decision = await choose(
        view(searches=[ASKED, search("b", 2)], candidates=candidates, longest_wait=20.0, remaining_searches=0,
             allowed=["visit", "done"]), embedder
    )  # fmt: skip
    assert decision.action == "done"


async def test_why_it_ends_is_said_in_the_language_of_the_goal(embedder):
    decision = await choose(
        view(language="de", searches=[ASKED, search("b", 2)], remaining_searches=0, allowed=["done"]),
        embedder,
    )
    assert decision.reason.startswith("Es gibt 0 Funde von 0 Websites, und keine der übrigen Seiten")


async def test_a_search_looks_for_what_is_missing(embedder):
    decision = await choose(
        view(
            searches=[ASKED],
            visited=[visit("http://a.test/1")],
            findings=[finding("The Skelder lighthouse is 43 metres tall.")],
            candidates=[candidate(f"http://{h}.test/2") for h in "bcdef"],
        ),
        embedder,
    )
    assert decision.action == "search"
    assert set(terms(decision.queries[0])) != set(terms(ASKED.query))


async def test_done_names_what_commerce_still_lacks(embedder):
    decision = await choose(
        view(
            goal="cheap laptop", intent="commerce", searches=[ASKED], remaining_searches=0, allowed=["done"]
        ),
        embedder,
    )
    assert decision.action == "done"
    assert decision.missing == [
        "what makes a good product",
        "what it should cost",
        "models that real users name",
    ]


BUYING = {"goal": "cheap gaming laptop", "intent": "commerce", "searches": [ASKED]}
FORUM, REVIEW = "http://forum.test/t/1", "http://lab.test/reviews/1"


def bought(*hosts):
    """Findings for a purchase: a price, what to look for, and a model that these pages recommend."""
    learned = [
        finding("Expect to pay $800.", FORUM, kind="price_expectation"),
        finding("Look for 16 GB.", FORUM, kind="spec_to_look_for"),
    ]
    return learned + [
        finding("Our pick is the Orlo Lynx 15.", host, kind="recommended_product") for host in hosts
    ]


async def test_two_pages_that_recommend_the_same_model_are_enough_for_an_offer(embedder):
    visited = [visit(FORUM, kind="forum"), visit(REVIEW, 2, kind="review")]
    more = {"visited": visited, "candidates": [candidate("http://other.test/")], **BUYING}
    decision = await choose(view(findings=bought(FORUM, REVIEW), **more), embedder)
    assert decision.action == "done"
    assert "forum.test and lab.test both recommend Orlo Lynx 15" in decision.reason
    assert (await choose(view(findings=bought(FORUM), **more), embedder)).action != "done"


async def test_shops_are_not_read_while_there_are_other_pages(embedder):
    shop = candidate("http://shop.test/p/1", 0.9, type="vendor")
    forum = candidate("http://forum.test/t/2", 0.5, type="forum")
    decision = await choose(view(candidates=[shop, forum], **BUYING), embedder)
    assert decision.urls == ["http://forum.test/t/2"]
    assert (await choose(view(candidates=[shop], **BUYING), embedder)).urls == ["http://shop.test/p/1"]


async def test_shops_are_read_for_a_question_about_prices_or_if_there_are_no_other_pages(embedder):
    shop = candidate("http://shop.test/p/1", 0.9, type="vendor")
    forum = candidate("http://forum.test/t/2", 0.5, type="forum")

    async def read(goal, *candidates):
        asking = BUYING | {"intent": "informational", "goal": goal}
        asks = goal.startswith("How much")
        return (await choose(view(candidates=list(candidates), asks_offer=asks, **asking), embedder)).urls

    assert await read("What is the best gaming laptop?", shop, forum) == ["http://forum.test/t/2"]
    assert await read("What is the best gaming laptop?", shop) == ["http://shop.test/p/1"]
    assert "http://shop.test/p/1" in await read("How much does a gaming laptop cost?", shop, forum)


async def test_what_is_remembered_of_two_hosts_makes_no_page_less_worth_reading(embedder):
    remembered = [finding(f"A claim {n}.", f"http://known{n}.test/a") for n in (1, 2)]
    page = candidate("http://new.test/a", 0.3)
    decision = await choose(view(candidates=[page], findings=remembered, searches=[ASKED]), embedder)
    assert page.result.url in decision.urls


async def test_pages_with_the_same_title_are_not_read_together_while_there_are_others(embedder):
    same = [candidate(f"http://mirror{n}.test/a", 0.9, title="How bees sleep | Mirror") for n in range(4)]
    others = [candidate(f"http://other{n}.test/a", 0.7, title=f"Page {n}") for n in range(3)]
    decision = await choose(view(candidates=[*same, *others], searches=[search("bees")]), embedder)
    assert sum("mirror" in url for url in decision.urls) == 1


async def test_a_stuck_job_gets_a_different_query(embedder):
    decision = await choose(view(searches=[ASKED], stuck="different_query", **THOROUGH), embedder)
    assert decision.action == "search"
    assert set(terms(decision.queries[0])) - set(terms(ASKED.query))


async def test_a_job_that_has_searched_for_all_its_words_ends_and_adds_none_of_ours(embedder):
    known = set(terms(f"{GOAL} {ASKED.query}"))
    decision = await choose(view(searches=[ASKED], allowed=["search", "done"]), embedder)
    assert all(set(terms(query)) <= known for query in decision.queries)


ACTIONS = st.sampled_from([["search", "visit", "done"], ["search", "done"], ["visit", "done"], ["done"]])


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(
    allowed=ACTIONS,
    scores=st.lists(st.floats(0, 1), max_size=8),
    read=st.integers(0, 5),
    asked=st.integers(0, 4),
    found=st.integers(0, 6),
    left=st.integers(1, 8),
    stuck=st.sampled_from(["", "different_query"]),
    intent=st.sampled_from(["informational", "commerce"]),
)
async def test_a_decision_has_only_allowed_actions_and_new_queries_and_urls(
    allowed, scores, read, asked, found, left, stuck, intent
):
    candidates = [candidate(f"http://h{n % 3}.test/{n}", score) for n, score in enumerate(scores)]
    visited = [visit(f"http://h{n % 3}.test/{n}", n, round_no=1 + n % 3) for n in range(read)]
    searches = [search(f"lighthouse query {n}", n) for n in range(1, asked + 1)]
    shown = view(
        allowed=allowed, candidates=candidates, visited=visited, searches=searches, stuck=stuck, intent=intent,
        findings=[finding(f"fact {n} about it", f"http://h{n % 3}.test/{n}") for n in range(found)],
        remaining_visits=left, remaining_searches=2, year=2026,
    )  # fmt: skip
    decision = await choose(shown, HashEmbedder())
    assert decision.action in allowed
    assert decision.reason
    assert not {v.url for v in visited} & set(decision.urls)
    assert not {s.query for s in searches} & set(decision.queries)
    assert len(decision.urls) <= min(left, VISITS_AT_ONCE)
    assert decision.action != "search" or 1 <= len(decision.queries) <= MOST_FIRST
    assert decision.action != "visit" or decision.urls


@pytest.mark.parametrize("outcome", [("failed", "http 404"), ("blocked", "captcha"), ("refused", "robots")])
def test_a_named_page_that_cannot_be_read_costs_no_search_and_the_job_goes_on(embedder, outcome):
    bad, good = "https://bad.example/", [f"https://h{n}.example/heat-pumps" for n in range(5)]
    drive = Drive(a_job(urls=[bad]), ExtractiveBrain(embedder))
    asked = []

    def answer(command):
        asked.append(command.first_url or command.kind)
        if command.first_url == bad:
            return ended(command, *outcome)
        if command.kind == "search":
            return found(command, *good)
        return read(command, f"Heat pumps work by moving heat from {command.url} into the house.")

    job = drive.run(answer)
    assert asked[:2] == [bad, "search"]
    assert set(asked[2:6]) <= set(good), "the results are read before another search"
    assert job.plan.findings >= 4
    assert any(bad in warning and outcome[1] in warning for warning in job.warnings)


async def test_after_a_round_without_anything_new_no_other_words_are_tried(embedder):
    read_pages = [visit(f"http://{host}.test/1") for host in "abcd"]
    known = [finding(f"The lighthouse was built in {1800 + n}.", f"http://{host}.test/1")
             for n, host in enumerate("abcd")]  # fmt: skip
    given = {"searches": [ASKED, search("b", 2)], "visited": read_pages, "findings": known, "candidates": []}
    going_on = await choose(view(**given, allowed=["search", "done"], remaining_searches=3), embedder)
    ended_ = await choose(
        view(**given, allowed=["search", "done"], remaining_searches=3, barren_rounds=1), embedder
    )
    assert (going_on.action, ended_.action) == ("search", "done")


LIMIT = "What is the largest parcel that Orlo takes, and how do I lift the limit?"
NEAR = (
    "The largest parcel that Orlo takes weighs 43 kg.",
    "To lift the limit for the largest parcel that Orlo takes, set LimitParcelSize to 0.",
)


async def test_a_question_of_two_parts_is_searched_by_each_part_and_as_it_was_asked(embedder):
    decision = await choose(view(goal=LIMIT, allowed=["search", "done"], remaining_searches=5), embedder)
    first, second, asked = decision.queries
    assert "lift" not in first and {"Orlo", "lift", "limit"} <= set(second.split())
    assert asked == LIMIT.rstrip("?")


def after(pages, findings, *, searches=3, **more):
    """A job that has read so many pages, all of them after its first searches."""
    shown = {"searches": [search(f"Orlo parcel {n}", n) for n in range(searches)], "remaining_searches": 2}
    visits = [visit(f"http://a{n}.test/1", n, title=f"Page {n}", round_no=2) for n in range(pages)]
    more = [candidate("http://z.test/1", 0.9, title="LimitParcelSize"), candidate("http://y.test/2", 0.9)]
    facts = [finding(text, "http://a0.test/1", title="Parcels") for text in findings]
    return view(goal=LIMIT, visited=visits, findings=facts, candidates=more, **shown)


async def test_after_the_first_pages_one_search_has_the_words_of_the_best_excerpts_beside_those_of_the_question(
    embedder,
):
    mention = (
        "The largest parcel that Orlo takes is set by the administrator, by LimitParcelSize in its file."
    )
    beside = [f"Harbour {n} of Skelder has a bakery that sells bread with caraway." for n in range(9)]
    job = after(3, [*beside, mention])
    decision = await choose(job, embedder)
    assert decision.action == "search"
    (query,) = decision.queries
    words = set(query.split())
    assert {"largest", "parcel", "Orlo", "LimitParcelSize"} <= words and "bakery" not in words
    later = [*job.visited, visit("http://b.test/1", 5, round_no=3)]
    again = await choose(job.changed(visited=later, findings=job.findings[1:]), embedder)
    assert "LimitParcelSize" not in " ".join(again.queries)


async def test_a_surely_answered_question_ends_after_fewer_pages_than_a_doubtful_one(embedder):
    late = [search("LimitParcelSize Orlo", 4).changed(round=3)]

    async def ends(pages, findings):
        job = after(pages, findings)
        return (await choose(job.changed(searches=[*job.searches, *late]), embedder)).action == "done"

    assert not await ends(5, NEAR)
    assert await ends(6, NEAR)
    assert not await ends(6, ["Orlo is a small tool for parcels, and it is made in Skelder."])


THOROUGH = {"quality": QualityThresholds(is_thorough=True), "allowed": ["search", "done"]}
PARTS = (
    "How do I set up the Orlo mill? Which flour does the Orlo mill grind? How do I clean the stones of the Orlo mill? "
    "Who repairs a cracked stone of the Orlo mill?"
)


async def added_words(goal, embedder, **asking):
    """The words of the next queries that are not the goal's."""
    decision = await choose(
        view(goal=goal, searches=[search(goal)], allowed=["search", "done"], **asking), embedder
    )
    return {word for query in decision.queries for word in query.lower().split()} - set(goal.lower().split())


@each_case("goal", ["Welche Handmühle soll ich für die Reise kaufen", "Quel moulin choisir pour le voyage"])
@each_case("asking", [{"intent": "commerce"}, {"stuck": "nothing new"}])
async def test_words_that_a_query_adds_are_in_the_language_of_its_goal(embedder, goal, asking):
    english = await added_words("Which hand grinder should I buy for the travels", embedder, **asking)
    added = await added_words(goal, embedder, **asking)
    assert added - {"forum"}
    assert (added & english) <= {"forum"}


@pytest.mark.parametrize("goal", [PARTS, LIMIT, "Who repairs the stones of an Orlo mill?"])
@pytest.mark.parametrize("left", [1, 2, 4, 9])
async def test_thorough_research_begins_with_three_to_five_searches_as_far_as_it_may(embedder, goal, left):
    decision = await choose(view(goal=goal, remaining_searches=left, **THOROUGH), embedder)
    assert (3 if left > 2 else 1) <= len(decision.queries) <= min(5, left)
    assert len({frozenset(terms(query)) for query in decision.queries}) == len(decision.queries)


async def test_thorough_research_searches_for_each_part_of_the_question_by_itself(embedder):
    decision = await choose(view(goal=PARTS, remaining_searches=9, **THOROUGH), embedder)
    words = ("flour", "clean", "repairs")  # the words of the first part say of what
    asked = [[word for word in words if word in query.split()] for query in decision.queries]
    assert all(own in asked for own in ([], ["flour"], ["clean"], ["repairs"])), decision.queries


THINGS = (
    "clamps",
    "rice",
    "brushes",
    "wheat",
    "glue",
    "sieves",
    "levers",
    "salt",
    "sacks",
    "wedges",
    "oil",
    "belts",
)


def driven(depth, embedder):
    """A job whose first pages have something near to each part of the question; later ones name other things."""
    pages = iter(range(100))

    def answer(command):
        if command.kind == "search":
            return found(command, *(f"https://h{next(pages)}.example/orlo-mill" for _ in range(2)))
        thing = THINGS[int(command.url.split(".")[0].removeprefix("https://h")) % len(THINGS)]
        said = (
            f"To set up the Orlo mill you need {thing} and a table that stands firm.",
            f"The flour that the Orlo mill grinds with {thing} is fine.",
            f"The stones of the Orlo mill are cleaned by {thing} after each use.",
            f"A cracked stone is repaired by a mason who knows {thing}.",
        )
        return read(command, *said)

    job = Drive(
        a_job(PARTS, limits=limits_for(Config(), depth=depth), depth=depth), ExtractiveBrain(embedder)
    ).run(answer)
    return job, [search.query for search in job.searches]


def test_a_deep_job_searches_and_reads_on_where_a_standard_one_has_enough(embedder):
    standard, few = driven("standard", embedder)
    deep, many = driven("deep", embedder)
    assert deep.plan.pages_read > standard.plan.pages_read
    assert len(few) < 5 < len(many) <= deep.limits.max_searches
    assert sum(leaf.searches >= 2 for leaf in deep.outline.leaves) >= 3, deep.outline
