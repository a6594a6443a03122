from planner.brains.extractive.brain import ExtractiveBrain
from planner.brains.extractive.filling import filled_outline
from planner.outline.given import given_outline
from research_crawler.core.models.outline import Leaf, Outline, Section
from tests.planner.brains.views import finding, search, view, visit

TALL = finding("The Skelder lighthouse is 43 metres tall.", "http://a.test/1")
BUILT = finding("The Skelder lighthouse was built in 1871 of local granite.", "http://b.test/1")
BEACH = finding("The beach below has sand and pebbles, and a kiosk in summer.", "http://c.test/1")


def states(outline):
    return [(leaf.state, leaf.evidence) for leaf in outline.leaves]


async def test_each_part_of_a_question_is_filled_by_the_findings_that_answer_it(embedder):
    outline = await filled_outline(
        view(findings=[BUILT, BEACH, TALL], searches=[search("Skelder")]), embedder
    )
    assert [leaf.question for leaf in outline.leaves] == [
        "How tall is the Skelder lighthouse?",
        "When was it built?",
    ]
    assert states(outline) == [("filled", [TALL.id]), ("filled", [BUILT.id])]


async def test_a_part_without_an_answer_stays_open_with_the_query_that_would_fill_it(embedder):
    outline = await filled_outline(view(findings=[TALL, BEACH]), embedder)
    assert states(outline) == [("filled", [TALL.id]), ("open", [])]
    assert {"Skelder", "built"} <= set(outline.leaves[1].query.split())


async def test_what_is_of_the_wrong_kind_is_no_answer(embedder):
    stone = finding("The Skelder lighthouse was built of local granite by masons.", "http://b.test/1")
    outline = await filled_outline(view(findings=[TALL, stone]), embedder)
    assert states(outline)[1] == ("open", [])


async def test_a_sentence_that_is_only_about_the_same_thing_does_not_answer_a_question_about_it(embedder):
    given = given_outline("- Who painted its ceiling?\n- Who designed it?", "the Skelder lighthouse")
    found = [
        finding(
            "The Skelder tower was designed by Ida Brannock and has stood here since 1871.", "http://a.test/1"
        ),
        finding("The Skelder lighthouse on its rock near Marrowby is open on Sundays.", "http://b.test/1"),
    ]
    outline = await filled_outline(
        view(goal="the Skelder lighthouse", findings=found, outline=given), embedder
    )
    assert states(outline) == [("open", []), ("filled", [found[0].id])]


async def test_another_thing_with_the_same_words_does_not_answer_a_question_about_a_named_one(embedder):
    goal = "What does the setting max_undo_workers do in Orlo 21?"
    other = finding(
        "The setting max_walrus_pumps decides how many pumps may run in Brill.", "http://a.test/1"
    )
    outline = await filled_outline(view(goal=goal, findings=[other]), embedder)
    assert states(outline) == [("open", [])]


async def test_a_quote_on_two_pages_is_named_once(embedder):
    again = finding(TALL.claim, "http://mirror.test/1")
    outline = await filled_outline(view(findings=[TALL, again, BUILT]), embedder)
    assert outline.leaves[0].evidence == [TALL.id]


async def test_later_findings_take_the_place_of_weaker_ones(embedder):
    vague = finding(
        "The Skelder lighthouse is one of the tall lighthouses, with 200 steps.", "http://c.test/1"
    )
    first = await filled_outline(view(findings=[vague]), embedder)
    second = await filled_outline(view(findings=[vague, TALL], outline=first), embedder)
    assert first.leaves[0].evidence == [vague.id]
    assert second.leaves[0].evidence[0] == TALL.id
    assert [leaf.id for leaf in first.leaves] == [leaf.id for leaf in second.leaves]


async def test_what_a_model_has_judged_stays_as_it_is(embedder):
    judged = Outline(by="model", sections=[Section(id="1", title="Tower", leaves=[
        Leaf(id="1.1", question="How tall is the Skelder lighthouse?", evidence=[BEACH.id], state="filled"),
        Leaf(id="1.2", question="When was the Skelder lighthouse built?", reason="sources disagree"),
        Leaf(id="1.3", question="What is the Skelder lighthouse built of?"),
    ])])  # fmt: skip
    outline = await filled_outline(view(findings=[TALL, BUILT, BEACH], outline=judged), embedder)
    assert states(outline)[:2] == [("filled", [BEACH.id]), ("open", [])]
    assert outline.leaves[2].evidence[0] == BUILT.id


async def test_a_given_outline_is_filled_and_keeps_its_words(embedder):
    given = given_outline(
        "# Facts\n- Year of construction\n- Height in metres\n- Keepers", "the Skelder lighthouse"
    )
    outline = await filled_outline(
        view(goal="the Skelder lighthouse", findings=[TALL, BUILT, BEACH], outline=given), embedder
    )
    assert [leaf.question for leaf in outline.leaves] == [
        "Year of construction",
        "Height in metres",
        "Keepers",
    ]
    assert [leaf.state for leaf in outline.leaves][1:] == ["filled", "open"]


async def test_a_search_for_an_offer_needs_three_things(embedder):
    price = finding("Expect to pay $800.", kind="price_expectation")
    buying = view(goal="cheap laptop", intent="commerce", findings=[price], language="de")
    answered = await ExtractiveBrain(embedder).outlined(buying)
    assert [leaf.state for leaf in answered.leaves] == ["open", "filled", "open"]
    assert answered.leaves[1].evidence == [price.id]
    assert answered.leaves[0].question != "what makes a good product", (
        "it is said in the language of the goal"
    )


async def test_the_headings_that_pages_share_become_the_parts_of_a_topic(embedder):
    found = [
        finding(f"Heat pumps make {word} noise when it is cold.", f"http://{host}.test/1", heading="Noise")
        for host, word in (("a", "little"), ("b", "some"))
    ]
    outline = await filled_outline(view(goal="heat pumps", findings=found), embedder)
    assert [section.title for section in outline.sections] == ["Heat pumps", "Noise"]
    assert outline.leaves[1].state == "filled"


async def test_no_finding_fills_nothing_and_reads_no_text(embedder):
    outline = await filled_outline(view(visited=[visit("http://a.test/1")]), embedder)
    assert states(outline) == [("open", []), ("open", [])]


async def test_what_the_page_of_a_next_hop_says_answers_the_question(embedder):
    goal = "Where did the engineer who designed the Skelder lighthouse study?"
    room = finding("Bread is sold on Sundays.", "http://d.test/1", title="Skelder")
    told = finding("Agnes Holt studied in Kessel, at the school of mines.", title="Agnes Holt")
    asked = view(goal=goal, findings=[told, room], searches=[search("Skelder lighthouse engineer")])
    assert (await filled_outline(asked, embedder)).leaves[0].state != "filled"
    led = view(goal=goal, findings=[told, room], searches=[search("Agnes Holt study", 2)])
    assert (await filled_outline(led, embedder)).leaves[0].state == "filled"
