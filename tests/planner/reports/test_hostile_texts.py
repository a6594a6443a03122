"""Whatever pages, models and callers write, documents have the project's own marks and no others."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.reports.records.documents import documents
from planner.reports.records.run_report import run_report
from planner.reports.report import Written, assemble
from research_crawler.core.models.decisions import (
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
from research_crawler.core.models.jobs import Job
from tests.planner.offers.test_recommendation import FINDINGS, LOQ, RATES, THIN
from tests.planner.reports.hostile import OURS, made_of, poisoned
from tests.planner.reports.shopping.test_offers import bought
from tests.planner.scripted import Drive, ScriptedBrain, a_job, done, found, read, search, start, visit
from tests.planner.text.test_markdown import ATTACKS, HONEST

A, B = "https://www.a.example/1", "https://b.example/2"
WRITTEN = Written(generated_at="2026-01-03T00:00:00+00:00", seconds=12.5, rates=RATES)


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


PUMPS = researched()
LAPTOPS = bought(LOQ, THIN, goal="gaming laptop"), list(FINDINGS)
DRAFT = ReportDraft(
    by="model-x",
    answer=[Sentence(text="It moves heat", evidence=[0, 1]), Sentence(text="Power is needed", evidence=[1])],
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
        "open_questions": [Sentence(text="What then")],
    },
)
CHOICE = RecommendationDraft(
    by="model-x",
    product=0,
    reasons=[Sentence(text="It is good", evidence=[0])],
    cautions=[Sentence(text="It is loud", evidence=[1])],
    alternatives=[AlternativePick(product=1, why="It is light")],
)


def all_documents(text: str) -> dict[str, str]:
    """Every document of two jobs in which all texts of others end with `text`."""
    made = {}
    for name, (clean_job, clean_findings) in (("pumps", PUMPS), ("laptops", LAPTOPS)):
        job, findings = poisoned(clean_job, text), poisoned(clean_findings, text)
        choice = poisoned(CHOICE, text) if job.phase2 else None
        report = assemble(job, findings, poisoned(DRAFT, text), WRITTEN, choice)
        shown = documents(job, findings) | {
            "report.md": report.report_markdown,
            "run_report.md": run_report(job, report, writer=f"model {text}", chooser=f"model {text}"),
        }
        made |= {f"{name} {title}": document for title, document in shown.items() if title.endswith(".md")}
    return made


def test_the_jobs_have_all_the_texts_that_are_poisoned():
    shown = "\n".join(all_documents("zzpoison").values())
    for words in (
        "Heat moves",
        "It is light",
        "It moves heat",
        "Lenovo LOQ",
        "the price",
        "Something",
        "of pumps",
        "The parts",
        "A fan blows",
        "Task",
        "The pump",
        "moves heat",
        "the heat",
        "It goes down",
        "How loud",
        "What does it cost",
    ):
        assert any("zzpoison" in line for line in shown.splitlines() if words in line), words


@pytest.mark.parametrize("text", ATTACKS + HONEST)
def test_no_attack_makes_anything_of_its_own(text):
    for name, document in all_documents(text).items():
        assert made_of(document) <= OURS, name


@settings(max_examples=40)
@given(st.text(st.sampled_from("[]()<>!*_`~\\&#;:/.|=+-\"' \n\tahtpsw1x@é"), max_size=30))
def test_no_text_makes_anything_of_its_own(text):
    for name, document in all_documents(text).items():
        assert made_of(document) <= OURS, name


def test_a_title_cannot_define_the_target_of_our_marks():
    shown = all_documents("\n\n[1]: https://evil.example\n\n[1]")
    assert made_of(shown["pumps report.md"]) <= OURS


def test_a_sentence_with_marks_of_its_own_stands_in_quotation_marks():
    job, findings = PUMPS
    quote = "Read argv[1] first, it is safe [2]."
    said = [finding.model_copy(update={"quote": quote, "claim": quote}) for finding in findings]
    draft = ReportDraft(by="m", answer=[Sentence(text=quote, evidence=[0])])
    report = assemble(job, said, draft, WRITTEN)
    assert "“Read argv\\[1\\] first, it is safe \\[2\\].” [1]" in report.report_markdown
    assert report.claims[0].text == quote
    assert report.claims[0].verdict == "supported"
