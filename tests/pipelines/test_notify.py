"""An event that is too long for Redis is cut where it hurts least."""

from hypothesis import given
from hypothesis import strategies as st

from pipelines.notify import shortened_event
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.messages.events import (
    MAX_EVENT_BYTES,
    CommandDone,
    PageReading,
    ProviderReport,
    SearchResult,
)
from research_crawler.core.models.web.pages import Link


def finding(number: int, score: float, chars: int = 500) -> Finding:
    return Finding(
        id=f"f{number}",
        command="j:1",
        claim="c" * chars,
        quote="q" * chars,
        start=0,
        end=chars,
        url="https://a.example/",
        page_sha256="0" * 64,
        score=score,
    )


def event(*, links: int = 0, findings: int = 0, results: int = 0, **more) -> CommandDone:
    page = PageReading(
        url="https://a.example/",
        final_url="https://a.example/",
        links=[Link(url=f"https://a.example/{'x' * 200}/{n}", text="t" * 100) for n in range(links)],
    )
    return CommandDone(
        uid="j:1",
        job="j",
        command="j:1",
        page=page,
        findings=[finding(n, score=(n * 7 % 10) / 10) for n in range(findings)],
        results=[SearchResult(url=f"https://b.example/{n}", snippet="s" * 1000) for n in range(results)],
        **more,
    )


def size(made: CommandDone) -> int:
    return len(made.to_wire().encode())


def test_an_event_that_fits_stays_unchanged():
    made = event(links=10, findings=5, results=5)
    assert shortened_event(made) is made


def test_links_are_dropped_before_findings():
    cut = shortened_event(event(links=300, findings=15))
    assert size(cut) <= MAX_EVENT_BYTES
    assert len(cut.findings) == 15
    assert 0 < len(cut.page.links) < 300


def test_the_findings_with_the_lowest_scores_are_dropped():
    made = event(findings=200)
    cut = shortened_event(made)
    assert size(cut) <= MAX_EVENT_BYTES
    kept = {one.id for one in cut.findings}
    assert min(one.score for one in cut.findings) >= max(
        one.score for one in made.findings if one.id not in kept
    )
    assert [one.id for one in cut.findings] == [one.id for one in made.findings if one.id in kept]


def test_the_first_search_results_are_kept():
    cut = shortened_event(event(results=200))
    assert size(cut) <= MAX_EVENT_BYTES
    assert [one.url for one in cut.results] == [f"https://b.example/{n}" for n in range(len(cut.results))]


@given(
    st.integers(0, 300), st.integers(0, 200), st.integers(0, 100), st.text(max_size=50), st.integers(1, 5_000)
)
def test_every_event_can_be_settled(links, findings, results, text, times):
    reports = [ProviderReport(provider="p", ok=False, reason=text * 20)]
    made = event(
        links=links,
        findings=findings,
        results=results,
        reason=text * times,
        query=text * times,
        providers=reports,
    )
    assert size(shortened_event(made)) <= MAX_EVENT_BYTES
