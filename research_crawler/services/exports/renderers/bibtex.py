"""BibTeX: the cited sources as `@misc` entries, for LaTeX and reference managers.

Values are UTF-8, as biber and present BibTeX read it. Braces must balance in BibTeX even where TeX does not see them,
so those of a page are written as commands.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final

from research_crawler.core.config import Config
from research_crawler.core.models.reports.cited_parts import Source
from research_crawler.core.text.plain_text import clean_line
from research_crawler.services.exports.manuscript import Manuscript
from research_crawler.services.exports.source_lines import web_address

_COMMANDS: Final = {
    "\\": r"\textbackslash{}",
    "{": r"\textbraceleft{}",
    "}": r"\textbraceright{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "_": r"\_",
    "%": r"\%",
    '"': r"\textquotedbl{}",
}
_SPECIAL: Final = re.compile("|".join(map(re.escape, _COMMANDS)))
_NOT_IN_KEY: Final = re.compile(r"[^a-z0-9]+")
_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DATE: Final = re.compile(r"(?P<year>\d{4})(?:-(?P<month>0[1-9]|1[0-2]))?")
MAX_WORD: Final = 24
"""Longest word in the key of an entry."""


async def render(manuscript: Manuscript, _config: Config) -> bytes:
    """The entries as UTF-8."""
    return bibliography(manuscript.report.sources).encode("utf-8", "replace")


def bibliography(sources: Sequence[Source]) -> str:
    """An entry for each source, in the order of their numbers."""
    return "\n".join(_entry(source) for source in sources)


def _entry(source: Source) -> str:
    fields = "".join(f"  {name} = {value},\n" for name, value in _fields(source) if value)
    return f"@misc{{{_key(source)},\n{fields}}}\n"


def _fields(source: Source) -> Iterator[tuple[str, str]]:
    yield "title", f"{{{{{escape_bibtex(source.title or source.host)}}}}}"  # two pairs keep its capitals
    yield "howpublished", f"{{{escape_bibtex(source.host)}}}"
    if date := _DATE.match(source.published):
        yield "year", f"{{{date['year']}}}"
        yield "month", _MONTHS[int(date["month"]) - 1] if date["month"] else ""
    yield "url", f"{{{url}}}" if (url := web_address(source)) else ""
    yield "urldate", f"{{{source.fetched_at[:10]}}}" if _DATE.match(source.fetched_at) else ""
    if source.page_numbers:
        yield "pages", f"{{{', '.join(map(str, source.page_numbers))}}}"


def _key(source: Source) -> str:
    """`example2026heat-3`: host, year, first long word of the title; the number makes it unique."""
    host = _NOT_IN_KEY.sub("", source.host.rpartition(".")[0].rpartition(".")[2] or source.host)
    words = _NOT_IN_KEY.sub(" ", unicodedata.normalize("NFKD", source.title).lower()).split()
    word = next((word for word in words if len(word) > 3), "")
    date = _DATE.match(source.published)
    return f"{host[:MAX_WORD]}{date['year'] if date else ''}{word[:MAX_WORD]}-{source.n}"


def escape_bibtex(text: str) -> str:
    """A text of others as TeX shows it, with braces that balance."""
    return _SPECIAL.sub(lambda match: _COMMANDS[match[0]], clean_line(text))
