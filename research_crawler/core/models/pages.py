"""Pages as the system keeps them, and passages of them as a reader is shown them."""

from typing import Any, Literal, Self

from pydantic import Field

from research_crawler.core.models.base import Frozen, Wire, replaced

SANITIZER_VERSION = 2

PageKind = Literal[
    "article",
    "news",
    "forum",
    "review",
    "product",
    "listing",
    "collection",
    "documentation",
    "service",
    "other",
]


MAX_LINKS = 300
"""Links of a page that are kept."""


class Link(Frozen):
    """A link of a page: absolute canonical URL and anchor text."""

    url: str
    text: str = ""


class Heading(Frozen):
    """A heading with its level, 1 to 6."""

    level: int
    text: str


PostKind = Literal["post", "question", "answer", "comment", "review"]


class Post(Frozen):
    """What one person wrote on a page."""

    kind: PostKind = "post"
    author: str = ""
    date: str = ""
    """ISO day."""
    votes: int | None = None
    """Votes or likes, as the page counts them."""
    rating: float | None = None
    """Of a review, on the page's own scale."""
    text: str = ""
    """Its beginning, on one line."""


class PageText(Frozen):
    """What a sanitizer made of the bytes of a page. `markdown` is what is stored and quoted from."""

    markdown: str
    text: str
    """The same without marks and link targets."""
    title: str = ""
    author: str = ""
    published: str = ""
    """ISO date, empty where none is found."""
    modified: str = ""
    language: str = ""
    canonical_url: str = ""
    site: str = ""
    kind: PageKind = "other"
    description: str = ""
    encoding: str = ""
    links: list[Link] = Field(default_factory=list)
    headings: list[Heading] = Field(default_factory=list)
    posts: list[Post] = Field(default_factory=list)
    """Of a thread, of comments, of a product's reviews: where the page tells them apart."""
    metadata: dict[str, Any] = Field(default_factory=dict)
    """OpenGraph and the like: flat, string keys."""
    noarchive: bool = False
    nosnippet: bool = False

    def changed(self, *, encoding: str) -> Self:
        """A copy with the given values."""
        return replaced(self, encoding=encoding)


class StoredPage(Wire):
    """A page in the archive: immutable, addressed by the hash of its sanitized text."""

    sha: str
    """SHA-256 (hex) of sanitizer version, final URL and Markdown."""
    url: str
    """The URL it was asked for under."""
    final_url: str
    status: int = 200
    fetched_at: str = ""
    """ISO time (UTC) of the last byte."""
    content_type: str = ""
    sanitizer: int = SANITIZER_VERSION
    page: PageText
    tokens: int = 0
    """Length of the Markdown in tokens of the embedding model."""


class Passage(Frozen):
    """A piece of a stored page: `markdown[start:end]`, never split inside a sentence."""

    start: int
    end: int
    text: str
    tokens: int
    heading: str = ""

    def changed(self, *, text: str) -> Self:
        """A copy with the given values."""
        return replaced(self, text=text)
