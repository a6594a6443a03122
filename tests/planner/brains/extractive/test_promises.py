"""What the brain without a model promises of a whole job, on pages that are driven through the real planner."""

import re
import time
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from planner.brains.extractive.answering.sides import sides_of
from planner.brains.extractive.answering.write import write_answer
from planner.brains.extractive.extractive_brain import ExtractiveBrain, RememberingEmbedder
from planner.brains.extractive.fill import filled_outline
from planner.brains.extractive.nearness import similarity_index
from planner.brains.extractive.policy.second_hop import next_hops
from planner.reports.sections import paragraphs
from planner.reports.sources.citations import Citations
from research_crawler.adapters.in_memory.memory_embedder import HashEmbedder
from research_crawler.core.models.reports.drafts import TABLE_ID, ReportView
from research_crawler.text.writing.messages import ENGLISH_MESSAGES
from tests.cases import each_case
from tests.planner.brains.views import candidate, finding, search, view, visit

LONG_GOALS = [
    ("Which lamp does Orlo of Skelder sell, and how do I set it up, and who repairs it? " * 60)[:4000],
    "word " * 800,
    "a, b and c; " * 330,
]


@pytest.mark.parametrize("goal", LONG_GOALS)
async def test_a_very_long_goal_does_not_hold_up_the_planner(goal, call):
    brain = ExtractiveBrain(HashEmbedder())
    told = [
        finding(
            f"Orlo of Skelder sells lamp {n} for {n} euro, and it repairs lamps.", f"http://h{n % 5}.test/{n}"
        )
        for n in range(60)
    ]
    begun = time.process_time()
    decided = await brain.decide(view(goal=goal, findings=told, visited=[visit("http://h1.test/1")]), call)
    await brain.write(ReportView(goal=goal, findings=told, outline=decided.outline), call)
    assert time.process_time() - begun < 5  # it takes about one


async def test_the_link_of_the_row_that_is_asked_about_is_followed_first(embedder):
    table = "| Year | Winner |\n| --- | --- |\n| 2003 | Ana Ruiz |\n| 2004 | Jon Brask |\n| 2005 | Mia Holt |"
    rows = finding("Year Winner 2003 Ana Ruiz 2004 Jon Brask 2005 Mia Holt", title="Skelder Prize")
    rows = rows.model_copy(update={"quote": table})
    links = [candidate(f"http://p.test/{n}", 0.2, title=n) for n in ("Ana Ruiz", "Jon Brask", "Mia Holt")]
    shown = view(
        goal="Where was the 2004 winner of the Skelder Prize born?", findings=[rows], candidates=links
    )
    (vector,) = await embedder.embed([shown.goal])
    first, *_ = next_hops(shown, await similarity_index(shown.findings, shown.goal, embedder), vector)
    assert first.url == "http://p.test/Jon Brask"


async def test_the_excerpt_that_answers_stands_first_and_its_sentence_is_the_first_key_finding(embedder):
    long = "The Skelder coast has many harbours, and ships have passed them for hundreds of years in all weathers. "
    told = [
        finding("The harbour of Skelder has a bakery.", "http://b.test/1", title="Harbour"),
        finding(f"{long}{long}The Skelder lighthouse is 43 metres tall.", "http://a.test/1", title="Coast"),
    ]
    draft = await write_answer(
        ReportView(goal="How tall is the Skelder lighthouse?", findings=told), embedder
    )
    assert draft.answer[0].text.endswith("The Skelder lighthouse is 43 metres tall.")
    assert draft.lists["key_findings"][0].text == "The Skelder lighthouse is 43 metres tall."


async def test_the_commands_of_the_best_excerpt_stand_with_it_before_all_others(embedder):
    steps = "Light the Skelder lamp with this command:\n\n```\nlampctl light --at skelder\n```"
    told = [
        finding("A keeper comes to light the Skelder lamp.", "http://b.test/1", title="Lamps"),
        finding("Light the Skelder lamp with this command: lampctl light --at skelder", title="Lamps"),
    ]
    told[1] = told[1].model_copy(update={"quote": steps})
    draft = await write_answer(ReportView(goal="How do I light the Skelder lamp?", findings=told), embedder)
    shown = paragraphs(Citations(told, []).cite(draft.answer), ENGLISH_MESSAGES)
    assert shown.index("lampctl light --at skelder") < shown.index("keeper")


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.sampled_from(["", "Setup", "Use"]), st.integers(1, 60)), max_size=24
    )
)
async def test_excerpts_of_two_pages_never_stand_in_one_paragraph(given_findings):
    told = [
        finding(
            f"Fact {n} of the Skelder lighthouse {'is that it is old ' * length}.",
            f"http://h{page}.test/",
            title=f"Page {page}",
        ).model_copy(update={"heading": heading, "start": n})
        for n, (page, heading, length) in enumerate(given_findings)
    ]
    draft = await write_answer(
        ReportView(goal="What is the Skelder lighthouse?", findings=told), HashEmbedder()
    )
    for block in paragraphs(Citations(told, []).cite(draft.answer), ENGLISH_MESSAGES).split("\n\n"):
        assert len(set(re.findall(r"\[\d+\]", block))) <= 1
    for before, after in pairwise(draft.answer):
        pages = {told[one.evidence[0]].url for one in (before, after)}
        assert len(pages) == 1 or (before.heading, before.label) != (after.heading, after.label)


async def test_what_is_only_about_the_same_thing_is_of_low_certainty(embedder):
    told = [finding("The Skelder lighthouse is 43 metres tall.", title="Skelder lighthouse")]
    goals = ["How tall is the Skelder lighthouse?", "Who keeps the Skelder lighthouse clean in winter?"]
    near, beside = [await write_answer(ReportView(goal=goal, findings=told), embedder) for goal in goals]
    assert near.certainty.startswith("Medium certainty")
    assert beside.not_found or beside.certainty.startswith("Low certainty")


@pytest.mark.parametrize(
    ("goal", "is_found"),
    [
        ("What is the default of the setting temp_quota_mb in Orlo?", False),
        ("What is the default of the setting temp_store_mb in Orlo?", True),
        ("How many sorters does the --sorters option of orlo create by default?", False),
        ("How many lamps does the --lamps option of orlo create by default?", True),
    ],
)
async def test_a_setting_or_option_that_stands_nowhere_has_no_answer_in_what_is_said_of_others(
    embedder, goal, is_found
):
    told = [
        finding(
            "temp_store_mb: the size in MB of the temporary store. Its default is 40, and no quota is set.",
            "http://a.test/1",
            title="Settings of Orlo",
        ),
        finding(
            "--lamps N: how many lamps orlo creates. By default it creates two.",
            "http://a.test/2",
            title="Options of the orlo command",
        ),
    ]
    draft = await write_answer(ReportView(goal=goal, findings=told), embedder)
    assert bool(draft.answer) == is_found


@pytest.mark.parametrize(
    "goal",
    ["How do I prune an apple tree in spring?", "What does max_lamps_per_room do in Velmar 9?"],
)
async def test_what_no_page_answers_is_not_found_and_the_nearest_excerpts_stand_below(embedder, goal):
    told = [
        finding("The Skelder lighthouse is 43 metres tall.", "http://a.test/1", title="Skelder lighthouse"),
        finding("Orlo sorts parcels by weight.", "http://b.test/1", title="Orlo settings"),
    ]
    draft = await write_answer(ReportView(goal=goal, findings=told), embedder)
    assert draft.not_found
    assert draft.answer == []
    (below,) = draft.sections
    assert {one.text for one in below.sentences} == {one.claim for one in told}


async def test_a_question_whose_pages_are_in_another_language_is_told_so(embedder):
    told = [finding("The tower is 43 metres tall, and it was built in the year 1871 by the town.")]
    asked = ReportView(goal="Wie hoch ist der Turm, und wann wurde er gebaut?", language="de", findings=told)
    draft = await write_answer(asked, embedder)
    assert draft.answer == []
    assert "Englisch" in draft.why_not


async def test_a_part_whose_words_no_page_has_stays_open(embedder):
    told = [finding("The Skelder tower is 43 metres tall.", title="Skelder tower")]
    outline = await filled_outline(
        view(goal="How tall is the Skelder tower, and who kept it?", findings=told), embedder
    )
    assert [leaf.state for leaf in outline.leaves] == ["filled", "open"]


async def test_a_finding_is_embedded_once_for_all_decisions_and_the_report(embedder, call):
    counted = []

    class Counting(HashEmbedder):
        async def embed(self, texts):
            counted.extend(texts)
            return await super().embed(texts)

    brain = ExtractiveBrain(RememberingEmbedder(Counting()))
    told = [finding(f"The tower is {n} metres tall.", f"http://h{n}.test/") for n in range(8)]
    shown = view(findings=told, visited=[visit("http://h1.test/")], searches=[search("tower")])
    for _ in range(3):
        decided = await brain.decide(shown, call)
    await brain.write(ReportView(goal=shown.goal, findings=told, outline=decided.outline), call)
    assert len(counted) == len(set(counted))


async def test_a_list_of_further_pages_does_not_stand_first(embedder):
    links = finding("Skelder lamp Lighting the Skelder lamp", title="Skelder lamp: see also", score=0.9)
    links = links.model_copy(update={"quote": "- Skelder lamp\n- Lighting the Skelder lamp", "start": 1})
    told = [links, finding("The lamp of Skelder is lit at dusk with a long match.", "http://b.test/1")]
    draft = await write_answer(ReportView(goal="How is the Skelder lamp lit?", findings=told), embedder)
    assert "match" in draft.answer[0].text


async def test_two_things_that_are_compared_stand_in_a_table_with_what_is_said_of_each(embedder):
    said = [
        "The soft lamp of Skelder burns for nine hours.",
        "The hard lamp of Skelder burns for two hours.",
        "A hard lamp is brighter than a soft lamp in Skelder.",
    ]
    told = [finding(text, f"http://h{n}.test/", title="Lamps") for n, text in enumerate(said)]
    goal = "What is the difference between the hard lamp and the soft lamp of Skelder?"
    draft = await write_answer(ReportView(goal=goal, findings=told), embedder)
    [table] = [one.table for one in draft.sections if one.id == TABLE_ID]
    assert [(row.label, row.cells[0].text) for row in table.rows] == [
        ("hard lamp, soft lamp", said[2]),
        ("hard lamp", said[1]),
        ("soft lamp", said[0]),
    ]


@each_case(
    ("question", "sides"),
    [
        ("VACUUM vs VACUUM FULL in PostgreSQL", ("VACUUM", "VACUUM FULL")),
        ("git merge vs rebase: what is the difference", ("git merge", "rebase")),
        ("difference between json and jsonb in PostgreSQL", ("json", "jsonb")),
        ("How do I create a user and a database?", None),
        ("What is a lighthouse?", None),
    ],
)
def test_the_sides_of_a_question_are_told_by_its_syntax(question, sides):
    found = sides_of(question)
    assert ((found.one, found.other) if found else None) == sides


def test_a_text_is_about_the_longer_name_only_where_it_has_all_of_it():
    found = sides_of("VACUUM vs VACUUM FULL")
    assert found.of({"vacuum", "run"}) == (True, False)
    assert found.of({"vacuum", "full"}) == (False, True)
    assert found.of({"full"}) == (False, False)
