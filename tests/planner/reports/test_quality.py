import json

from planner.quality.attempts import with_evaluation
from planner.reports.records.meta_document import meta_document
from planner.reports.records.run_report import run_report
from research_crawler.core.models.evidence.quality import Analysis, Evaluation, Inconsistency
from research_crawler.core.models.reports.drafts import Sentence
from tests.planner.reports.test_report import A, B, report_of, researched

ANSWER = Sentence(text="It moves heat.", evidence=[0])


def judged(relevance, **inputs):
    drive = researched(**inputs)
    evaluation = Evaluation(relevance=relevance, coverage=0.6, confidence=0.4, reasons="one host only")
    analysis = Analysis(
        by="model",
        assessment="The principle is known.",
        inconsistencies_found=[Inconsistency(one="It is 3 kW.", one_url=A, other="It is 9 kW.", other_url=B)],
    )
    drive.job = drive.job.changed(assessed=with_evaluation(drive.job.assessed, evaluation, analysis, "model"))
    return drive


def test_weak_research_opens_the_report_with_a_warning_and_exit_code_3():
    report = report_of(judged(0.5), ANSWER)
    assert report.warnings[0].startswith("The research is weak")
    assert "(relevance 0.5)" in report.warnings[0]
    assert report.exit_code == 3
    fine = report_of(judged(0.6), ANSWER)
    assert (fine.warnings, fine.exit_code) == ([], 0)


def test_a_job_that_requires_evidence_asks_for_help_where_no_attempt_came_near():
    report = report_of(judged(0.2, require_evidence=True), ANSWER)
    assert report.warnings[0].startswith("Strong evidence was asked for and not found.")
    assert report.exit_code == 3
    assert (
        report_of(judged(0.3, require_evidence=True), ANSWER).warnings[0].startswith("The research is weak")
    )


def test_the_report_has_the_quality_of_the_best_attempt_with_its_query():
    quality = report_of(judged(0.8), ANSWER).quality
    assert quality.model_dump() == {
        "query": "heat pumps", "relevance": 0.8, "confidence": 0.4, "coverage": 0.6, "attempts": 1,
        "reasons": ["one host only"],
    }  # fmt: skip


def test_the_run_report_has_every_attempt_with_its_scores_and_what_the_analyst_says():
    drive = judged(0.8)
    text = run_report(drive.job, report_of(drive, ANSWER), writer="model")
    assert "- Final query: heat pumps\n- Relevance 0.8, confidence 0.4, coverage 0.6, in 1 attempt\n" in text
    assert "1. “heat pumps”: relevance 0.8, confidence 0.4, coverage 0.6 (model), the best." in text
    assert "- Analyst (model): The principle is known." in text
    assert "Inconsistent: “It is 3 kW.”" in text


def test_research_meta_has_quality_attempts_analysis_and_thresholds():
    meta = json.loads(meta_document(judged(0.8, type="technical", stack="Python").job))
    assert (meta["type"], meta["stack"], meta["quality"]["relevance"]) == ("technical", "Python", 0.8)
    assert meta["attempts"][0]["queries"] == ["heat pumps"]
    assert meta["analysis"]["inconsistencies_found"][0]["other"] == "It is 9 kW."
    assert meta["thresholds"]["enough_relevance"] == 0.7


def test_the_run_report_shows_each_part_of_the_credibility_of_each_source_and_their_diversity():
    drive = researched()
    drive.findings = [one.model_copy(update={"page_sha256": one.url}) for one in drive.findings]
    report = report_of(drive, Sentence(text="It moves heat.", evidence=[0, 2]))
    text = run_report(drive.job, report, writer="model")
    assert "Credibility = 0.4 × authority, 0.1 × HTTPS, 0.2 × freshness, 0.3 × cross references" in text
    for source in report.sources:
        parts = source.credibility_parts
        assert (
            f"{source.n}. {source.credibility:.2f}: authority {parts.authority:.1f}, HTTPS {parts.https:.1f}, "
            f"freshness {parts.freshness:.1f}, cross references {parts.cross_references:.1f} – {source.url}"
        ) in text
    assert "Diversity: 2 hosts among " in text
    assert "- Money: 0.0000 USD for models" in text
