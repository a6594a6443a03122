from planner.brains.extractive.policy.label_results import label_results
from planner.brains.result_labels import priority_of
from research_crawler.core.models.jobs.decisions import LabelRequest
from research_crawler.core.models.messages.events import SearchResult


def request(goal, *results, intent="informational"):
    given = [SearchResult(url=url, title=title, snippet=snippet) for url, title, snippet in results]
    return LabelRequest(goal=goal, intent=intent, results=given)


async def test_results_about_the_goal_come_first(embedder):
    labels = await label_results(
        request(
            "How tall is the Skelder lighthouse?",
            ("http://a.test/soup", "Fish soup", "A recipe for six."),
            ("http://b.test/light", "Skelder lighthouse", "The tower is tall and white."),
        ),
        embedder,
    )
    assert [label.url for label in labels] == ["http://b.test/light", "http://a.test/soup"]
    assert labels[0].priority == "must_visit"
    assert labels[-1].priority == "skip"


async def test_of_pages_that_look_alike_the_engines_first_one_comes_first(embedder):
    found = [
        SearchResult(
            url=f"http://{place}.test/",
            title="Lights of the coast",
            snippet="Towers, Skelder too.",
            rank=place,
        )
        for place in (3, 1, 2)
    ]
    labels = await label_results(
        LabelRequest(goal="How tall is the Skelder lighthouse?", results=found), embedder
    )
    assert [label.url for label in labels] == ["http://1.test/", "http://2.test/", "http://3.test/"]


async def test_the_engines_first_place_does_not_make_a_page_about_something_else_worth_reading(embedder):
    soup = SearchResult(url="http://a.test/", title="Fish soup", snippet="A recipe for six.", rank=1)
    (label,) = await label_results(
        LabelRequest(goal="How tall is the Skelder lighthouse?", results=[soup]), embedder
    )
    assert label.priority == "skip"


async def test_reviews_and_forums_rank_above_vendors_for_commerce(embedder):
    labels = await label_results(
        request(
            "cheap gaming laptop with RTX card",
            ("http://shop.test/product/1", "Cheap gaming laptop with RTX card", "Buy it here."),
            ("http://x.test/reviews/1", "Cheap gaming laptop with RTX card", "Four of them."),
            ("http://forum.test/t/1", "Cheap gaming laptop with RTX card", "Which one do you use?"),
            intent="commerce",
        ),
        embedder,
    )
    assert [label.type for label in labels][-1] == "vendor"
    assert {label.type for label in labels[:2]} == {"review", "forum"}


async def test_no_results_give_no_labels(embedder):
    assert await label_results(request("x"), embedder) == []


def test_every_score_has_a_priority():
    assert [priority_of(s) for s in (1.0, 0.5, 0.3, 0.0)] == ["must_visit", "should_visit", "maybe", "skip"]


async def test_a_shop_ranks_as_high_as_others_where_the_question_is_what_something_costs(embedder):
    asked = request(
        "Lynx 15 laptop: what does it cost?",
        ("http://shop.test/product/1", "Lynx 15 laptop", "Fifteen inches."),
        ("http://paper.test/lynx", "Lynx 15 laptop", "Fifteen inches."),
    )
    scores = [
        {label.url: label.score for label in await label_results(one, embedder)}
        for one in (asked, asked.changed(asks_offer=True))
    ]
    shop, paper = "http://shop.test/product/1", "http://paper.test/lynx"
    assert scores[0][shop] < scores[0][paper]
    assert scores[1][shop] == scores[1][paper]


async def test_a_page_in_another_language_is_read_for_the_names_and_codes_of_the_question(embedder):
    found = request(
        "Wie behebe ich den Fehler E47 an einem Brightwell-Geschirrspüler?",
        ("http://a.test/fix", "Fix E47 on a Brightwell dishwasher", "Water stays in the tub."),
        ("http://a.test/soup", "Fish soup", "A recipe for six."),
    )
    by_url = {label.url: label.priority for label in await label_results(found, embedder)}
    assert by_url == {"http://a.test/fix": "should_visit", "http://a.test/soup": "skip"}
