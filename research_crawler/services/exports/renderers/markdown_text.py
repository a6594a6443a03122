"""Markdown: report.md as it is stored."""

from research_crawler.core.config import Config
from research_crawler.services.exports.manuscript import Manuscript


async def render(manuscript: Manuscript, _config: Config) -> bytes:
    """report.md as UTF-8."""
    return manuscript.report.report_markdown.encode("utf-8", "replace")
