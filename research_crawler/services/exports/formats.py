"""The formats of exports. A new one is a file with `render`, and an entry here."""

import importlib
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol, cast

if TYPE_CHECKING:
    from research_crawler.core.config import Config
    from research_crawler.services.exports.manuscript import Manuscript


class Render(Protocol):
    """Makes the document of one format; some need the settings, for example to find a browser."""

    def __call__(self, manuscript: "Manuscript", config: "Config", /) -> Awaitable[bytes]:
        """The document's bytes."""


@dataclass(frozen=True)
class Format:
    """A format of exports. Its module is imported when it is used."""

    name: str
    suffixes: tuple[str, ...]
    """Names of files that mean this format; the first one is the usual one."""
    module: str
    is_text: bool = True
    of_sources: bool = False
    """Whether the document is the list of sources alone."""

    async def render(self, manuscript: "Manuscript", config: "Config") -> bytes:
        """The document's bytes."""
        module = importlib.import_module(f"{__package__}.{self.module}")
        return await cast("Render", module.render)(manuscript, config)


_ALL: Final = (
    Format("md", (".md", ".markdown"), "markdown_text"),
    Format("html", (".html", ".htm"), "html_page"),
    Format("pdf", (".pdf",), "pdf_document", is_text=False),
    Format("docx", (".docx",), "word_document", is_text=False),
    Format("json", (".json",), "json_record"),
    Format("bibtex", (".bib",), "bibtex", of_sources=True),
    Format("ris", (".ris",), "ris", of_sources=True),
)
EXPORT_FORMATS: Final[Mapping[str, Format]] = {form.name: form for form in _ALL}


def format_of(file: Path) -> Format | None:
    """The format that a file's name means; None if it means none."""
    return next((form for form in _ALL if file.suffix.lower() in form.suffixes), None)
