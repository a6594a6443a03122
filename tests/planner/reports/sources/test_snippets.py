"""Snippets of pages that could not be read: evidence for a model, marked as such everywhere, never a checked quote."""

import json

from planner.brains.extractive.extractive_brain import ExtractiveBrain
from planner.brains.fallback import FallbackBrain
from planner.brains.model.prompts.document_parts import evidence_line
from planner.reports.job_completion import JobCompletion
from planner.reports.sources.snippets import snippet_findings
from research_crawler.core.brain_errors import BadAnswer
from research_crawler.core.models.jobs.records import ScoredResult, VisitRecord
from research_crawler.core.models.reports.drafts import Sentence
from tests.cases import each_case
from tests.planner.scripted import NOW, ScriptedBrain, a_finding, a_job

SHUT, READ = "https://shut.example/1", "https://read.example/1"
SNIPPET = "The tram to Marrowby costs 2.80 since May, and runs every ten minutes on weekdays."
FACT = a_finding("jobaaaaaaaaa:2", "The tram runs from six to midnight.", url=READ)


def a_job_that_met_a_wall(*, outcome="blocked", score=0.8, brain="model"):
    result = ScoredResult(url=SHUT, title="Tram fares", snippet=SNIPPET, score=score)
    visits = [
        VisitRecord(n=1, command="jobaaaaaaaaa:1", url=SHUT, round=1, outcome=outcome),
        VisitRecord(n=2, command="jobaaaaaaaaa:2", url=READ, round=1, outcome="ok"),
    ]
    job = a_job("what does the tram cost?").changed(brain=brain, results=[result], visits=visits)
    return job.changed(state="synthesizing", plan=job.plan.changed(finished_ms=NOW, pages_read=1))


async def written(call, job, *sentences, findings=(FACT,)):
    brain, plain = ScriptedBrain(name="model-x"), ScriptedBrain(name="plain")
    brain.answer = list(sentences)
    plain.answer = []
    completion = JobCompletion(job, list(findings), clock_ms=lambda: NOW)
    await completion.write(brain, plain, call)
    completion.complete_job()
    return completion


def test_a_page_that_could_not_be_read_leaves_its_snippet_marked_for_the_model():
    (finding,) = snippet_findings(a_job_that_met_a_wall())
    assert (finding.quote, finding.url, finding.page_sha256, finding.is_snippet) == (SNIPPET, SHUT, "", True)
    assert "only the snippet of a search result" in evidence_line(finding)
    assert "snippet" not in evidence_line(FACT)


@each_case("more", [{"outcome": "ok"}, {"outcome": ""}, {"score": 0.3}, {"brain": "extractive"}])
def test_pages_read_or_in_flight_unlikely_ones_and_jobs_without_a_model_have_none(more):
    assert snippet_findings(a_job_that_met_a_wall(**more)) == []


async def test_what_only_a_snippet_says_is_marked_in_the_report_and_was_not_checked(call):
    fare = Sentence(text="The tram costs 2.80 since May.", evidence=[1])
    hours = Sentence(text="The tram runs from six to midnight.", evidence=[0])
    completion = await written(call, a_job_that_met_a_wall(), hours, fare)
    report = completion.report
    assert (
        "The tram costs 2.80 since May. [2] (by the snippet of a search result; the page was not read)"
        in (report.report_markdown)
    )
    assert [claim.verdict for claim in report.claims] == ["supported", "could_not_check"]
    assert [piece.is_snippet for piece in report.evidence] == [False, True]
    lines = [json.loads(line) for line in completion.documents()["claims.jsonl"].splitlines()]
    assert [line["verdict"] for line in lines if "2.80" in line["text"]] == ["could_not_check"]
    assert report.phase1.findings[0].quote == FACT.quote
    assert len(report.phase1.findings) == 1


async def test_a_sentence_that_its_snippet_denies_is_cut(call):
    lie = Sentence(text="The tram costs 9.99 since May.", evidence=[1])
    hours = Sentence(text="The tram runs from six to midnight.", evidence=[0])
    report = (await written(call, a_job_that_met_a_wall(), hours, lie)).report
    assert "9.99" not in report.report_markdown


async def test_without_a_models_answer_a_snippet_is_no_evidence(call):
    report = (await written(call, a_job_that_met_a_wall(), findings=())).report
    assert SNIPPET not in report.report_markdown
    assert report.exit_code == 3
    assert "No page gave a finding that supports an answer." in report.warnings


class FailingWriter(ScriptedBrain):
    async def write(self, view, call):
        raise BadAnswer("I would rather not.")


async def test_where_a_model_cannot_write_its_snippets_are_no_excerpts_of_the_report(call, embedder):
    job = a_job_that_met_a_wall()
    plain = ExtractiveBrain(embedder)
    completion = JobCompletion(job, [FACT], clock_ms=lambda: NOW)
    await completion.write(FallbackBrain(FailingWriter(name="model-x"), plain), plain, call)
    completion.complete_job()
    assert SNIPPET in [piece.quote for piece in completion.report.evidence]
    assert "2.80" not in completion.report.report_markdown
