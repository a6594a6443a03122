"""Writes blocks as Markdown and as plain text.

The Markdown has no emphasis, inline code or link targets, and nothing is escaped: a slice of it has the same
words as the page.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Final

from research_crawler.extraction.html.blocks import Block

_FENCE = re.compile(r"^`{3,}", re.M)
MAX_NAME_CHARS, MAX_VALUE_CHARS = 60, 100
"""Longest name and longest value of a property that stand on one line. What is longer defines a term or tells of it."""
_DESCRIPTION: Final = ("dt", "dd")


def to_markdown(blocks: Sequence[Block]) -> str:
    """Write headings, lists, tables, quotes and code as Markdown, and everything else as plain paragraphs."""
    written = list(_with_properties(blocks))
    return _join(written, list(_marked(written)))


def to_text(blocks: Sequence[Block]) -> str:
    """Write the blocks without any marks; tabs separate the cells of a table."""
    texts = ["\t".join(block.cells).rstrip("\t") if block.kind == "row" else block.text for block in blocks]
    return _join(blocks, texts)


def _with_properties(blocks: Sequence[Block]) -> Iterator[Block]:
    """The blocks, each short name of a description list with its only value as one item: `Weight: 2.3 kg`.

    Apart from its name, a value says nothing to whoever quotes it.
    """
    place = 0
    while place < len(blocks):
        name, *behind = blocks[place : place + 3]
        tags = [_tag(one) for one in (name, *behind)]
        if tags[:2] == ["dt", "dd"] and "dd" not in tags[2:] and _is_property(name, behind[0]):
            between = " " if name.text.endswith((":", "：")) else ": "
            yield replace(name, kind="item", text=f"{name.text}{between}{behind[0].text}")
            place += 2
        else:
            yield name
            place += 1


def _tag(block: Block) -> str:
    """`dt` or `dd` for a block that is all the text of such an element or begins it, else empty."""
    tag = block.origin.tag if block.origin is not None and block.kind == "paragraph" else ""
    return tag if isinstance(tag, str) and tag in _DESCRIPTION else ""


def _is_property(name: Block, value: Block) -> bool:
    is_short = len(name.text) <= MAX_NAME_CHARS and len(value.text) <= MAX_VALUE_CHARS
    return is_short and "\n" not in name.text + value.text


def _marked(blocks: Sequence[Block]) -> Iterator[str]:
    for (kind, _), group in groupby(blocks, key=_run):
        members = list(group)
        if kind == "item":
            yield from _items(members)
        elif kind == "row":
            yield from _rows(members)
        else:
            yield from map(_mark, members)


def _run(block: Block) -> tuple[str, int]:
    """What neighbouring blocks have in common that form one list or one table."""
    return block.kind, id(block.table) if block.kind == "row" else 0


def _items(items: Sequence[Block]) -> Iterator[str]:
    """The items of one list, each as far in as the text of the item that it belongs to (CommonMark).

    Levels of which no item is shown do not count: four spaces would make code of an item.
    """
    above: list[tuple[int, int]] = []
    for item in items:
        while above and above[-1][0] >= item.level:
            above.pop()
        mark = f"{item.number}." if item.number else "-"
        indent = above[-1][1] if above else 0
        above.append((item.level, indent + len(mark) + 1))
        yield f"{' ' * indent}{mark} {item.text}"


def _rows(rows: Sequence[Block]) -> Iterator[str]:
    """The rows of one table, all with the same number of cells: what is beyond the first row's is not shown."""
    width = max(len(row.cells) for row in rows)
    for place, row in enumerate(rows):
        cells = [cell.replace("|", "\\|") for cell in row.cells] + [""] * (width - len(row.cells))
        line = f"| {' | '.join(cells)} |"
        yield f"{line}\n|{' --- |' * width}" if place == 0 else line


def _mark(block: Block) -> str:
    text = block.text
    match block.kind:
        case "heading":
            return f"{'#' * block.level} {text}"
        case "quote":
            return "> " + text.replace("\n", "\n> ")
        case "code":
            fence = "`" * max(3, *(len(mark) + 1 for mark in _FENCE.findall(text)), 3)
            return f"{fence}\n{text}\n{fence}"
    return text


def _join(blocks: Sequence[Block], texts: Sequence[str]) -> str:
    pieces: list[str] = []
    for place, text in enumerate(texts):
        if place:
            kind, run = blocks[place].kind, _run(blocks[place])
            joined = kind in ("item", "row") and run == _run(blocks[place - 1])
            pieces.append("\n" if joined else "\n\n")
        pieces.append(text)
    return "".join(pieces)
