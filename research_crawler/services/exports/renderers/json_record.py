"""JSON: the document that `research result --json` prints."""

from research_crawler.core.config import Config
from research_crawler.core.text.plain_text import escaped_json
from research_crawler.services.exports.manuscript import Manuscript


async def render(manuscript: Manuscript, _config: Config) -> bytes:
    """The report's record as UTF-8."""
    record = manuscript.report.model_dump_json(indent=2, exclude={"v", "exit_code"})
    return (escaped_json(record) + "\n").encode("utf-8", "replace")
