"""What is said of a source below its title, in the language of the report."""

from research_crawler.core.models.archive.keeping import GONE
from research_crawler.core.models.reports.cited_parts import Source
from research_crawler.services.exports.manuscript import comma_joined
from research_crawler.text.writing.markdown import address
from research_crawler.text.writing.messages import Messages


def facts_of(source: Source, translate: Messages) -> str:
    """Host, date, page numbers of a PDF, and whether the page is still kept."""
    read = translate("read_on", day=source.fetched_at[:10]) if source.fetched_at else translate("undated")
    numbers = ", ".join(map(str, source.page_numbers))
    pages = translate("pages", n=len(source.page_numbers), numbers=numbers) if numbers else ""
    return comma_joined([source.host, source.published[:10], read, pages, GONE if source.gone else ""])


def web_address(source: Source) -> str:
    """The source's http(s) URL for a list of sources, percent-encoded; empty if it has another scheme."""
    return address(source.url) if source.url.startswith(("http://", "https://")) else ""
