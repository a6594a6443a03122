"""A page for the product reader: its tree, and what it states about itself."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote

from lxml import html

from research_crawler.core.web.urls import host_of, joined_url, site_of
from research_crawler.extraction.products.price.reader import Numerals
from research_crawler.extraction.products.visible.attribute_words import ElementNames
from research_crawler.extraction.products.visible.concealment import concealed_elements
from research_crawler.extraction.products.vocabulary.name_comparison import (
    TITLE_BREAK,
    overlap,
    text_on_one_line,
    words_of,
)

_MAX_META = 200
"""Most meta elements that are read."""


@dataclass(slots=True, kw_only=True, eq=False)
class ProductPage:
    """The data that all sources use, read once for each page."""

    root: html.HtmlElement
    elements: list[html.HtmlElement]
    """All elements, without comments. The list keeps references to them, because lxml otherwise creates new
    objects on every walk."""
    url: str
    language: str
    numerals: Numerals
    meta: Mapping[str, str]
    title: str
    heading: html.HtmlElement | None
    """The h1 most similar to the title (others hold a logo, or text for screen readers)."""
    canonical: str
    host: str
    names_of_elements: ElementNames
    """The elements by tag, class and id, and what their names say."""
    concealed: frozenset[html.HtmlElement] = frozenset()
    """The elements whose text is hidden from readers."""
    _own: str = ""
    names: list[str] = field(default_factory=list)
    """The page's own names: its heading, its og:title, the parts of its title."""

    @classmethod
    def of(cls, root: html.HtmlElement, *, url: str, language: str = "") -> "ProductPage":
        """Read a page from its tree, which is not changed."""
        names = ElementNames(root)
        elements = names.every
        meta = _meta(root)
        title = " ".join((root.findtext(".//title") or "").split())
        tag = language or root.get("lang") or root.get("xml:lang") or meta.get("og:locale") or ""
        host = host_of(url).removeprefix("www.")
        base = next((joined_url(url, one.get("href") or "") for one in root.iter("base")), "") or url
        canonical = next((joined_url(base, (one.get("href") or "").strip()) for one in root.iter("link")
                          if "canonical" in (one.get("rel") or "").lower()), "")  # fmt: skip
        page = cls(
            root=root,
            elements=elements,
            url=url,
            language=tag,
            numerals=Numerals.of(language=tag, tld=host.rpartition(".")[2]),
            meta=meta,
            title=title,
            heading=read_heading(root, meta.get("og:title") or title, url=url),
            canonical=canonical,
            host=host,
            concealed=concealed_elements(root, names),
            names_of_elements=names,
        )
        heading = text_on_one_line(page.heading) if page.heading is not None else ""
        named = [heading, meta.get("og:title", ""), *TITLE_BREAK.split(title), title]
        page._own = _bare(page.canonical or url)
        page.names = [one for one in dict.fromkeys(named) if one]
        return page

    def resembles(self, name: str) -> float:
        """How similar a name is to the page's own names, 0 to 1: the best overlap with one of `names`."""
        words = words_of(name)
        return max((overlap(words, words_of(one)) for one in self.names), default=0.0) if words else 0.0

    def is_own_url(self, url: str) -> bool:
        """Whether a URL is the page's own, ignoring its query."""
        target = _bare(joined_url(self.url, url)) if url else ""
        return bool(target) and target in {_bare(self.url), _bare(self.canonical)}

    def leads_elsewhere(self, href: str) -> bool:
        """Whether a link leads to another page. It is cheaper than `is_own_url` for thousands of links."""
        if not href or href[0] in "#?" or href.startswith(("javascript:", "tel:", "mailto:")):
            return False
        path = _bare(href) if "://" in href else href.partition("#")[0].partition("?")[0].rstrip("/").lower()
        return not self._own.endswith(path) or len(path) < len(self._own) / 3

    def is_same_site(self, url: str) -> bool:
        """Whether a URL is on the page's own site."""
        return site_of(joined_url(self.url, url)) == site_of(self.url)


def _bare(url: str) -> str:
    return (
        url.partition("#")[0].partition("?")[0].partition("://")[2].removeprefix("www.").rstrip("/").lower()
    )


def _meta(root: html.HtmlElement) -> dict[str, str]:
    found: dict[str, str] = {}
    for element in root.iter("meta"):
        name = (element.get("property") or element.get("name") or "").strip().lower()
        content = " ".join((element.get("content") or "").split())
        if name and content and len(found) < _MAX_META:
            found.setdefault(name[:100], content[:1_000])
    return found


def read_heading(root: html.HtmlElement, title: str, *, url: str) -> html.HtmlElement | None:
    """The h1 most similar to the title, then to the URL, whose words distinguish the product's name from a slogan.

    Args:
        root: the tree of the page.
        title: the page's title: og:title, else that in its head.
        url: the page's URL.
    """
    words, address = words_of(title), words_of(unquote(url).replace("_", " "))

    def likeness(heading: html.HtmlElement) -> tuple[float, float]:
        own = words_of(text_on_one_line(heading))
        return overlap(own, words), overlap(own, address)

    return max((one for one in root.iter("h1") if text_on_one_line(one)), key=likeness, default=None)
