"""Reads the main text of a page as blocks, and the kind of the page."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from lxml import html

from research_crawler.core.models.web.pages import PageKind
from research_crawler.extraction.html.blocks import Block, read_blocks
from research_crawler.extraction.html.tree import drop_hidden
from research_crawler.extraction.main_text.article_text import MAX_ELEMENTS, read_article
from research_crawler.extraction.main_text.blocks.block_choice import (
    choose_blocks,
    is_interface,
    rate_blocks,
    with_headings,
    with_title,
)
from research_crawler.extraction.main_text.blocks.block_features import ClassifiedPage, view_page
from research_crawler.extraction.main_text.blocks.block_words import OWN
from research_crawler.extraction.main_text.blocks.product_cards import card_blocks
from research_crawler.extraction.main_text.blocks.rate_smoothing import smooth_rates
from research_crawler.extraction.main_text.blocks.whole_parts import (
    is_around,
    keep_whole,
)
from research_crawler.extraction.main_text.kind_signals import SIGNALS, declared_text, read_signals
from research_crawler.extraction.main_text.page_kinds import KINDS, describe_page, name_kind, rate_kinds
from research_crawler.extraction.main_text.page_layout import Floats
from research_crawler.extraction.main_text.thread_repeats import without_thread_repeats

_SMALL_PAGE_CHARS = 600
"""A page with less text is read completely, except for navigation, header, footer, asides and forms: there is
too little text to find a main part."""
_ARTICLE_RATE, _DECLARED_RATE, _THREAD_RATE = 0.5, 0.3, 0.2
"""A page is read as an article if it is one with probability _ARTICLE_RATE and a thread with less than
_THREAD_RATE. _DECLARED_RATE is for pages that declare an article and no offer. With 0.3 for all pages the
seven kinds lose 0.005 (products 0.022); with 0.6 articles lose 0.002 and nothing is gained."""
_POSTS_RATE, _MANUAL_RATE = 0.3, 0.3
"""From these rates on, repeated posts are left out, and all code and tables of a manual are kept. A page that is as
likely an article as a manual keeps its examples: with 0.5 SQLite's pages on autoincrement and WAL lost theirs, and on
110 saved pages with code F1 is the same from 0.15 to 0.5, sites left out."""
_CARDS_RATE = 0.7
"""From this rate of a collection on, its cards are kept whole: rated one by one, 65 cards of earrings were all left out
for a paragraph about silver. Sites left out, F1 of 86 collections rises by 0.014 (11 sites of 16 are better, 4 worse),
and 149 for 135 of 175 passages that must be there are. From 0.5 on, pages of one product lose what collections gain."""
_BUTTON_WORDS = 4
"""Words of the interface with at most so many words are a button."""
_MAX_BLOCKS = 15_000
"""Blocks after this number are dropped. The largest of 307 real pages has 5,000."""


@dataclass(slots=True)
class MainText:
    """The main blocks of a page, and its kind."""

    blocks: list[Block] = field(default_factory=list)
    kind: PageKind = "other"
    is_part: bool = False
    """Whether there are signs that the page has more main text than these blocks."""


@dataclass(slots=True)
class ModelInput:
    """What the models get of a page: its blocks with their features, and its signals."""

    view: ClassifiedPage
    signals: list[float]


def prepare_page(root: html.HtmlElement, url: str, meta: Mapping[str, str]) -> ModelInput | None:
    """A page's blocks with their features; None if it shows no text. Removes hidden elements from the tree.

    Args:
        root: the tree, still with its scripts.
        url: the page's URL; "" if it is not known.
        meta: the page's meta elements, names in lower case.
    """
    signals, declared = read_signals(root, url, meta), declared_text(root)
    title = root.findtext(".//title") or ""
    description = meta.get("description") or meta.get("og:description") or ""
    drop_hidden(root)
    blocks = read_blocks(root.body)[:_MAX_BLOCKS] if root.body is not None else []
    if not blocks:
        return None
    return ModelInput(
        view_page(root, blocks, title=title, description=description, declared=declared), signals
    )


def read_main_text(root: html.HtmlElement, url: str, meta: Mapping[str, str]) -> MainText:
    """The main blocks of a tree, and the page's kind. Removes hidden elements from the tree."""
    page = prepare_page(root, url, meta)
    if page is None:
        return MainText()
    rates = rate_kinds(describe_page(page.view.rows, page.signals))
    kind = name_kind(rates, page.signals, meta, heading=_heading(root, meta))
    blocks = page.view.blocks
    if sum(block.chars for block in blocks) < _SMALL_PAGE_CHARS:
        main, is_part = [block for block in blocks if not is_around(block)] or blocks, False
    else:
        chosen, is_part = _main_blocks(root, page, rates)
        main = _complete(page.view, chosen, thread=KINDS[int(rates.argmax())] == "forum") or chosen
    return MainText(without_copies(main), kind, is_part)


def _heading(root: html.HtmlElement, meta: Mapping[str, str]) -> str:
    """The first h1 that is not the name of the site; if there is none, the page's og:title."""
    texts = (" ".join("".join(element.itertext()).split()) for element in root.iter("h1"))
    site = meta.get("og:site_name", "")
    return next((text for text in texts if text and text != site), meta.get("og:title", ""))


def _main_blocks(root: html.HtmlElement, page: ModelInput, kinds: Floats) -> tuple[list[Block], bool]:
    """The main blocks, and whether they seem to be only a part of the main text."""
    view = page.view
    block_rates = rate_blocks(view, kinds)
    rates = dict(zip(KINDS, kinds.tolist(), strict=True))
    chosen = choose_blocks(view, smooth_rates(view, block_rates, kinds))
    if _is_article(page, rates) and view.layout.size <= MAX_ELEMENTS:
        article = read_article(root, view.blocks, block_rates, chosen)
        if article.blocks is not None:
            return article.blocks, article.is_part
    else:
        chosen = with_title(view, block_rates, chosen)
    if rates["documentation"] >= _MANUAL_RATE:
        chosen = with_code_and_tables(view, chosen)
    if rates["collection"] >= _CARDS_RATE:
        chosen = sorted({*chosen, *(set(card_blocks(view)) - set(_buttons(view)))})
    chosen = with_headings(view.blocks, chosen)
    if rates["forum"] >= _POSTS_RATE:
        chosen = without_thread_repeats(view, chosen)
    return [view.blocks[index] for index in chosen], False


def _complete(view: ClassifiedPage, chosen: list[Block], *, thread: bool) -> list[Block]:
    return keep_whole(view.blocks, chosen, barred=_buttons(view), thread=thread)


def _buttons(view: ClassifiedPage) -> list[int]:
    """The indexes of short texts of an interface: no terms, and no part of a card."""
    buttons = is_interface(view) & (view.rows[:, OWN.index("words")] <= _BUTTON_WORDS)
    return [int(index) for index in np.flatnonzero(buttons)]


def _is_article(page: ModelInput, rates: Mapping[str, float]) -> bool:
    signal = dict(zip(SIGNALS, page.signals, strict=True))
    declares = (signal["type:article"] and not signal["type:offer"]) or (
        signal["og:article"] and signal["has_published"]
    )
    least = _DECLARED_RATE if declares else _ARTICLE_RATE
    return rates["article"] >= least and rates["forum"] < _THREAD_RATE


_LINKS = 0.5
"""With a larger share of its text in links, a block is one of links."""


def with_code_and_tables(view: ClassifiedPage, chosen: Sequence[int]) -> list[int]:
    """The chosen blocks, and all code and all data tables, but no tables of links, between the first and the last."""
    if not chosen:
        return []
    span = range(min(chosen), max(chosen) + 1)
    return sorted({*chosen, *(index for index in span if _is_code_or_data(view, index))})


def _is_code_or_data(view: ClassifiedPage, index: int) -> bool:
    block = view.blocks[index]
    return block.kind == "code" or (block.table is not None and not _is_link(view, index))


def _is_link(view: ClassifiedPage, index: int) -> bool:
    return view.blocks[index].link_chars > _LINKS * view.blocks[index].chars


LONG_WORDS = 10
"""A repeated block with at least this many words is a copy anywhere on the page. A shorter one is a copy only
directly after the same text, because short texts ("Yes") recur."""
_NEVER_COPIES = {"code", "row"}
"""Repeated rows of a table and lines of code have a meaning each time."""
_PAIR = 2
"""A long text that stands exactly so many times on a page is a copy of itself."""


def without_copies(blocks: Iterable[Block]) -> list[Block]:
    """The blocks without those that repeat the words of an earlier one, in the same order."""
    listed = [(block, tuple(block.text.lower().split())) for block in blocks]
    count = Counter(words for _, words in listed)
    unique: list[Block] = []
    long: set[tuple[str, ...]] = set()
    before: tuple[str, ...] = ()
    for block, words in listed:
        is_pair = words in long and count[words] == _PAIR and block.kind != "item"
        if block.kind not in _NEVER_COPIES and words and (is_pair or words == before):
            continue
        if len(words) >= LONG_WORDS and block.kind not in _NEVER_COPIES:
            long.add(words)
        before = words
        unique.append(block)
    return unique
