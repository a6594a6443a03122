"""What the brain without a model makes of manuals of sibling products: those of the demo's small web."""

from pathlib import Path

import pytest

import research_crawler.demo
from planner.brains.extractive.answering.write import write_answer
from planner.brains.extractive.extract import extract_quotes
from planner.outline.making import first_outline
from research_crawler.core.models.jobs.outline import Outline
from research_crawler.core.models.reports.drafts import ReportView
from research_crawler.core.models.web.pages import PageText, StoredPage
from research_crawler.extraction.evidence.finding_verification import verified_findings
from tests.planner.brains.views import page

MANUALS = Path(research_crawler.demo.__file__).parent / "site/manuals"


async def answered(goal, manuals, embedder, outline=None):
    """The answer to a question from these manuals, as one text."""
    told = []
    for name in manuals:
        _, facts, markdown = (MANUALS / name).read_text("utf-8").split("+++\n")
        title = facts.split('title = "', 1)[1].split('"', 1)[0]
        url = f"http://manuals.test/{name}"
        stored = StoredPage(
            sha=name,
            url=url,
            final_url=url,
            fetched_at="2026-03-01T00:00:00Z",
            page=PageText(markdown=markdown, text=markdown, title=title),
        )
        extraction = await extract_quotes(page(markdown, title=title, goal=goal), embedder)
        told += verified_findings(extraction, stored, f"job:{name}", goal)
    draft = await write_answer(ReportView(goal=goal, findings=told, outline=outline or Outline()), embedder)
    return "\n".join(sentence.text for sentence in draft.answer)


CORVA = ("brunholt/corva-duo-care.md", "brunholt/corva-care.md", "brunholt/corva-first-start.md")


@pytest.mark.parametrize(
    "goal",
    [
        "How many grams of citric acid does the Corva C1 take for descaling?",
        "How do I descale the Brunholt Corva espresso machine?",
    ],
)
async def test_the_machine_that_is_asked_about_answers_before_its_sibling(goal, embedder):
    answer = await answered(goal, CORVA, embedder)
    assert "Dissolve 40 g of citric acid" in answer
    assert "65 g" not in answer.partition("Dissolve 40 g of citric acid")[0]


async def test_the_sibling_answers_where_it_is_asked_about(embedder):
    answer = await answered("How much descaling powder does the Corva Duo take?", CORVA, embedder)
    assert "Dissolve 65 g" in answer.partition("40 g")[0]


async def test_the_steps_stand_beside_the_table_that_points_to_them(embedder):
    manuals = ("brightwell/washer-errors.md", "brightwell/dishwasher-errors.md")
    answer = await answered("My Brightwell DW60 shows E47, what do I do?", manuals, embedder)
    assert "Switch off and pull the plug." in answer
    assert "pour in half a litre of water, and reset." in answer
    assert "hold Start for eight seconds" in answer


async def test_a_manual_that_answers_a_part_of_the_question_is_not_called_far_from_all_of_it(embedder):
    goal = "How long does the battery of the Tallis Vento e-bike last and how do I make it last longer?"
    parts = first_outline(goal, by="extractive")
    assert "two years or 500 charges" in await answered(goal, ("tallis/vento-battery.md",), embedder, parts)
