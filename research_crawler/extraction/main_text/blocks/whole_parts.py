"""Keeps together what only means something together: the rows of a table, a term and its explanation, headings.

Blocks are rated one by one, so a league table could keep its places 1, 7 and 16. That is worse than nothing: a reader
cannot see what is missing. Tables of data in the content stay whatever their rates: of 120 pages of Wikipedia with a
table, 55 had lost it. F1 of the seven kinds stays as it was, and so do must-not snippets.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from lxml import etree

from research_crawler.extraction.html.blocks import Block

_LEAST_TABLE_SHARE = 0.5
"""A table beside the content of a page, a list of threads or a calendar is kept if at least this share of its words
was chosen."""
_LEAST_ROWS, _DAY_CHARS = 2, 3
"""Fewest rows of a table that says something, and longest cell of a calendar."""
_MOST_ROWS = 50
"""How many rows that share a cell are compared with a row of another reading."""
_TERM_WORDS = 8
"""Most words of a term that an explanation follows."""
_REACH = 4
"""How many elements above a text its entry may be."""
_ENTRIES = {"dt", "dd"}
_SURROUNDINGS = {"nav", "footer", "header", "aside", "form"}
_SURROUNDING_ROLES = {"navigation", "banner", "contentinfo", "complementary"}


def is_around(block: Block) -> bool:
    """Whether a block is in an element that surrounds the content of a page."""
    return block.origin is not None and any(
        node.tag in _SURROUNDINGS or node.get("role") in _SURROUNDING_ROLES
        for node in (block.origin, *block.origin.iterancestors())
    )


def keep_whole(
    blocks: Sequence[Block], chosen: Sequence[Block], *, barred: Collection[int] = (), thread: bool = False
) -> list[Block]:
    """The chosen blocks with complete sections, their terms, whole tables, and all tables of data.

    Args:
        blocks: all blocks of the page, in order.
        chosen: the chosen ones, in order. Those that are not among `blocks` come from another reading of the
            page, and stay as they are unless they are rows of a table of `blocks`.
        barred: the places in `blocks` of texts that are no term: buttons and other interface.
        thread: whether the page is a thread. Its tables are lists of other threads.
    """
    places = {id(block): place for place, block in enumerate(blocks)}
    taken = {places[id(block)] for block in chosen if id(block) in places}
    added = set() if thread else _data_tables(blocks, taken)
    added |= _terms(blocks, taken) - set(barred)
    added |= _outer_headings(blocks, taken | added)
    ordered = _merged(blocks, chosen, sorted(added), places) if added else list(chosen)
    return list(_whole_tables(blocks, ordered, places))


def _data_tables(blocks: Sequence[Block], taken: set[int]) -> set[int]:
    """The rows of tables of data that were not chosen, and the headings above these tables."""
    rows: defaultdict[int, list[int]] = defaultdict(list)
    for place, block in enumerate(blocks):
        if block.table is not None:
            rows[id(block.table)].append(place)
    found: set[int] = set()
    for places in rows.values():
        if _says_something([blocks[place] for place in places]):
            found.update(places)
            if places[0] and blocks[places[0] - 1].kind == "heading":
                found.add(places[0] - 1)
    return found - taken


def _says_something(rows: Sequence[Block]) -> bool:
    """Whether a table stands in the content of a page, and most of its rows have more than numbers of two digits.

    The rows of a calendar have not.
    """
    long = sum(any(len(cell) > _DAY_CHARS for cell in (row.text, *row.cells)) for row in rows)
    return len(rows) >= _LEAST_ROWS and 2 * long > len(rows) and not is_around(rows[0])


def _merged(
    blocks: Sequence[Block], chosen: Sequence[Block], added: Sequence[int], places: Mapping[int, int]
) -> list[Block]:
    """The chosen blocks with the added ones in their places."""
    merged: list[Block] = []
    waiting = list(reversed(added))
    for block in chosen:
        place = places.get(id(block))
        while place is not None and waiting and waiting[-1] < place:
            merged.append(blocks[waiting.pop()])
        merged.append(block)
    return merged + [blocks[place] for place in reversed(waiting)]


def _outer_headings(blocks: Sequence[Block], taken: set[int]) -> set[int]:
    """The headings directly above chosen headings of their subsections."""
    found: set[int] = set()
    for place in sorted(taken, reverse=True):
        here = place
        while (
            here
            and blocks[here].kind == blocks[here - 1].kind == "heading"
            and blocks[here - 1].level < blocks[here].level
            and here - 1 not in taken
        ):
            here -= 1
            found.add(here)
    return found


def _terms(blocks: Sequence[Block], taken: set[int]) -> set[int]:
    """The terms of chosen explanations, however long these are: without it, "this level is slower" is about nothing."""
    found: set[int] = set()
    for place in sorted(taken):
        if not place or place - 1 in taken or not _is_in(blocks[place], "dd"):
            continue
        here = place - 1
        while here >= 0 and here not in taken and _is_in(blocks[here], "dt"):
            found.add(here)
            here -= 1
    return found


def _is_in(block: Block, entry: str) -> bool:
    """Whether a block is in an entry of this kind, and of a term not a long text."""
    if block.origin is None or block.table is not None or _entry(_above(block.origin)) != entry:
        return False
    return entry == "dd" or len(block.text.split()) <= _TERM_WORDS


def _above(element: etree._Element) -> list[etree._Element]:
    found = [element]
    for parent in element.iterancestors():
        found.append(parent)
        if len(found) > _REACH:
            break
    return found


def _entry(path: Iterable[etree._Element]) -> str:
    return next((str(element.tag) for element in path if element.tag in _ENTRIES), "")


def _whole_tables(
    blocks: Sequence[Block], chosen: Sequence[Block], places: Mapping[int, int]
) -> Iterator[Block]:
    """The chosen blocks, with all rows of the tables of which most was chosen and none of the others."""
    members: defaultdict[int, list[Block]] = defaultdict(list)
    for block in blocks:
        if block.table is not None:
            members[id(block.table)].append(block)
    if not members:
        yield from chosen
        return
    owners = _own_rows(blocks, chosen, places)
    found: defaultdict[int, set[int]] = defaultdict(set)
    words: Counter[int] = Counter()
    for row in owners.values():
        if id(row) not in found[id(row.table)]:
            found[id(row.table)].add(id(row))
            words[id(row.table)] += _words(row)
    kept = {
        table
        for table, count in words.items()
        if count >= _LEAST_TABLE_SHARE * sum(map(_words, members[table]))
    }
    for block in chosen:
        own = owners.get(id(block))
        if own is None:
            yield block
        elif id(own.table) in kept:
            yield from members.pop(id(own.table), [])


def _own_rows(
    blocks: Sequence[Block], chosen: Sequence[Block], places: Mapping[int, int]
) -> dict[int, Block]:
    """By id: the row among `blocks` that a chosen block is, or is another reading of."""
    owners = {id(block): block for block in chosen if block.table is not None and id(block) in places}
    others = [
        block for block in chosen if id(block) not in places and (block.cells or block.table is not None)
    ]
    rows_by_cell = _rows_by_cell(blocks) if others else {}
    for other in others:
        if (row := _same_row(other, rows_by_cell)) is not None:
            owners[id(other)] = row
    return owners


def _rows_by_cell(blocks: Sequence[Block]) -> Mapping[str, Sequence[Block]]:
    """The rows of all tables that have a cell with this text."""
    rows: defaultdict[str, list[Block]] = defaultdict(list)
    for block in blocks:
        if block.table is not None:
            for cell in {*block.cells, block.text}:
                rows[_key(cell)].append(block)
    return rows


def _same_row(other: Block, rows_by_cell: Mapping[str, Sequence[Block]]) -> Block | None:
    """The row that has all cells of a row of another reading; it is looked for by the cell that fewest rows have."""
    cells = _cell_keys(other) - {""}
    rarest = min((rows_by_cell.get(key, ()) for key in cells), key=len, default=())
    return next((row for row in rarest[:_MOST_ROWS] if cells <= _cell_keys(row)), None)


def _cell_keys(row: Block) -> set[str]:
    return {_key(cell) for cell in (*row.cells, row.text)}


def _key(text: str) -> str:
    return "".join(filter(str.isalnum, text.lower()))


def _words(block: Block) -> int:
    return max(1, len((block.text or " ".join(block.cells)).split()))
