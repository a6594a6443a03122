from planner.brains.extractive.writing.by_part import led_leaves, with_stated
from planner.brains.extractive.writing.digest import digest
from planner.brains.extractive.writing.lead import Lead
from planner.brains.extractive.writing.report_digest import digest_report
from research_crawler.core.models.drafts import ReportView, Sentence
from research_crawler.core.models.outline import Leaf, Outline, Section
from tests.planner.brains.views import finding

TOWER = finding(
    "The Skelder tower is open to visitors from May to September, every day except Monday. "
    "Admission costs 6 crowns for adults and 3 for children.",
    "http://a.test/1",
    title="Visiting Skelder",
)
ROOM = finding(
    "The lamp room of the Skelder tower has a painted ceiling, which visitors admire for the colours of its sea birds.",
    "http://b.test/1",
    title="Skelder lamp room",
)
QUESTIONS = [
    "When is the Skelder tower open to visitors?",
    "What does admission cost?",
    "Who painted its lamp room?",
]


async def report(embedder):
    found = [[TOWER.id], [TOWER.id], [ROOM.id]]
    states = ["filled", "filled", "open"]
    leaves = [
        Leaf(id=f"1.{n}", question=question, query="Skelder", evidence=ids, state=state)
        for n, (question, ids, state) in enumerate(zip(QUESTIONS, found, states, strict=True), 1)
    ]
    outline = Outline(by="extractive", sections=[Section(id="1", title="Skelder", leaves=leaves)])
    view = ReportView(goal=" ".join(QUESTIONS), findings=[TOWER, ROOM], outline=outline)
    return await digest_report(view, embedder)


async def test_each_answered_part_has_its_sentence_though_one_excerpt_answers_two(embedder):
    draft = await report(embedder)
    told = {
        heading: [one.text for one in draft.answer if one.heading == heading] for heading in QUESTIONS[:2]
    }
    assert any("open to visitors" in text for text in told[QUESTIONS[0]])
    assert any("6 crowns" in text for text in told[QUESTIONS[1]])


async def test_a_part_that_nothing_states_says_so_above_what_is_nearest(embedder):
    draft = await report(embedder)
    (heading,) = {one.heading for one in draft.answer if one.heading.startswith("Who painted")}
    assert heading == f"{QUESTIONS[2]} (by their words, no excerpt clearly says so; the nearest ones)"
    assert "answer 2 of 3 parts" in draft.certainty


async def test_a_row_that_states_a_part_is_shown_first_though_much_prose_is_nearer(embedder):
    prose = [
        finding(
            f"The filter of the Skelder mail queue, number {n}, takes each message of the queue, reads it, and gives "
            "the message back to the mail queue, where it waits until the next filter has read the message.",
            "http://a.test/filters",
            title="Skelder mail queue",
            heading=f"The mail queue > Messages of the queue and filter {n}",
        )
        for n in range(1, 12)
    ]
    row = finding(
        "| skq -d ID | take out one message by its number |\n| skq -d ALL | take out all messages |",
        "http://b.test/commands",
        title="Network applications",
        score=0.4,
    )
    question = "How do I delete one message or all of them?"
    leaves = [
        Leaf(id="1.1", question="How can I see the Skelder mail queue?", query="Skelder queue", state="open"),
        Leaf(
            id="1.2",
            question=question,
            query="Skelder queue delete message",
            state="filled",
            evidence=[row.id, *(one.id for one in prose[:7])],
        ),
    ]
    outline = Outline(by="extractive", sections=[Section(id="1", title="Queue", leaves=leaves)])
    view = ReportView(goal=" ".join(one.question for one in leaves), findings=[*prose, row], outline=outline)
    draft = await digest_report(view, embedder)
    assert "skq -d" in next(one.text for one in draft.answer if one.heading == question)


async def test_an_excerpt_that_goes_on_from_another_stays_behind_it_though_it_states_a_part(embedder):
    first = finding(
        "While the Skelder tower is being cleaned, the lamp room is closed, and so are all stairs that lead up to it.",
        "http://a.test/1",
        title="Skelder",
        heading="Cleaning",
    )
    more = finding(
        "(The garden of the Skelder tower is open to all visitors while it is being cleaned, and its café as well.)",
        "http://a.test/1",
        title="Skelder",
        heading="Cleaning",
    )
    more = more.model_copy(update={"start": 140})
    questions = [
        "Is the garden open to visitors during the cleaning?",
        "Which stairs of the tower are closed?",
    ]
    leaves = [
        Leaf(id=f"{n}.1", question=one, query="Skelder tower", state="filled", evidence=[more.id, first.id])
        for n, one in enumerate(questions, 1)
    ]
    outline = Outline(by="extractive", sections=[Section(id="1", title="Skelder", leaves=leaves)])
    view = ReportView(goal=" ".join(questions), findings=[more, first], outline=outline)
    lead = await with_stated(Lead([], []), await digest(view, embedder), view, embedder)
    assert not lead.stating


def test_a_leading_sentence_without_what_is_asked_for_leaves_its_part_open():
    questions = ("How do I enable the alarm of the gate?", "When was the gate built?")
    leaves = [Leaf(id=f"1.{n}", question=text, query=text) for n, text in enumerate(questions, 1)]
    outline = Outline(by="extractive", sections=[Section(id="1", title="Gate", leaves=leaves)])
    for said, filled in (
        (("The alarm of the gate comes from the keeper.", "The gate was built by the keeper."), []),
        (("Turn the key of the gate to enable its alarm.", "The gate was built in 1871."), ["1.1", "1.2"]),
    ):
        told = [Sentence(text=text, heading=asked) for text, asked in zip(said, questions, strict=True)]
        assert list(led_leaves(outline, Lead(told, []))) == filled
