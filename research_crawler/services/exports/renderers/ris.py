"""RIS: the cited sources for reference managers such as Zotero, EndNote and Citavi."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from research_crawler.core.config import Config
from research_crawler.core.models.reports.cited_parts import Source
from research_crawler.core.text.plain_text import clean_line
from research_crawler.services.exports.manuscript import Manuscript
from research_crawler.services.exports.source_lines import web_address

_DATE: Final = re.compile(r"\d{4}(?:-\d\d(?:-\d\d)?)?")


async def render(manuscript: Manuscript, _config: Config) -> bytes:
    """The records as UTF-8."""
    return records(manuscript.report.sources).encode("utf-8", "replace")


def records(sources: Sequence[Source]) -> str:
    """A record for each source, in the order of their numbers."""
    lines = (f"{tag}  - {value}" for source in sources for tag, value in _record(source))
    return "".join(f"{line}\r\n" for line in lines)


def _record(source: Source) -> Iterator[tuple[str, str]]:
    yield "TY", "ELEC"
    yield "ID", str(source.n)
    yield "TI", clean_line(source.title) or source.host
    yield "PB", source.host
    if published := _DATE.match(source.published):
        yield "PY", published[0][:4]
        yield "DA", _slashed(published[0])
    if read := _DATE.match(source.fetched_at):
        yield "Y2", _slashed(read[0])
    if source.page_numbers:
        yield "SP", ", ".join(map(str, source.page_numbers))
    if url := web_address(source):
        yield "UR", url
    yield "ER", ""


def _slashed(day: str) -> str:
    """A date as RIS has it, `YYYY/MM/DD/`; parts that are unknown are empty."""
    parts = [*day.split("-"), "", ""][:3]
    return "/".join(parts) + "/"
