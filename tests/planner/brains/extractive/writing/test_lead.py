from planner.brains.extractive.brain import ExtractiveBrain
from planner.brains.extractive.stating.asked import read_asked
from planner.brains.extractive.writing.excerpt_order import Digest, Item, PartOfDigest
from planner.brains.extractive.writing.lead import lead_of
from planner.evidence.evidence_statements import evidence_statements
from research_crawler.core.models.drafts import ReportView
from research_crawler.core.models.outline import Leaf
from tests.planner.brains.views import finding

QUESTION = "Which MPM does Apache use by default on Linux, and when would prefork be chosen?"
EMPTY = "At the user level, MPMs appear much like other Apache modules on Linux."
ANSWER = "On Linux the default will almost always be event, because such systems support threads."


async def test_a_sentence_with_the_names_of_a_question_and_nothing_that_it_asks_does_not_lead(embedder, call):
    view = ReportView(
        goal=QUESTION, findings=[finding(EMPTY, "http://a.test/1"), finding(ANSWER, "http://a.test/2")]
    )
    draft = await ExtractiveBrain(embedder).write(view, call)
    leading = [one.text for one in draft.answer if not one.is_excerpt]
    assert EMPTY not in leading


async def test_a_sentence_without_a_name_behind_one_about_a_sibling_does_not_lead(embedder, call):
    goal, of_sibling = "How thick may a branch be for the Halden R3?", "For thick branches, up to 45 mm."
    findings = [
        finding(f"Halden R3 Pro – 420 crowns. {of_sibling}", "http://a.test/1", title="Quiet shredders"),
        finding("The Halden R3 takes branches of 40 mm.", "http://b.test/2", title="Halden R3"),
    ]
    draft = await ExtractiveBrain(embedder).write(ReportView(goal=goal, findings=findings), call)
    assert of_sibling not in [one.text for one in draft.answer if not one.is_excerpt]


async def test_a_part_whose_best_sentence_stands_in_no_shown_excerpt_begins_with_it(embedder):
    questions = ["What does the kestrel pump do?", "When should the kestrel pump be avoided?"]
    best = "Generally, keepers should avoid the kestrel pump whenever the lake is frozen over."
    findings = [
        finding(
            "The kestrel pump is a machine of two stages that lifts water from the lake.", "http://a.test/1"
        ),
        finding(best, "http://b.test/1"),
    ]
    vectors = await embedder.embed([*questions, *(one.claim for one in findings)])
    parts = tuple(
        PartOfDigest(Leaf(id=str(n), question=one, state="filled"), vectors[n], frozenset({0, 1}))
        for n, one in enumerate(questions)
    )
    first, second = (Item(n, one, vectors[2 + n], 0.7, 0.7, n) for n, one in enumerate(findings))
    said = await evidence_statements(" ".join(questions), findings, embedder)
    asked = [await read_asked(one, one, findings, embedder) for one in questions]
    found = Digest([first], [second], parts)
    lead = lead_of(found, said, " ".join(questions), "quick", asked=asked)
    assert [one.text for one in lead.sentences if one.heading == questions[1]] == [best]
