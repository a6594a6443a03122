"""Leaves out of a thread what stands beside its posts or is said twice: signatures, quotes of its own posts, subjects.

A member's signature hangs under each of his posts and says nothing on the matter. A quote of a post that stands
above on the page repeats it, with the quoted member's name; a quote of anything else is text. Some forums
write the thread's title over every answer.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from lxml import etree

from research_crawler.extraction.html.blocks import Block
from research_crawler.extraction.main_text.blocks.block_features import ClassifiedPage
from research_crawler.extraction.main_text.blocks.block_words import OWN
from research_crawler.extraction.main_text.page_layout import BITS

_QUOTE = 1 << BITS.index("quote") | 1 << BITS.index("<blockquote>")
"""The bits of elements that hold a quote."""
_AUTHOR = 1 << BITS.index("author") | 1 << BITS.index("time")
"""The bits of elements that name an author or a time."""
_DATE = OWN.index("date")
_REACH = 6
"""How many elements above a block its quote or signature may begin."""
_SIGNATURE = re.compile(
    r"(?:\w{1,40}[-_]{1,2})?signature\w{0,20}|\w{1,40}Signature|sig(?:[-_]?(?:text|block|line|\d+))?"
)
_RUN = 3
"""Texts are compared by runs of so many words."""
_LEAST_SHARE = 0.6
"""A quote of which this share of runs of _RUN words stands above is a copy: the rest is the name of who is quoted, or
was left out of the quote."""
_NAME_WORDS = 12
"""A quoted line of at most so many words before a quote may name whom it quotes."""
_WORD = re.compile(r"\w+")
_ANSWER = re.compile(r"(?:re|aw|antw|sv|odp|vs|ref)\s*+:\s*+", re.I)


def without_thread_repeats(view: ClassifiedPage, chosen: Iterable[int]) -> list[int]:
    """The chosen blocks of a thread without signatures, without quotes of posts above, and without repeated titles."""
    listed = sorted(chosen)
    left_out = _signatures(view, listed)
    left_out |= _quotes(view, [index for index in listed if index not in left_out])
    left_out |= set(_repeated_titles(view.blocks, listed))
    return [index for index in listed if index not in left_out] or listed


def _path(view: ClassifiedPage, index: int) -> Iterator[int]:
    element = int(view.origins[index])
    for _ in range(_REACH):
        yield element
        if not element:
            return
        element = int(view.layout.parent[element])


def _signatures(view: ClassifiedPage, chosen: Sequence[int]) -> set[int]:
    """The chosen blocks in signatures. What names the author of a post or its date is none, whatever its class."""
    found: dict[int, list[int]] = {}
    for index in chosen:
        inside = [place for place in _path(view, index) if _is_signature(view.layout.elements[place])]
        if inside:
            found.setdefault(inside[-1], []).append(index)
    return {
        index
        for blocks in found.values()
        if not any(_tells_who(view, index) for index in blocks)
        for index in blocks
    }


def _is_signature(element: etree._Element) -> bool:
    names = f"{element.get('class') or ''} {element.get('data-role') or ''}"
    return any(_SIGNATURE.fullmatch(name) for name in names[:300].split())


def _tells_who(view: ClassifiedPage, index: int) -> bool:
    return bool(view.rows[index, _DATE]) or bool(view.layout.bits[int(view.origins[index])] & _AUTHOR)


def _quotes(view: ClassifiedPage, chosen: Sequence[int]) -> set[int]:
    """The chosen blocks in quotes that repeat what was chosen above, and the names over them."""
    above: set[tuple[str, ...]] = set()
    found: set[int] = set()
    before: list[int] = []
    for index in chosen:
        runs = _runs(view.blocks[index])
        if _in_quote(view, index) and runs and sum(run in above for run in runs) >= _LEAST_SHARE * len(runs):
            found |= {index, *before}
            before = []
            continue
        above.update(runs)
        before = [index] if _in_quote(view, index) and len(_words(view.blocks[index])) <= _NAME_WORDS else []
    return found


def _in_quote(view: ClassifiedPage, index: int) -> bool:
    return any(view.layout.bits[place] & _QUOTE for place in _path(view, index))


def _words(block: Block) -> list[str]:
    return _WORD.findall((block.text or " ".join(block.cells)).lower())


def _runs(block: Block) -> list[tuple[str, ...]]:
    words = _words(block)
    return (
        [tuple(words[start : start + _RUN]) for start in range(max(1, len(words) - _RUN + 1))]
        if words
        else []
    )


def _repeated_titles(blocks: Sequence[Block], chosen: Iterable[int]) -> Iterator[int]:
    """The chosen headings that say an earlier heading again, as the subject of an answer does."""
    seen: set[str] = set()
    taken = set(chosen)
    for index, block in enumerate(blocks):
        if block.kind != "heading":
            continue
        title = " ".join(_WORD.findall(_ANSWER.sub("", block.text, count=1).lower()))
        if title in seen and index in taken:
            yield index
        seen.add(title)
