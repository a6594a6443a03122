"""Themes: what several findings of a job are about, by meaning."""

from planner.sources.themes import LEAST_SIMILARITY, MAX_MATCHES, synthesis_of, theme_queries, themes_of
from research_crawler.core.models.cited_parts import Claim, KeyFinding, Source
from research_crawler.core.models.outline import Leaf, Outline, Section
from research_crawler.core.models.reports import Report
from tests.planner.scripted import a_finding, a_job

AXES = {"noise": 0, "price": 1, "garden": 2}


class ByWord:
    """Embeds a text on the axes of the words that it has."""

    async def embed(self, texts):
        return [[float(word in text.lower()) for word in AXES] + [0.0] for text in texts]


def asking(*questions):
    leaves = [Leaf(id=f"1.{n}", question=question) for n, question in enumerate(questions, 1)]
    outline = Outline(sections=[Section(id="1", title="All", leaves=leaves)])
    return a_job("heat pumps").changed(outline=outline)


def said(quote, page):
    finding = a_finding("j:1", quote, url=f"https://{page}.example/1")
    return finding.model_copy(update={"page_sha256": page})


async def test_a_theme_has_its_evidence_and_pages_and_the_strongest_comes_first():
    job = asking("What about the price?", "How much noise is there?", "Does it need a garden?")
    findings = [said("noise of 40 dB", "a"), said("noise of 50 dB", "b"), said("the price is 9", "b")]
    themes = await themes_of(job, "heat pumps", findings, ByWord())
    assert [(theme.title, theme.strength) for theme in themes] == [
        ("How much noise is there?", 1.0),
        ("What about the price?", 0.5),
    ]
    assert themes[0].evidence == ["E1", "E2"]
    assert themes[0].sources == ["https://a.example/1", "https://b.example/1"]


async def test_a_theme_has_at_most_ten_findings_and_its_strength_at_most_one():
    findings = [said(f"noise {n}", f"p{n % 3}") for n in range(30)]
    [theme] = await themes_of(asking("noise"), "heat pumps", findings, ByWord())
    assert (len(theme.evidence), theme.strength) == (MAX_MATCHES, 1.0)
    assert LEAST_SIMILARITY == 0.3


async def test_without_findings_there_is_no_theme():
    assert await themes_of(asking("noise"), "heat pumps", [], ByWord()) == []


def test_a_job_without_sub_questions_has_its_topic_as_theme_query_and_none_twice():
    assert theme_queries(a_job("heat pumps"), "heat pumps", []) == ["heat pumps"]
    assert theme_queries(asking("noise?", "The noise"), "heat pumps", []) == ["noise?"]


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
