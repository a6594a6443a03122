"""Each thing that a reader must know stands once among a report's warnings, and not again in its answer."""

from hypothesis import given
from hypothesis import strategies as st

from planner.reports.report import RenderContext, assemble
from planner.reports.warnings import each_once
from research_crawler.core.models.jobs.records import SearchRecord
from research_crawler.core.models.reports.drafts import ReportDraft, Sentence
from tests.planner.scripted import a_finding, a_job

CONTEXT = RenderContext(generated_at="2026-01-02T03:04:05+00:00", seconds=9.0)
FACT = a_finding("jobaaaaaaaaa:2", "It moves heat.")
DRAFT = ReportDraft(by="model-x", answer=[Sentence(text="It moves heat.", evidence=[0])])


def reported(draft, findings, *, warnings, missing=(), fallback="", searches=(), goal=""):
    job = (a_job(goal) if goal else a_job()).changed(
        state="completed", warnings=list(warnings), searches=list(searches)
    )
    job = job.changed(plan=job.plan.changed(missing=list(missing), fallback=fallback))
    return assemble(job, findings, draft, CONTEXT)


def answer_of(report):
    return report.report_markdown.split("## Answer\n\n")[1].split("\n\n## ")[0]


def test_what_is_missing_is_a_warning_and_not_repeated_in_the_answer():
    report = reported(
        DRAFT, [FACT], warnings=["No clear answer was found to: what it costs."], missing=["what it costs"]
    )
    assert report.warnings == ["No clear answer was found to: what it costs."]
    assert "what it costs" not in answer_of(report)


def test_what_is_missing_and_no_warning_names_stands_in_the_answer():
    report = reported(DRAFT, [FACT], warnings=[], missing=["what it costs"])
    assert "Missing or uncertain: what it costs." in answer_of(report)


def test_that_nothing_was_found_is_said_in_one_warning():
    report = reported(
        ReportDraft(by="extractive"),
        [],
        warnings=["No clear answer was found to: a finding that answers the goal."],
        missing=["a finding that answers the goal"],
    )
    assert report.warnings == ["No page gave a finding that supports an answer."]
    assert answer_of(report) == "No page gave a finding that supports an answer."


def test_why_nothing_was_found_comes_first():
    failed = SearchRecord(
        n=1, command="j:1", query="x", round=1, outcome="failed", reason="no search provider"
    )
    report = reported(ReportDraft(by="extractive"), [], warnings=["It got stuck."], searches=[failed])
    assert report.warnings == [
        "No search worked: no search provider.",
        "It got stuck.",
        "No page gave a finding that supports an answer.",
    ]


def test_warnings_and_the_last_line_are_in_the_language_of_the_report():
    failed = SearchRecord(n=1, command="j:1", query="x", round=1, outcome="failed", reason="kein Anbieter")
    draft = DRAFT.changed(answer=[*DRAFT.answer, Sentence(text="Ohne Beleg.", evidence=[])])
    report = reported(draft, [FACT], warnings=[], searches=[failed], goal="Wie arbeitet eine Wärmepumpe?")
    assert "1 Satz des Entwurfs nannte keinen gültigen Beleg und wurde weggelassen." in report.warnings
    assert report.report_markdown.rstrip().endswith("Beteiligt waren: Bericht: model-x.")
    nothing = reported(DRAFT, [], warnings=[], searches=[failed], goal="Wie arbeitet eine Wärmepumpe?")
    assert "Keine Suche hat funktioniert: kein Anbieter." in nothing.warnings


def test_pages_that_do_not_answer_are_said_in_one_warning():
    draft = ReportDraft(by="extractive", not_found="A page about cake")
    report = reported(draft, [FACT], warnings=["No clear answer was found to: who won."], missing=["who won"])
    assert report.warnings == ["Not found: the pages that were read do not answer the question."]
    assert "who won" not in answer_of(report)


def test_one_failure_of_the_model_is_told_once():
    why = "the endpoint gave no answer within 60 s"
    told = [
        f"The extractive brain took over: {why}",
        f"The model did not write this report ({why}). It is a digest of excerpts.",
    ]
    assert reported(DRAFT, [FACT], warnings=told, fallback=why).warnings == told[1:]
    assert reported(DRAFT, [FACT], warnings=told[:1], fallback=why).warnings == told[:1]


@given(st.lists(st.text(max_size=20), max_size=8))
def test_every_warning_stands_in_one_that_is_kept_and_none_stands_in_another(warnings):
    kept = each_once(warnings)
    assert set(kept) <= set(warnings)
    assert each_once(kept) == kept
    words = [
        " ".join(one.casefold().split()).strip()
        for one in warnings
        if one.strip().isascii() and one.isalnum()
    ]
    assert all(any(one in " ".join(other.casefold().split()) for other in kept) for one in words)


def test_a_warning_that_the_answer_repeats_stands_in_the_answer_alone():
    report = reported(ReportDraft(by="extractive", not_found="Pumps"), [FACT], warnings=["It got stuck."])
    assert report.report_markdown.count("Not found:") == 1
    assert answer_of(report).startswith("Not found:") and answer_of(report).endswith("the nearest: Pumps.")
    assert "> **Warning:** It got stuck." in report.report_markdown
