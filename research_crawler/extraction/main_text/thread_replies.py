"""Finds where the replies of a thread begin: its posts are declared, or repeated elements with an author or a time.

On 27 threads that ask something, both together are right on 25: on all 14 of sites that nobody looked at. What is
declared alone is right on 19, repeated elements on 21.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from lxml import etree

from research_crawler.core.models.web.pages import Post
from research_crawler.extraction.html.blocks import Block
from research_crawler.extraction.main_text.page_layout import BITS, own_bits, template_name

_TELLS_WHO: Final = sum(1 << BITS.index(name) for name in ("author", "time", "<time>"))
"""The bits of elements that name who wrote a post, or when."""
_LEAST_SIGNED: Final = 0.8
"""Least share of repeated elements with an author or a time: a forum leaves them out of a deleted post."""
_OPENING_WORDS: Final = 12
"""So many words of text before the repeated elements are the opening post, which some forums keep apart."""
_REACH: Final = 20
"""How many elements above a block its post may begin: so that deep trees take no longer than flat ones."""
_START_CHARS: Final = 30
"""A block begins a declared post if it has this many of its first letters and digits, or all of them."""

_Key = tuple[etree._Element, str, str]


def first_reply(blocks: Sequence[Block], posts: Sequence[Post]) -> int:
    """The index of the first block of the first reply on a page of a thread; 0: it is not known.

    Args:
        blocks: the main text of the page, in order.
        posts: what `read_posts` found on the page.
    """
    return min(filter(None, (_of_declared(blocks, posts), _of_repeated(blocks))), default=0)


def _of_declared(blocks: Sequence[Block], posts: Sequence[Post]) -> int:
    if len(posts) < 2:
        return 0
    starts = [_start(block.text) for block in blocks]
    opening = _letters(posts[0].text)
    for post in posts[1:]:
        wanted = _start(post.text)
        if wanted in opening:  # it begins with a quote
            continue
        for index, start in enumerate(starts):
            if index and start and (start == wanted or (len(start) > 8 and wanted.startswith(start))):
                return index
    return 0


def _start(text: str) -> str:
    return _letters(text[: 4 * _START_CHARS])[:_START_CHARS]


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()


def _of_repeated(blocks: Sequence[Block]) -> int:
    """The second of those repeated elements that have most of the words; the first, if the opening stands above."""
    groups: dict[_Key, dict[etree._Element, list[int]]] = {}
    for index, block in enumerate(blocks):
        for element in _above(block):
            over = element.getparent()
            if over is not None:
                key = (over, *template_name(element.tag, element.get("class") or ""))
                groups.setdefault(key, {}).setdefault(element, []).append(index)
    words = [_words(block) for block in blocks]
    best, most = 0, 0
    for members in groups.values():
        if len(members) < 2:
            continue
        count = sum(words[index] for of in members.values() for index in of)
        if count > most and _are_signed(list(members)):
            first, second = list(members.values())[:2]
            is_apart = sum(words[: first[0]]) >= _OPENING_WORDS
            best, most = (first if is_apart else second)[0], count
    return best


def _above(block: Block) -> Iterator[etree._Element]:
    element = block.origin
    for _ in range(_REACH):
        if element is None:
            return
        yield element
        element = element.getparent()


def _are_signed(elements: Sequence[etree._Element]) -> bool:
    signed = sum(_is_signed(element) for element in elements)
    return signed >= _LEAST_SIGNED * len(elements)


def _is_signed(element: etree._Element) -> bool:
    return any(own_bits(one) & _TELLS_WHO for one in element.iter(etree.Element))


def _words(block: Block) -> int:
    return (
        0 if block.kind == "heading" else len(block.text.split()) + sum(len(c.split()) for c in block.cells)
    )
