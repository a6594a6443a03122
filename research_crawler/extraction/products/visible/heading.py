"""Finds the heading of a page that names its product."""

from urllib.parse import unquote

from lxml import html

from research_crawler.extraction.products.vocabulary.name_comparison import overlap, text_of, words_of


def read_heading(root: html.HtmlElement, title: str, *, url: str) -> html.HtmlElement | None:
    """The h1 most similar to the title, then to the URL, whose words distinguish the product's name from a slogan.

    Args:
        root: the tree of the page.
        title: the page's title: og:title, else that in its head.
        url: the page's URL.
    """
    words, address = words_of(title), words_of(unquote(url).replace("_", " "))

    def likeness(heading: html.HtmlElement) -> tuple[float, float]:
        own = words_of(text_of(heading))
        return overlap(own, words), overlap(own, address)

    return max((one for one in root.iter("h1") if text_of(one)), key=likeness, default=None)
