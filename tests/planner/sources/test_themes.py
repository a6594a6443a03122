"""Themes: what several findings of a job are about."""

from planner.sources.themes import MAX_MATCHES, synthesis_of, theme_queries, themes_of
from research_crawler.core.models.jobs.outline import Leaf, Outline, Section
from research_crawler.core.models.reports.cited_parts import Claim, KeyFinding, Source
from research_crawler.core.models.reports.report import Report
from tests.planner.scripted import a_finding, a_job


def asking(**questions):
    leaves = [Leaf(id=f"1.{n}", question=q, evidence=ids) for n, (q, ids) in enumerate(questions.items(), 1)]
    outline = Outline(sections=[Section(id="1", title="All", leaves=leaves)])
    return a_job("heat pumps").changed(outline=outline)


def said(quote, page, heading=""):
    finding = a_finding("j:1", quote, url=f"https://{page}.example/1")
    return finding.model_copy(
        update={"id": f"id of {quote}", "page_sha256": page, "heading": heading, "title": ""}
    )


def test_a_theme_has_the_findings_that_answer_it_and_the_strongest_comes_first():
    findings = [said("It has 40 dB", "a"), said("It is as loud as 50 dB", "b"), said("It is 9 euros", "b")]
    job = asking(
        price=[findings[2].id], noise=[findings[1].id, findings[0].id], garden=[], unknown=["of another"]
    )
    themes = themes_of(job, "heat pumps", findings)
    assert [(theme.title, theme.strength) for theme in themes] == [("noise", 1.0), ("price", 0.5)]
    assert themes[0].evidence == ["E2", "E1"]
    assert themes[0].sources == ["https://b.example/1", "https://a.example/1"]


def test_a_heading_that_pages_share_is_a_theme_and_so_is_a_sub_question_by_its_words():
    findings = [
        said("40 dB", "a", "Noise levels"),
        said("50 dB", "b", "Noise levels"),
        said("Its price is 9", "c"),
    ]
    themes = themes_of(asking(price=[]), "heat pumps", findings)
    assert {theme.title: theme.evidence for theme in themes} == {
        "Noise levels": ["E1", "E2"],
        "price": ["E3"],
    }


def test_a_theme_has_at_most_ten_findings_and_its_strength_at_most_one():
    findings = [said(f"noise {n}", f"p{n % 3}") for n in range(30)]
    [theme] = themes_of(asking(noise=[]), "heat pumps", findings)
    assert (len(theme.evidence), theme.strength) == (MAX_MATCHES, 1.0)


def test_without_findings_there_is_no_theme():
    assert themes_of(asking(noise=[]), "heat pumps", []) == []


def test_a_job_without_sub_questions_has_its_topic_as_theme_query_and_none_twice():
    assert list(theme_queries(a_job("heat pumps"), "heat pumps", [])) == ["heat pumps"]
    twice = a_job("heat pumps").changed(
        outline=Outline(
            sections=[
                Section(
                    id="1",
                    title="All",
                    leaves=[Leaf(id="1.1", question="noise?"), Leaf(id="1.2", question="The noise")],
                )
            ]
        )
    )
    assert list(theme_queries(twice, "heat pumps", [])) == ["noise?"]


def test_the_synthesis_record_says_topic_findings_sources_and_confidence():
    report = Report(
        job="j", status="completed", state="completed", goal="g", intent="informational",
        strategy="phase1_only", brain="extractive", generated_at="2026-01-01T00:00:00+00:00", source_count=2,
        claims=[Claim(text="a", verdict="supported"), Claim(text="b", verdict="not_found")],
        sources=[Source(n=n, title="", url=f"u{n}", host="", credibility=n / 2) for n in (1, 2)],
        key_findings=[KeyFinding(text="k")],
    )  # fmt: skip
    record = synthesis_of(report, "heat pumps")
    assert record.model_dump() == {
        "topic": "heat pumps", "key_findings": ["k"], "source_count": 2, "confidence": 0.375,
        "sources": ["u1", "u2"], "time": "2026-01-01T00:00:00+00:00",
    }  # fmt: skip
