from research_crawler.core.models.reports.cited_parts import Evidence, Source
from research_crawler.core.models.reports.report import Report
from research_crawler.services.forgetting import cited_pages, mark_gone

MARKDOWN = """# Kettles

Water boils [1][2].

1. This line of the answer ends with https://a.example/

## Key Sources

1. Kettles – a.example, read 2026-01-01, https://a.example/
2. 1. Kettles – b.example, read 2026-01-01, https://b.example/
"""


def report():
    sources = [
        Source(
            n=n,
            title="Kettles",
            url=f"https://{host}.example/",
            host=f"{host}.example",
            content_hash=host * 64,
        )
        for n, host in ((1, "a"), (2, "b"))
    ]
    evidence = [
        Evidence(
            id="E1", claim="c", quote="q", start=0, end=1, url="https://a.example/", page_sha256="a" * 64
        ),
        Evidence(
            id="E2", claim="c", quote="q", start=0, end=1, url="https://c.example/", page_sha256="c" * 64
        ),
    ]
    return Report(
        job="j",
        status="completed",
        state="completed",
        goal="kettles",
        intent="informational",
        strategy="phase1_only",
        brain="extractive",
        sources=sources,
        evidence=evidence,
        report_markdown=MARKDOWN,
    )


def test_the_cited_pages_are_those_of_the_sources_and_the_evidence():
    assert cited_pages(report()) == {"a" * 64, "b" * 64, "c" * 64}


def test_a_report_whose_pages_all_exist_is_not_changed():
    original = report()
    assert mark_gone(original, cited_pages(original)) is original


def test_citations_of_deleted_pages_stay_and_get_a_mark():
    marked = mark_gone(report(), {"b" * 64})
    assert [source.gone for source in marked.sources] == [True, False]
    assert marked.gone_pages == ["a" * 64, "c" * 64]
    lines = marked.report_markdown.split("\n")
    assert lines[8] == "1. Kettles – a.example, read 2026-01-01, https://a.example/ (page no longer kept)"
    assert lines[9].endswith("https://b.example/")
    assert marked.report_markdown.count("no longer kept") == 1
    assert marked.evidence == report().evidence
