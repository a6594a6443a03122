"""The formats of exports: those of this package, and those of installed ones."""

import importlib
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol, cast

from research_crawler.core.errors import ConfigError
from research_crawler.core.extension_points import ExtensionPoint, extensions

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
    """The module that has `render`; one of this package begins with a dot."""
    is_text: bool = True
    of_sources: bool = False
    """Whether the document is the list of sources alone."""

    async def render(self, manuscript: "Manuscript", config: "Config") -> bytes:
        """The document's bytes."""
        module = importlib.import_module(self.module, __package__)
        return await cast("Render", module.render)(manuscript, config)


_ALL: Final = (
    Format("md", (".md", ".markdown"), ".renderers.markdown_text"),
    Format("html", (".html", ".htm"), ".renderers.html_page"),
    Format("pdf", (".pdf",), ".renderers.pdf_document", is_text=False),
    Format("docx", (".docx",), ".renderers.word_document", is_text=False),
    Format("json", (".json",), ".renderers.json_record"),
    Format("bibtex", (".bib",), ".renderers.bibtex", of_sources=True),
    Format("ris", (".ris",), ".renderers.ris", of_sources=True),
)


def export_formats() -> Mapping[str, Format]:
    """All formats by their names: those of this package, then those of installed ones.

    Raises:
        ConfigError: a package declares something else than a format, or a name that there is already.
    """
    known = {form.name: form for form in _ALL}
    for form in extensions(ExtensionPoint.EXPORT_FORMATS, Format).values():
        if form.name in known:
            raise ConfigError(f"{ExtensionPoint.EXPORT_FORMATS}: there is a format {form.name!r} already")
        known[form.name] = form
    return known


def format_of(file: Path) -> Format | None:
    """The format that a file's name means; None if it means none."""
    return next((form for form in export_formats().values() if file.suffix.lower() in form.suffixes), None)
