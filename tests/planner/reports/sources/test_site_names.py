"""Somebody who tells of himself is called by the name of the site where he does."""

from planner.reports.sources.citations import Citations
from planner.reports.sources.site_names import site_names
from research_crawler.core.models.reports.drafts import Sentence
from research_crawler.core.models.web.pages import PageText, StoredPage
from tests.planner.scripted import a_finding


async def test_a_speaker_is_called_by_the_name_of_the_site_beside_its_host():
    text = PageText(markdown="x", text="x", site="The Slow Ledger")
    url = "https://a.example/1"
    page = StoredPage(sha="ab" * 32, url=url, final_url=url, page=text)

    async def page_of(sha: str) -> StoredPage | None:
        return page if sha == page.sha else None

    said = a_finding("j:1", "I took the small one along.", url=url).changed(page_sha256=page.sha)
    other = a_finding("j:2", "I left mine at home.", url="https://b.example/1").changed(page_sha256="cd" * 32)
    sites = await site_names([said, other], page_of)
    assert sites == {"a.example": "The Slow Ledger"}
    sentences = [
        Sentence(text=one.quote, evidence=[n], speaker=host)
        for n, (one, host) in enumerate([(said, "a.example"), (other, "b.example")])
    ]
    cited = Citations([said, other], [], sites=sites).cite(sentences)
    assert [one.speaker for one in cited] == ["The Slow Ledger (a.example)", "b.example"]
