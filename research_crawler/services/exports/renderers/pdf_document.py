"""PDF: the HTML page, printed by the browser of this machine."""

from research_crawler.adapters.pdf_printer import print_pdf
from research_crawler.core.config import Config
from research_crawler.services.exports.manuscript import Manuscript
from research_crawler.services.exports.renderers.html_page import html_document


async def render(manuscript: Manuscript, config: Config) -> bytes:
    """The printed page.

    Raises:
        NoBrowser: there is no browser, or it could not print.
    """
    return await print_pdf(html_document(manuscript), config)
