from dataclasses import replace

import pytest

from planner.brains.extractive.stating.asked import read_asked
from planner.brains.extractive.writing.on_point import has_a_name
from planner.brains.extractive.writing.report_digest import digest_report
from planner.reports.report import RenderContext, assemble
from research_crawler.core.models.drafts import ReportView
from research_crawler.core.models.outline import Leaf, Outline, Section
from tests.planner.brains.views import finding
from tests.planner.scripted import a_job

GOAL = "How do I set the parcel limit of Orlo?"
PAGE = "http://a.test/1"
ON_POINT = [
    "Set the parcel limit of Orlo with the command orlo limit, which takes a weight in kilograms.",
    "The parcel limit of Orlo is read from the file limits.conf when the carrier starts its round.",
    "A parcel above the limit of Orlo is given back, and its sender is told about the limit.",
    "To set the parcel limit of Orlo for one road alone, name the road behind the weight.",
    "The limit that is set for a parcel holds for all carts of Orlo, and for its boats too.",
]
MORE = [
    "The parcel limit of Orlo was once set by a council, which met at the limit of the town.",
    "Whoever sets the limit of a parcel for Orlo signs the list of parcels at the gate.",
    "Orlo prints the parcel limit that is set on the ticket of each parcel.",
    "A limit that is set too low for the parcels of Orlo empties the carts.",
]
BESIDE = "The carriers of Orlo wear green coats, and each of them has a small dog in winter."


def findings_of(*texts, title="Orlo manual"):
    return [finding(text, PAGE, title=title, heading=f"Part {n}") for n, text in enumerate(texts)]


def outlined(goal, state="filled", evidence=()):
    leaf = Leaf(id="1.1", question=goal, query=goal, evidence=list(evidence), state=state)
    return Outline(by="extractive", sections=[Section(id="1", title=goal, leaves=[leaf])])


async def drafted(embedder, findings, goal=GOAL, state="filled"):
    return await digest_report(
        ReportView(goal=goal, findings=findings, outline=outlined(goal, state)), embedder
    )


async def test_an_excerpt_about_the_same_thing_without_what_is_asked_is_left_out(embedder):
    draft = await drafted(embedder, findings_of(*ON_POINT, *MORE, BESIDE))
    shown = " ".join(one.text for one in draft.answer)
    assert BESIDE not in shown and all(text in shown for text in [*ON_POINT, *MORE])


async def test_of_few_excerpts_all_are_shown(embedder):
    draft = await drafted(embedder, findings_of(*ON_POINT[:2], BESIDE))
    assert BESIDE in " ".join(one.text for one in draft.answer)


@pytest.mark.parametrize(("state", "is_found"), [("open", False), ("filled", True)])
async def test_pages_about_another_thing_answer_nothing_though_they_are_about_the_same_matter(
    embedder, state, is_found
):
    goal = "How do I enable parcel rounds in vexwise?"
    about_other = [
        "RFC 9114 has the meaning of parcel rounds, and what a reply to one of them must hold.",
        "The Options line is followed by a list of what may be enabled, and all of it by None.",
        "A round is described by a file of its own, which is enabled by the script that comes with it.",
    ]
    draft = await drafted(embedder, findings_of(*about_other, title="Standards of Orlo"), goal, state)
    assert bool(draft.not_found) is not is_found


async def test_an_option_that_no_page_names_is_not_answered_though_its_program_is_named(embedder):
    goal = "What is the --heal option of orlo_dump for?"
    options = [
        "--wait makes orlo_dump wait until all parcels are written.",
        "--quiet is an option of orlo_dump.",
    ]
    assert (await drafted(embedder, findings_of(*options), goal, "open")).not_found
    own = findings_of(*options, "--heal is the option by which orlo_dump mends parcels.")
    assert not (await drafted(embedder, own, goal, "open")).not_found


async def test_where_it_is_asked_how_something_is_done_a_command_comes_before_what_is_said_of_it(embedder):
    told = finding(
        "The parcel limit of Orlo can be set by each carrier as it likes.",
        PAGE,
        title="Orlo",
        heading="About",
    )
    way = finding(
        "The parcel limit of Orlo is set so:\n\n```\norlo limit 40\n```",
        "http://b.test/1",
        title="Orlo",
        heading="Use",
    )
    asked = ["How do I set the parcel limit of Orlo?", "What is the parcel limit of Orlo?"]
    first = [(await drafted(embedder, [told, way], goal)).answer[0].evidence for goal in asked]
    assert first[0] == [1]


async def test_a_leading_sentence_makes_its_part_no_open_one(embedder):
    goal = "Can one Orlo cart carry two parcels at once on different roads?"
    said = "An Orlo cart can carry two parcels at once on different roads if silver bells ring before every bridge."
    draft = await drafted(embedder, findings_of(said, BESIDE), goal, "open")
    assert draft.answered == [goal] and "clearly states" not in draft.certainty
    who = "Who painted the lamp room of the Skelder tower?"
    near = "The lamp room of the Skelder tower has a painted ceiling, which visitors of the tower admire."
    draft = await drafted(embedder, findings_of(near, title="Skelder"), who, "open")
    assert not draft.answered


async def test_where_nothing_states_the_question_that_is_said_before_the_few_nearest_excerpts(embedder):
    texts = [f"The parcel limit of Orlo holds for road number {n} of its {n} roads too." for n in range(9)]
    findings = findings_of(*texts)
    draft = await drafted(embedder, findings, "Whose idea was the parcel limit that Orlo has?", "open")
    job = a_job("Whose idea was the parcel limit that Orlo has?").changed(state="completed")
    text = assemble(job, findings, draft, RenderContext("2026-01-02", 1.0)).report_markdown
    answer = text.split("## Answer\n\n")[1].split("\n\n## ")[0]
    assert answer.startswith("Low certainty") and "none of them clearly states" in answer.partition("\n")[0]
    assert sum(one.is_excerpt for one in draft.answer) <= 5


async def test_what_is_near_to_a_question_about_another_thing_is_no_answer(embedder):
    told = [text.replace("Orlo", "Merle").replace("orlo", "merle") for text in [*ON_POINT, *MORE]]
    others = [finding(text, PAGE, title="Merle manual") for text in told]
    named = finding(
        "The town keeps the carts of Orlo in a barn.", "http://b.test/", title="Carts of the town"
    )
    draft = await drafted(embedder, [*others, named], state="open")
    assert draft.not_found
    draft = await drafted(embedder, [*findings_of(*MORE[1:3]), *others], state="open")
    assert not draft.not_found
    assert all("Merle" not in sentence.text for sentence in draft.answer)


async def test_the_number_of_a_release_names_nothing_that_an_excerpt_must_have(embedder):
    table = finding("Setting Default limits.parcel 8 kg limits.letter 20 g", PAGE, title="Limits")
    asked = await read_asked("What is the default parcel limit?", "", [table], embedder)
    for names, is_named in ((("5",), True), (("5", "Orlo"), False), (("480",), False), (("limits",), True)):
        assert has_a_name(replace(asked, names=names), table) is is_named
