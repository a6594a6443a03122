"""The readers of documents that are no text: those of this package, and those of installed ones."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from research_crawler.core.extension_points import ExtensionPoint, extensions
from research_crawler.core.models.web.pages import PageText
from research_crawler.extraction.formats.docx import is_docx, read_docx
from research_crawler.extraction.formats.pdf import is_pdf, read_pdf

Headers = Mapping[str, str]
"""Response headers, names in lower case."""


@dataclass(frozen=True, kw_only=True)
class PageReader:
    """Reads documents of one format. It runs in a parse process, under the limits of a page."""

    name: str
    reads: Callable[[bytes, Headers], bool]
    """Whether a body with these headers is of this format; better by its first bytes than by its declared type."""
    read: Callable[[bytes, Headers, int], PageText]
    """Body, headers, most characters of text → the page's text. It raises `PageUnreadable` for a damaged document."""


_OWN: Final = (
    PageReader(
        name="pdf",
        reads=lambda body, _: is_pdf(body),
        read=lambda body, headers, most: read_pdf(body, headers=headers, max_chars=most),
    ),
    PageReader(
        name="docx",
        reads=lambda body, _: is_docx(body),
        read=lambda body, _, most: read_docx(body, max_chars=most),
    ),
)


def page_readers() -> Sequence[PageReader]:
    """All readers, in the order in which a body is shown to them.

    Raises:
        ConfigError: a package declares something else than a reader.
    """
    return (*_OWN, *extensions(ExtensionPoint.PAGE_READERS, PageReader).values())
