"""Stored pages, and the passages of them that a model reads."""

from typing import Any, Literal

from pydantic import Field

from research_crawler.core.models.base import Frozen, Wire
from research_crawler.core.models.why import NO_REASON, Why

SANITIZER_VERSION = 3
"""Counted up when pages are read in another way, so that stored ones stay apart."""

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
OFFER_PRICE, OFFER_CURRENCY, OFFER_CONDITION = "offer:price", "offer:currency", "offer:condition"
"""Metadata of a page that sells one product: its amount, the ISO code of its currency, and the product's condition
where the page states one."""


class Link(Frozen):
    """A link on a page: absolute canonical URL and anchor text."""

    url: str
    text: str = ""


class Heading(Frozen):
    """A heading with its level, 1 to 6."""

    level: int
    text: str


PostKind = Literal["post", "question", "answer", "comment", "review"]


class Post(Frozen):
    """A post of one person on a page: a question, an answer, a comment, a review."""

    kind: PostKind = "post"
    author: str = ""
    date: str = ""
    """ISO day."""
    votes: int | None = None
    """Votes or likes, as the page counts them."""
    rating: float | None = None
    """Rating of a review, on the page's own scale."""
    text: str = ""
    """The beginning of the text, on one line."""


class PageText(Frozen):
    """The result of the sanitizer. `markdown` is stored, and quotes come from it."""

    markdown: str
    text: str
    """The text without Markdown marks and link targets, an article's also without its title."""
    title: str = ""
    author: str = ""
    published: str = ""
    """ISO date; empty if none was found."""
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
    """Posts of a thread, comments, or reviews of a product, if the page separates them."""
    replies_start: int = 0
    """Where the replies begin in the Markdown of a thread; 0: that is not known, or it is no thread."""
    metadata: dict[str, Any] = Field(default_factory=dict)
    """OpenGraph and similar metadata, flat with string keys."""
    noarchive: bool = False
    nosnippet: bool = False


class Passage(Frozen):
    """A piece of a stored page: `markdown[start:end]`, never split inside a sentence."""

    start: int
    end: int
    text: str
    tokens: int
    heading: str = ""
    is_opening: bool = False
    """It is of the first post of a thread, before its replies."""


class ParsedPage(Frozen):
    """What a parse process makes of the bytes of a page."""

    page: PageText | None
    """None: the page has no readable text, or is a wall."""
    passages: list[Passage] = Field(default_factory=list)
    """The passages of its Markdown, without their texts and tokens."""
    refused: Why = NO_REASON
    """Why there is no page."""
    blocker: Why = NO_REASON
    """The wall that was sent instead of the page."""
    needs_render: bool = False
    """Whether the page's scripts make its text, so that a browser should render it."""
    processed: str = ""
    """What a `PageProcessor` made of the page."""


class StoredPage(Wire):
    """A page in the archive. It is immutable, and its key is the hash of its sanitized text."""

    sha: str
    """SHA-256 (hex) of sanitizer version, final URL and Markdown."""
    url: str
    """The URL that was requested."""
    final_url: str
    status: int = 200
    fetched_at: str = ""
    """ISO time (UTC) of the last byte."""
    content_type: str = ""
    sanitizer: int = SANITIZER_VERSION
    page: PageText
    tokens: int = 0
    """Number of tokens of the Markdown, by the embedding model's tokenizer."""
