from planner.brains.extractive.writing.report_digest import digest_report
from planner.outline.making import first_outline
from planner.reports.lists_md import listed_sections
from planner.reports.sections import paragraphs
from planner.reports.sources.citations import Citations
from research_crawler.core.models.drafts import ReportView
from research_crawler.core.models.outline import Leaf, Outline, Section
from research_crawler.text.messages import Messages
from tests.planner.brains.views import GOAL, finding, search

TALL = "The Skelder lighthouse is 43 metres tall."
BUILT = "The lighthouse on Skelder was built in 1871 by Ida Brannock."


async def drafted(embedder, findings, *, goal=GOAL, outline=None):
    view = ReportView(goal=goal, findings=findings, outline=outline or Outline())
    return await digest_report(view, embedder)


def shown(draft, findings):
    return paragraphs(Citations(findings, []).keep(draft.answer))


async def test_excerpts_stand_under_their_sub_question_with_their_source(embedder):
    findings = [
        finding(f"{TALL} Its lamp is seen from 30 km away on a clear night.", "http://a.test/1", title="Skelder",
                heading="Size"),
        finding(f"{BUILT} Workers came from three villages of the coast.", "http://b.test/1", title="A history"),
    ]  # fmt: skip
    questions = ["How tall is the Skelder lighthouse?", "When was it built?"]
    leaves = [
        Leaf(id=f"1.{n}", question=text, query="Skelder lighthouse", evidence=[one.id], state="filled")
        for n, (text, one) in enumerate(zip(questions, findings, strict=True), 1)
    ]
    outline = Outline(by="extractive", sections=[Section(id="1", title=GOAL, leaves=leaves)])
    text = shown(await drafted(embedder, findings, outline=outline), findings)
    before, tall, built = text.partition(f"**{questions[0]}**")[0], *text.split("**")[2::2]
    assert not before
    assert "*Skelder: Size*" in tall and "30 km away" in tall and "Workers" not in tall
    assert "*A history*" in built and "Workers" in built
    assert text.count(TALL) == text.count(BUILT) == 1


async def test_a_leading_sentence_from_inside_an_excerpt_stands_under_the_sub_question_that_it_answers(
    embedder,
):
    story = (
        "The coast of Skelder is known for its storms and for the ships that were lost on its rocks in winter. "
        * 2
    )
    findings = [
        finding(f"{story}{TALL}", "http://a.test/1", title="Skelder", heading="Coast"),
        finding("The Skelder lighthouse is white and stands on a rock.", "http://b.test/1", title="Rock"),
    ]
    leaves = [
        Leaf(
            id="1.1",
            question="Who painted the Skelder lighthouse white?",
            query="x",
            evidence=[findings[1].id],
        ),
        Leaf(id="1.2", question="How tall is the Skelder lighthouse?", query="x", evidence=[findings[0].id]),
    ]
    outline = Outline(by="extractive", sections=[Section(id="1", title=GOAL, leaves=leaves)])
    text = shown(await drafted(embedder, findings, outline=outline), findings)
    assert text.split("**")[-1].lstrip().startswith(TALL)
    assert TALL not in text.partition("**How tall")[0]


async def test_a_sentence_that_names_all_compared_things_leads_their_comparison(embedder):
    both = "Orlo tags are kept forever, whereas Vex tags are removed after a week."
    findings = [
        finding("Orlo tags are made with the command orlo tag and have a date.", "http://a.test/1", title="Orlo tags"),
        finding(f"{'Vex tags are made by vex, a small tool that many people like. ' * 3}{both}", "http://b.test/1"),
    ]  # fmt: skip
    goal = "What is the difference between Orlo tags and Vex tags?"
    outline = first_outline(goal, by="extractive")
    draft = await drafted(embedder, findings, goal=goal, outline=outline)
    assert draft.answer[0].text == both
    assert shown(draft, findings).count(both) == 1


async def test_a_leading_sentence_from_inside_an_excerpt_is_shown_once(embedder):
    story = (
        "The coast of Skelder is known for its storms, and for the ships that were lost on its rocks. " * 2
    )
    findings = [finding(f"{story}{TALL} It is white.", "http://a.test/1", title="Skelder", heading="Coast")]
    goal = "How tall is the Skelder lighthouse?"
    draft = await drafted(embedder, findings, goal=goal, outline=first_outline(goal, by="extractive"))
    text = shown(draft, findings)
    assert text.startswith(TALL) and text.count(TALL) == 1 and "storms" in text


async def test_key_findings_state_what_is_asked_and_stand_nowhere_else_in_the_report(embedder):
    goal = "How tall is the Skelder lighthouse?"
    findings = [
        finding(TALL, "http://a.test/1", title="Skelder"),
        finding(
            "The Skelder lighthouse is a famous lighthouse of the coast.", "http://b.test/1", title="Skelder"
        ),
    ]
    draft = await drafted(embedder, findings, goal=goal, outline=two_leaves([goal], [findings[:1]]))
    assert [one.text for one in draft.lists["key_findings"]] == [TALL]
    cited = Citations(findings, [])
    sections = listed_sections(draft, cited)
    assert not any(one.markdown(Messages("en"), unless_in=cited.keep(draft.answer)) for one in sections)


async def test_a_question_for_a_setting_that_no_page_names_is_not_answered(embedder):
    goal = "What does the Orlo setting max_parcel_workers do?"
    findings = [
        finding("The Orlo setting parcel_limit says how many workers carry parcels.", "http://a.test/1")
    ]
    assert (await drafted(embedder, findings, goal=goal)).not_found
    findings = [
        finding("The Orlo setting max_parcel_workers says how many carry parcels.", "http://a.test/1")
    ]
    assert not (await drafted(embedder, findings, goal=goal)).not_found


async def test_somebody_s_own_account_is_told_as_that_of_its_host(embedder):
    findings = [
        finding(
            "I climbed the Skelder lighthouse last year, and my knees told me that it is about 43 metres tall.",
            "http://walks.test/1",
        )
    ]
    text = shown(await drafted(embedder, findings), findings)
    assert "walks.test: “I climbed" in text or "walks.test:\n\n> I climbed" in text
    assert not text.startswith("I climbed")


async def test_a_value_that_a_newer_page_replaced_is_not_stated_as_current(embedder):
    findings = [
        finding(
            "The Skelder lighthouse is 41 metres tall.", "http://a.test/1", published="2015-02-01", score=0.9
        ),
        finding(TALL, "http://b.test/1", published="2026-01-01"),
    ]
    draft = await drafted(embedder, findings)
    answer = shown(draft, findings)
    assert "43" in answer and "41" not in answer
    assert "41" not in " ".join(sentence.text for sentence in draft.lists["key_findings"])
    (pair,) = draft.contradictions
    assert (pair.one.evidence, pair.other.evidence) == ([1], [0])
    assert "2026-01-01" in pair.about and "2015-02-01" in pair.about


async def test_a_disputed_answer_is_of_low_certainty_and_shows_both_sides(embedder):
    findings = [
        finding(TALL, "http://a.test/1"),
        finding("The Skelder lighthouse is 41 metres tall.", "http://b.test/1"),
    ]
    draft = await drafted(embedder, findings)
    assert draft.certainty.startswith("Low certainty")
    assert {draft.contradictions[0].one.evidence[0], draft.contradictions[0].other.evidence[0]} == {0, 1}


async def test_agreeing_hosts_are_counted_and_certainty_is_never_high(embedder):
    findings = [
        finding(TALL, "http://a.test/1"),
        finding("The Skelder lighthouse is 43 metres tall, the parish says.", "http://b.test/1"),
        finding("Skelder lighthouse is 43 metres tall.", "http://c.test/1"),
    ]
    draft = await drafted(embedder, findings, goal="How tall is the Skelder lighthouse?")
    assert "(also said by 2 other hosts: [2][3])" in shown(draft, findings)
    assert draft.certainty.startswith("Medium certainty")


async def test_numbers_of_several_pages_stand_in_a_table_with_their_spread(embedder):
    findings = [
        finding("Installing a heat pump costs 14,000 euros on average.", "http://a.test/1"),
        finding("The installation of a heat pump cost 21,500 euros last year.", "http://b.test/1"),
        finding("A heat pump costs 9,800 euros with its installation.", "http://c.test/1"),
    ]
    draft = await drafted(embedder, findings, goal="How much does a heat pump cost to install?")
    (section,) = draft.sections
    assert "from 9,800 euros to 21,500 euros" in section.title
    assert [(row.label, row.cells[0].text) for row in section.table.rows] == [
        ("c.test", "9,800 euros"), ("a.test", "14,000 euros"), ("b.test", "21,500 euros"),
    ]  # fmt: skip


async def test_the_title_of_a_page_is_not_repeated_above_each_of_its_sections(embedder):
    findings = [
        finding(text, "http://a.test/1", title="Skelder lighthouse", heading=heading)
        for heading, text in (
            [
                (
                    "Size",
                    f"{TALL} The tower has nine floors of the same height and a gallery around its lamp.",
                ),
                (
                    "Size",
                    "The gallery of the Skelder lighthouse is reached by 210 steps, and it is open in summer.",
                ),
                ("Builders", f"{BUILT} Workers came from three villages of the coast to build the tower."),
            ]
        )
    ]
    draft = await drafted(embedder, findings, goal="Tell me how the Skelder lighthouse was built")
    headings = [line for line in shown(draft, findings).splitlines() if line.startswith("**")]
    assert sum("Skelder lighthouse" in line for line in headings) == 1
    assert len(headings) == len(set(headings)) == 2


def two_leaves(questions, evidence):
    leaves = [
        Leaf(id=f"1.{n}", question=text, query="x", evidence=[one.id for one in found], state="filled")
        for n, (text, found) in enumerate(zip(questions, evidence, strict=True), 1)
    ]
    return Outline(by="extractive", sections=[Section(id="1", title=GOAL, leaves=leaves)])


async def test_an_excerpt_stands_under_the_sub_question_that_the_outline_names_it_for(embedder):
    findings = [
        finding(
            "The keeper of the Skelder lighthouse is paid by the harbour of Orm, which has done so since 1931.",
            "http://a.test/1",
        ),
        finding("The Skelder lighthouse is looked after by its keeper, Ida Brannock.", "http://b.test/1"),
    ]
    questions = ["Who pays for all that?", "Who is the keeper of the Skelder lighthouse?"]
    outline = two_leaves(questions, [findings[:1], findings[1:]])
    text = shown(await drafted(embedder, findings, outline=outline), findings)
    pays, keeper = text.partition(f"**{questions[1]}**")[::2]
    assert "harbour of Orm" in pays and "harbour of Orm" not in keeper
    assert "Ida Brannock" in keeper


async def test_a_statement_leads_the_sub_question_that_it_answers_best(embedder):
    story = (
        "The Orlo carriers are known for their carts, and for the roads that they have kept in winter. " * 2
    )
    findings = [
        finding(f"{story}The Orlo limit for parcels is 40 kg.", "http://a.test/1", title="Orlo"),
        finding("The Orlo limit for parcels was made by the carriers.", "http://b.test/1", title="Orlo"),
    ]
    questions = ["What is the Orlo limit?", "What is the Orlo limit for parcels?"]
    outline = two_leaves(questions, [findings[:1], findings])
    draft = await drafted(embedder, findings, goal=" And ".join(questions), outline=outline)
    assert [
        one.heading for one in draft.answer if one.text.startswith("The Orlo limit for parcels is")
    ] == questions[1:]


async def test_what_the_page_of_a_next_hop_says_stands_in_the_answer(embedder):
    goal = "Where did the engineer who designed the Skelder lighthouse study?"
    findings = [
        finding("The machine room is open on Sundays, and bread is sold there.", "http://a.test/1", title="Skelder"),
        finding("Agnes Holt studied in Kessel, at the school of mines.", "http://b.test/1", title="Agnes Holt"),
    ]  # fmt: skip
    assert (await drafted(embedder, findings, goal=goal)).not_found
    led = ReportView(goal=goal, findings=findings, searches=[search("Agnes Holt study")])
    assert "Kessel" in shown(await digest_report(led, embedder), findings)


async def test_the_page_of_each_name_that_led_on_is_shown_though_the_question_has_none_of_its_words(embedder):
    goal = "What did the head of the company that keeps the Skelder lighthouse do before?"
    kept = [
        "The Skelder lighthouse is kept by a private company, Holt Works, whose head has an office in it.",
        "The company that keeps the Skelder lighthouse shows the lighthouse on Sundays, and its head opens it.",
        "The head of the company painted the Skelder lighthouse, which the company keeps, before the summer.",
        "What the company does for the Skelder lighthouse is told by the head of the company in a leaflet.",
    ]
    findings = [
        *(finding(text, "http://a.test/1", title="Skelder lighthouse", score=0.9) for text in kept),
        finding("She plays the bassoon and went to sea at nineteen.", "http://b.test/1", title="Agnes Holt", score=0.3),
    ]  # fmt: skip
    assert "nineteen" not in shown(await drafted(embedder, findings, goal=goal), findings)
    led = ReportView(
        goal=goal, findings=findings, searches=[search("Holt Works head"), search("Agnes Holt head")]
    )
    assert "nineteen" in shown(await digest_report(led, embedder), findings)


async def test_an_excerpt_takes_the_place_of_a_sentence_of_it_that_was_chosen_by_itself(embedder):
    more = "Its lamp is seen from 30 km away, and 194 steps lead to the gallery."
    findings = [
        finding(TALL, "http://a.test/1", title="Skelder", score=0.9),
        finding(f"{TALL} {more}", "http://a.test/1", title="Skelder", score=0.6),
    ]
    draft = await drafted(embedder, findings, goal="How tall is the Skelder lighthouse?")
    assert [one.text for one in draft.answer if one.is_excerpt] == [f"{TALL} {more}"]


async def test_what_stands_under_a_heading_that_asks_the_same_comes_first(embedder):
    goal = "How do I return a parcel in Orlo?"
    about = (
        "Parcels of Orlo are weighed before they go out, and a parcel that is too heavy for Orlo stays in the yard. "
        "The parcel office of Orlo is open on all days but Sunday."
    )
    way = "Write the number on the yellow slip and put it into the box beside the door. The cart comes on Monday."
    findings = [
        finding(about, "http://a.test/1", title="Manual", heading="Manual > Parcels"),
        finding(way, "http://a.test/1", title="Manual", heading="Manual > Return a parcel"),
    ]
    text = shown(await drafted(embedder, findings, goal=goal), findings)
    assert 0 < text.find(way[:40]) < text.find(about[:40])
    story = (
        "Last winter the cart of our street lost its wheel, and all that lay in it was wet by the evening."
    )
    title = "How I return a parcel in Orlo"
    told = [*findings, finding(story, "http://b.test/1", title=title, heading=title)]
    text = shown(await drafted(embedder, told, goal=goal), told)
    assert text.find(story[:40]) == -1 or text.find(way[:40]) < text.find(story[:40])


async def test_an_excerpt_that_begins_with_one_of_the_compared_things_stands_under_it(embedder):
    goal = "What is the difference between Orlo 1 and Orlo 5, and how many carts does each need?"
    findings = [
        finding(
            "Orlo-1 keeps each parcel twice, in two carts of the same size.", "http://a.test/1", title="Carts"
        ),
        finding(
            "Orlo-5 spreads the seals of parcels over many carts. Its carts are green, and each has a bell and a lamp.",
            "http://b.test/1",
            title="Carts of Orlo",
        ),
    ]
    outline = first_outline(goal, by="extractive")
    ids = [one.id for one in findings]
    leaves = {
        leaf.id: leaf.changed(evidence=ids if leaf.question == "Orlo 1" else ids[::-1], state="filled")
        for leaf in outline.leaves
    }
    text = shown(await drafted(embedder, findings, goal=goal, outline=outline.with_leaves(leaves)), findings)
    assert "spreads the seals" in text.partition("**Orlo 5**")[2].partition("**How many")[0]
