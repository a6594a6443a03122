"""Finds the heading of a page, even if it is not an h1."""

from collections.abc import Iterable
from urllib.parse import unquote

from lxml import html

from research_crawler.extraction.products.vocabulary.words import TITLE_BREAK, overlap, text_of, words_of

_LIKE = 0.8
"""The least overlap with a part of the title for an element to repeat it."""
_ADDRESSED = 0.6
"""The least share of an element's words in the page's URL for it to replace an unrelated h1."""
_MIN_WORDS, _MAX_CHARS, _MAX_PARTS = 2, 250, 4
_LINKS_OF_TRAIL = 2
_HEADINGS = frozenset(["h2", "h3", "h4"])
_NAMED = frozenset(["div", "span", "td", "strong", "b", "p", "font", "big", *_HEADINGS])
_ELSEWHERE = frozenset(["a", "nav", "footer", "aside", "li", "option", "button", "head"])


def read_heading(
    root: html.HtmlElement, elements: Iterable[html.HtmlElement], title: str, *, url: str
) -> html.HtmlElement | None:
    """The h1 most similar to the title, then to the URL; without a related h1, an element that repeats the title.

    Args:
        root: the tree of the page.
        elements: all elements of the page, in order.
        title: the page's title: og:title, else that in its head.
        url: the page's URL. Its words distinguish the product's name from the shop's slogan.
    """
    words = words_of(title)
    address = _words_of_address(url)

    def likeness(heading: html.HtmlElement) -> tuple[float, float]:
        own = words_of(text_of(heading))
        return overlap(own, words), overlap(own, address)

    first = max((one for one in root.iter("h1") if text_of(one)), key=likeness, default=None)
    if first is None:
        return _named(elements, title)
    if words_of(text_of(first)) & words:
        return first
    stand_in = _named(elements, title)
    return stand_in if stand_in is not None and _is_addressed(stand_in, url) else first


def _named(elements: Iterable[html.HtmlElement], title: str) -> html.HtmlElement | None:
    """The element that repeats a part of the title: the one with most of its words, preferably a heading."""
    title_words = words_of(title)
    parts = [
        words for part in (title, *TITLE_BREAK.split(title)) if len(words := words_of(part)) >= _MIN_WORDS
    ]
    best: tuple[int, int] = (0, 0)
    found = None
    for element in elements if parts else ():
        if element.tag not in _NAMED or not (text := _short_text(element)):
            continue
        words = words_of(text)
        is_like = len(words) >= _MIN_WORDS and any(overlap(words, part) >= _LIKE for part in parts)
        rank = len(words & title_words), int(element.tag in _HEADINGS)
        if (is_like or _begins(title, text, element)) and rank > best and not _leads_away(element):
            best, found = rank, element
    return found


def _begins(title: str, text: str, element: html.HtmlElement) -> bool:
    return (
        element.tag in _HEADINGS
        and len(text.split()) >= _MIN_WORDS
        and title.lower().startswith(text.lower())
    )


def _short_text(element: html.HtmlElement) -> str:
    """The text of an element with its own text and only few parts; "" for other elements."""
    if len(element) > _MAX_PARTS or not ((element.text or "").strip() or any(one.tail for one in element)):
        return ""
    text = text_of(element)
    return text if len(text) <= _MAX_CHARS else ""


def _leads_away(element: html.HtmlElement) -> bool:
    """Whether an element is a link, a menu entry, or the end of a breadcrumb trail."""
    if any(node.tag in _ELSEWHERE for node in (element, *element.iterancestors())):
        return True
    around = element.getparent()
    return element.tag not in _HEADINGS and len(around.findall("a")) >= _LINKS_OF_TRAIL


def _is_addressed(element: html.HtmlElement, url: str) -> bool:
    words = words_of(text_of(element))
    return len(words & _words_of_address(url)) >= _ADDRESSED * len(words)


def _words_of_address(url: str) -> frozenset[str]:
    return words_of(unquote(url).replace("_", " "))
