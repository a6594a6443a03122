"""Two finished jobs with all that a model and a person may write into them, for tests of documents and exports."""

import functools
from concurrent.futures import ThreadPoolExecutor

from planner.reports.report import RenderContext
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.reports.drafts import (
    AlternativePick,
    Contradiction,
    DraftCell,
    DraftRow,
    DraftSection,
    DraftTable,
    RecommendationDraft,
    ReportDraft,
    Sentence,
)
from tests.planner.offers.test_recommendation import FINDINGS, LOQ, RATES, THIN
from tests.planner.reports.shopping.test_offers import bought
from tests.planner.scripted import Drive, ScriptedBrain, a_job, done, found, read, search, start, visit

A, B = "https://www.a.example/1", "https://b.example/2"
CONTEXT = RenderContext(generated_at="2026-01-03T00:00:00+00:00", seconds=12.5, rates=RATES)
DRAFT = ReportDraft(
    by="model-x",
    answer=[
        Sentence(text="It moves heat", evidence=[0, 1]),
        Sentence(text="Power is needed", evidence=[1], similar=[2]),
    ],
    sections=[
        DraftSection(
            id="S1",
            title="The parts",
            sentences=[Sentence(text="A fan blows", evidence=[1])],
            table=DraftTable(
                columns=["Part", "Task"],
                rows=[
                    DraftRow(label="The fan", cells=[DraftCell(text="blows air", evidence=[1])]),
                    DraftRow(label="The pump", cells=[DraftCell(text="moves heat", evidence=[0])]),
                ],
            ),
        )
    ],
    contradictions=[
        Contradiction(
            about="the heat",
            one=Sentence(text="It goes up", evidence=[0]),
            other=Sentence(text="It goes down", evidence=[1]),
        )
    ],
    unknown=["How loud it is"],
    follow_ups=["What does it cost"],
    certainty="Certain",
    journey="First this, then that",
    lists={
        "key_findings": [Sentence(text="A fan helps", evidence=[1])],
    },
)
CHOICE = RecommendationDraft(
    by="model-x",
    product=0,
    reasons=[Sentence(text="It is good", evidence=[0])],
    cautions=[Sentence(text="It is loud", evidence=[1])],
    alternatives=[AlternativePick(product=1, why="It is light")],
)


def researched() -> tuple[Job, list]:
    drive = Drive(
        a_job(task="Explain it", context="We spoke\n\nof pumps", topic="heat", prior_turn_context="before"),
        ScriptedBrain(search("heat pumps"), visit(A, B), done(missing=["the price"])),
    )
    drive.step(start(drive.job))
    drive.step(found(drive.commands[0], A, B))
    first, second = drive.commands
    drive.step(read(first, "Heat moves from cold to warm.", "A fan blows air."))
    drive.step(read(second, "The compressor needs power."))
    return drive.job.model_copy(update={"state": "completed", "warnings": ["Something"]}), drive.findings


@functools.cache
def sample_jobs() -> dict[str, tuple[Job, list]]:
    """Both jobs, made by a thread of its own: a test whose loop runs may ask for them."""

    def made() -> dict[str, tuple[Job, list]]:
        return {"pumps": researched(), "laptops": (bought(LOQ, THIN, goal="gaming laptop"), list(FINDINGS))}

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(made).result()
