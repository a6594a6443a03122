"""Finds what a quote stands under: the headings above it, and the term that its paragraph explains."""

import re
from collections.abc import Iterator
from itertools import takewhile
from typing import Final

from research_crawler.core.text.headings import heading_of, heading_path
from research_crawler.core.text.markdown_syntax import BLOCK_MARK, open_fence

_TERM_CHARS: Final = 80
"""A longer line is no term."""
_MOST_CHARS: Final = 200
"""Of a heading; what is longer is none."""
_MOST_TERMS: Final = 5
"""So many short lines in a row are the names of one thing (`-R`, `--write-recovery-conf`); more are a list."""
_OWN_CHARS: Final = _MOST_TERMS * (_TERM_CHARS + 1) + 1
"""So many characters hold the names of one thing, and show whether more lines follow."""
_ENDS: Final = (".", "!", "?", ":", ";", ",", "…", "。")
_SET_OFF: Final = (":", "|", "–", "—", "*", "_", "`")
"""What stands behind a name that a line begins with; without it, it is the beginning of a sentence."""
_OPTION: Final = re.compile(r"[`*]{0,2}-{1,2}[A-Za-z]")
_FURTHER: Final = 4
"""An option is explained in several paragraphs, another term in the one below it; more are seldom about one option."""


def heading_above(markdown: str, start: int) -> str:
    """The headings above a place, outermost first and joined by ` > `, with the term that stands above its paragraph.

    A manual names an option on a line of its own and explains it below, so that a quote of the explanation does not
    name it. A quote that begins with the name of an option stands under that one, and not under the one before it.

    Args:
        markdown: the page.
        start: where the quote begins.
    """
    path: list[tuple[int, str]] = []
    paragraphs: list[list[str]] = [[]]
    is_code = False
    for line, is_code in _lines(markdown[:start]):
        heading = None if is_code else heading_of(line)
        if heading:
            path = [above for above in path if above[0] < heading[0]] + [heading]
            paragraphs = [[]]
        elif line.strip() or is_code:
            paragraphs[-1].append(line)
        elif paragraphs[-1]:
            paragraphs.append([])
    begun = markdown.rfind("\n", 0, start) + 1
    names = [_bare(text) for _, text in path]
    own = "" if is_code or _bare(markdown[begun:start]) else _own_term(markdown[begun : begun + _OWN_CHARS])
    term = own or _label(markdown[begun:start]) or _term(paragraphs, is_inside=bool(paragraphs[-1]))
    return heading_path([*names, term])


def _lines(text: str) -> Iterator[tuple[str, bool]]:
    """The lines of a text, each with whether it is code."""
    fence = ""
    for line in text.split("\n"):
        was_open, fence = fence, open_fence(line, fence)
        yield line, bool(was_open or fence)


def _label(before: str) -> str:
    """What stands on the line before a quote, if that is a name: the first cell of a row, or `--soft: …`."""
    label = _bare(before)
    is_set_off = before.rstrip().endswith(_SET_OFF) and not any(f"{end} " in before for end in ".!?")
    return label if is_set_off and len(label) <= _TERM_CHARS else ""


def _own_term(text: str) -> str:
    """The option with which a text begins: as a line of its own, the first cell of a row, or before a colon.

    An option at the beginning of a sentence is only spoken of.
    """
    first, *others = text.split("\n")
    cells = first.strip().strip("|").split("|")
    before, colon, _ = first.partition(":")
    name = cells[0] if len(cells) > 1 else before if colon else ""
    if name:
        return bare if _OPTION.match(bare := _bare(name)) and len(bare) <= _TERM_CHARS else ""
    lines = [first, *takewhile(str.strip, others)]
    is_named = _OPTION.match(first.strip()) is not None and _is_term(lines)
    return ", ".join(map(_bare, lines)) if is_named else ""


def _term(paragraphs: list[list[str]], *, is_inside: bool) -> str:
    """The term above the last paragraph, which may begin before the quote."""
    above = paragraphs[:-1]
    # The paragraph of the quote itself may begin with the term on a line of its own.
    if is_inside and len(paragraphs[-1]) <= _MOST_TERMS and _is_term(paragraphs[-1]):
        above = paragraphs
    for passed, paragraph in enumerate(reversed(above[-_FURTHER:])):
        if _is_term(paragraph) and (not passed or _OPTION.match(paragraph[0].strip())):
            return ", ".join(_bare(line) for line in paragraph)
    return ""


def _is_term(paragraph: list[str]) -> bool:
    return 0 < len(paragraph) <= _MOST_TERMS and all(map(_may_be_term, paragraph))


def _may_be_term(line: str) -> bool:
    bare = line.strip()
    return (
        0 < len(bare) <= _TERM_CHARS and not BLOCK_MARK.match(line) and not bare.rstrip("*_`").endswith(_ENDS)
    )


def _bare(text: str) -> str:
    """A name without the marks of Markdown around it, and without those of a list or a row."""
    inner = text.strip().strip("|>•").strip()
    inner = inner.removeprefix("- ").removeprefix("* ").removeprefix("+ ").strip()
    name = inner.rstrip(" |:–—").strip("*_`").rstrip(" :").strip()
    return name[:_MOST_CHARS] if any(char.isalnum() for char in name) else ""
