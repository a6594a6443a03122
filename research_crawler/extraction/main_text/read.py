"""The main text of a page as blocks: those that look like what is read on a page of its kind."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from lxml import html

from research_crawler.core.models.pages import PageKind
from research_crawler.extraction.blockers.consent import remove_consent_banners
from research_crawler.extraction.html.blocks import Block, read_blocks
from research_crawler.extraction.html.tree import drop_hidden
from research_crawler.extraction.main_text.article_text import MAX_ELEMENTS, read_article
from research_crawler.extraction.main_text.block_choice import choose_blocks, rate_blocks, with_headings
from research_crawler.extraction.main_text.block_features import ClassifiedPage, view_page
from research_crawler.extraction.main_text.kind_signals import SIGNALS, declared_text, read_signals
from research_crawler.extraction.main_text.page_kinds import KINDS, describe_page, name_kind, rate_kinds
from research_crawler.extraction.main_text.page_layout import Floats
from research_crawler.extraction.main_text.rate_smoothing import smooth_rates
from research_crawler.extraction.main_text.repeats import without_copies
from research_crawler.extraction.main_text.thread_posts import complete_posts

_SURROUNDINGS = {"nav", "footer", "header", "aside", "form"}
_SMALL_PAGE_CHARS = 600
"""A page that shows less is read whole but for what surrounds it: there is too little to tell a main part by."""
_ARTICLE_RATE, _DECLARED_RATE, _THREAD_RATE = 0.5, 0.3, 0.2
"""A page that is an article as likely, and hardly a thread, is read as one; the second rate is for pages that declare
an article and offer nothing. With 0.3 for all of them the seven kinds lose 0.005 (products 0.022), with 0.6 articles
lose 0.002 and nothing is won."""
_ARTICLE_CHARS = 250
_POSTS_RATE = 0.3
_MAX_BLOCKS = 15_000
"""Of a page with more the rest is read as it stands. Of 307 real pages the largest has 5,000."""


@dataclass(slots=True)
class MainText:
    """The main blocks of a page, and its kind."""

    blocks: list[Block] = field(default_factory=list)
    kind: PageKind = "other"


@dataclass(slots=True)
class Sight:
    """What a page shows, before any of it is chosen."""

    view: ClassifiedPage
    signals: list[float]


def see_page(root: html.HtmlElement, url: str, meta: Mapping[str, str]) -> Sight | None:
    """A page's blocks with their features; None where it shows no text. Takes out of the tree what is not shown.

    Args:
        root: with its scripts.
        url: of the page; "" where it is not known.
        meta: the page's meta elements, names in lower case.
    """
    signals, declared = read_signals(root, url, meta), declared_text(root)
    title = root.findtext(".//title") or ""
    description = meta.get("description") or meta.get("og:description") or ""
    remove_consent_banners(root)
    drop_hidden(root)
    blocks = read_blocks(root.body)[:_MAX_BLOCKS] if root.body is not None else []
    if not blocks:
        return None
    return Sight(view_page(root, blocks, title=title, description=description, declared=declared), signals)


def read_main_text(root: html.HtmlElement, url: str, meta: Mapping[str, str]) -> MainText:
    """The main blocks of a tree and the page's kind. Takes out of the tree what is not shown."""
    sight = see_page(root, url, meta)
    if sight is None:
        return MainText()
    rates = rate_kinds(describe_page(sight.view.rows, sight.signals))
    kind = name_kind(rates, sight.signals, meta, heading=_heading(root, meta))
    blocks = sight.view.blocks
    if sum(block.chars for block in blocks) < _SMALL_PAGE_CHARS:
        main = [block for block in blocks if not _is_around(block)] or blocks
    else:
        main = _main_blocks(root, sight, rates)
    return MainText(without_copies(main), kind)


def _heading(root: html.HtmlElement, meta: Mapping[str, str]) -> str:
    """The first main heading that is not the name of the site."""
    texts = (" ".join("".join(one.itertext()).split()) for one in root.iter("h1"))
    site = meta.get("og:site_name", "")
    return next((text for text in texts if text and text != site), meta.get("og:title", ""))


def _main_blocks(root: html.HtmlElement, sight: Sight, kinds: Floats) -> list[Block]:
    view = sight.view
    block_rates = rate_blocks(view, kinds)
    rates = dict(zip(KINDS, kinds.tolist(), strict=True))
    if _is_article(sight, rates) and view.layout.size <= MAX_ELEMENTS:
        article = read_article(root, view.blocks, block_rates)
        if sum(block.chars for block in article) >= _ARTICLE_CHARS:
            return article
    chosen = choose_blocks(view, smooth_rates(view, block_rates, kinds))
    if rates["forum"] >= _POSTS_RATE:
        chosen = complete_posts(view, chosen)
    return [view.blocks[place] for place in with_headings(view.blocks, chosen)]


def _is_article(sight: Sight, rates: Mapping[str, float]) -> bool:
    told = dict(zip(SIGNALS, sight.signals, strict=True))
    declares = (told["type:article"] and not told["type:offer"]) or (
        told["og:article"] and told["has_published"]
    )
    least = _DECLARED_RATE if declares else _ARTICLE_RATE
    return rates["article"] >= least and rates["forum"] < _THREAD_RATE


def _is_around(block: Block) -> bool:
    origin = block.origin
    return origin is not None and any(one.tag in _SURROUNDINGS for one in (origin, *origin.iterancestors()))
