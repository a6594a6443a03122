"""Find the places of pages where a value may stand, each with what it is about: entry, heading, label, table header.

Manuals define a hundred settings in one list. A value that stands a line further belongs to another one, so where a
thing has an entry, its values are read from there and from no other list.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from research_crawler.core.models.web.pages import Passage, StoredPage
from research_crawler.core.text.markdown_syntax import row_cells
from research_crawler.core.web.urls import host_of
from research_crawler.text.languages.language import function_words
from research_crawler.text.languages.sentences import ITEM, QuotablePiece, quotable_pieces, without_markdown
from research_crawler.text.markdown_blocks.markdown_blocks import listings
from research_crawler.text.questions.question import be_words

MAX_READ_CHARS: Final = 200_000
"""Of a longer page, or entry, only the beginning is looked at."""
_LABEL_CHARS, _LABEL_WORDS = 60, 7
"""Longest label before a value, in characters and words."""
_TERM_WORDS: Final = 6
"""A line of more words, without brackets, is no term."""
_OPENING: Final = re.compile(
    r"^[ ]{0,3}(?P<marks>#{1,6})[ \t][^\n]*|(?:\A|\n[ \t]*+\n)(?P<term>[^\s|][^\n]*+)(?=\n[ \t]*+\n|\s*+\Z)",
    re.M,
)
"""A heading, or a line by itself that may be a term: `max_size (integer)`."""
_IN_BRACKETS: Final = re.compile(r"\(([\w ]{2,30}): ([^()]*+(?:\([^()]*+\)[^()]*+)?)\)\s*+$")
_HEAD_BRACKETS: Final = re.compile(r"\(([\w -]{2,30})\)\s*+$")
_GOES_ON: Final = re.compile(r"\W?\s+\w")
"""Words behind a name: "Include Variables"."""
_RULE_BELOW: Final = re.compile(r"[^\n]*\n[ \t]*\|(?=[^\n]*-)[-:| \t]*+(?:\n|\Z)")


@dataclass(frozen=True)
class ValuePlace:
    """A sentence, an item, a row or a cell of a page; the quote is `page.markdown[start:end]`."""

    page: StoredPage
    start: int
    end: int
    text: str
    """What a value is read from, without Markdown marks."""
    context: str = ""
    """What stands around it and says what it is about."""
    label: str = ""
    """The label before it, or the heads of its row and column: `Weight`."""
    is_pair: bool = False
    """Whether the label names what the value is, and no thing of several that a table compares."""
    is_entry: bool = False
    """Whether it stands in the entry that a list of definitions has about the subject."""
    is_head: bool = False
    """Whether it is what the head of that entry says in brackets behind the name: the `integer` of `size (integer)`."""
    is_opening: bool = False
    """Whether it is the first sentence below that head, which tells what the thing is or does."""
    is_about: bool = True
    """Whether it says something of the row's subject."""
    may_be_about: bool = False
    """Whether its page names the subject, and it says of no other thing what it says: nobody knows what it is about."""
    is_page_of_context: bool = True
    """Whether its page names what the row says beside the name: another program has a `Timeout` too."""
    other_shop: str = ""
    """The shop of its page, where the row names another one."""

    @property
    def markdown(self) -> str:
        """The quote as the page has it."""
        return self.page.page.markdown[self.start : self.end]

    @property
    def asked_text(self) -> str:
        """The text with its label and heading, as a question is compared with it."""
        return ": ".join(part for part in (self.context, self.label, self.text) if part)


def places_in_pages(pages: Sequence[StoredPage], name: str) -> list[ValuePlace]:
    """The places of pages where a value of the thing with this name may stand.

    Where a page has an entry of the thing, its values are read there, and on pages about the thing alone: one further
    off belongs to another thing. On these, headings are parts of it, and no entries of a list. An entry whose head is
    the name goes before those whose heads go on: "Include Directive" among directives before "Include Variables".
    """
    is_ordinary = is_ordinary_word(name, pages)
    about = [page for page in pages if is_page_about(page, name, is_ordinary=is_ordinary)]
    spans = [
        (page, span) for page in pages if page not in about for span in entry_spans(page.page.markdown, name)
    ]
    exact = [(page, span) for page, span in spans if span.is_exact]
    entries = [
        place
        for page, span in (exact if exact or is_ordinary else spans)
        for place in _entry_places(page, span.start, span.end)
    ]
    rest = [(page, value_places(page)) for page in (about if entries else pages)]
    openings = [_opening_of_page(page, places, name) if page in about else None for page, places in rest]
    return entries + [
        replace(place, is_opening=place is opening)
        for (_, places), opening in zip(rest, openings, strict=True)
        for place in places
    ]


def _opening_of_page(page: StoredPage, places: Sequence[ValuePlace], name: str) -> ValuePlace | None:
    """The first sentence of a page about a thing that says what it is: "Tarn 300 is a bicycle"."""
    be = be_words(page.page.language)
    for place in places:
        found = whole_in(name, place.text)
        is_row = place.markdown.startswith("|")
        if found and not is_row and len(place.text[: found.start()].split()) <= 1:
            return place if be.intersection(place.text[found.end() :].lower().split()) else None
    return None


def is_ordinary_word(name: str, pages: Sequence[StoredPage]) -> bool:
    """Whether a name is a word that pages use without meaning the thing: one that they write in small letters too.

    A sentence with such a word is no sentence about the thing: "the files are read", of the directive `Files`.
    """
    small = name.lower()
    if not name.isalpha() or name[1:] != small[1:]:  # `pack.window` and `SetEnvIf` have a form of their own
        return False
    pattern = re.compile(rf"(?<![\w.-]){small}(?![\w-]|\.\w)")
    return any(pattern.search(page.page.markdown, 0, MAX_READ_CHARS) for page in pages)


def is_page_about(page: StoredPage, name: str, *, is_ordinary: bool) -> bool:
    """Whether a page's title names a thing; one that is an ordinary word must begin it, or name the page's host."""
    title = page.page.title
    if is_ordinary:
        return begins_entry(title, name) or name.lower() in host_of(page.url).split(".")
    return whole_in(name, title) is not None


def whole_in(name: str, text: str) -> re.Match[str] | None:
    """Where a text has a name as a word of its own: `max_size` is not in `max_size_mb` or `max_size.<part>`."""
    return _name_pattern(name).search(text)


@lru_cache(maxsize=256)
def _name_pattern(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.-]){re.escape(' '.join(name.split()))}(?![\w-]|\.[\w<{{])", re.I)


class EntrySpan(NamedTuple):
    """Where an entry of a page stands."""

    start: int
    end: int
    is_exact: bool
    """Whether its head is the name alone, with a sign behind it or with the words in which other heads end too."""


def entry_spans(markdown: str, name: str) -> Sequence[EntrySpan]:
    """The entries that a page has about a name: a heading with its section, a term with its definition; none where the
    page defines no list of things.
    """
    if not whole_in(name, markdown):
        return ()
    text = _without_listings(markdown)
    openings = [
        (found.start("term" if found["term"] else 0), len(found["marks"] or "#######"), found[0])
        for found in _OPENING.finditer(text)
        if found["marks"] or _is_term(found["term"])
    ]
    levels = [level for _, level, _ in openings]
    heads = [without_markdown(line.strip()) for _, _, line in openings]
    return [
        EntrySpan(
            start,
            next((at for at, other, _ in openings[n + 1 :] if other <= level), len(markdown)),
            _is_whole_head(heads[n], name, [*heads[:n], *heads[n + 1 :]]),
        )
        for n, (start, level, _) in enumerate(openings)
        if levels.count(level) > 1 and begins_entry(heads[n], name)
    ]


def _is_whole_head(head: str, name: str, others: Sequence[str]) -> bool:
    """Whether a head that begins with a name ends there, but for a sign, or words in which other heads end."""
    found = whole_in(name, head)
    behind = head[found.end() :].rstrip() if found else ""
    return not _GOES_ON.match(behind) or any(other.endswith(behind) for other in others)


def _without_listings(markdown: str) -> str:
    """The text with spaces for its listings, so that what follows keeps its place."""
    parts, at = list[str](), 0
    for start, end in listings(markdown):
        parts += [markdown[at:start], " " * (end - start)]
        at = end
    return "".join([*parts, markdown[at:]])


def _is_term(line: str) -> bool:
    is_part = ITEM.match(line) or line.rstrip()[-1] in ".!?;:,"
    return not is_part and len(line.partition("(")[0].split()) <= _TERM_WORDS


def begins_entry(opening: str, name: str) -> bool:
    """Whether a heading or term begins with the name, or has it among several."""
    found = whole_in(name, opening)
    before = opening[: found.start()] if found else opening
    return found is not None and (not before.strip(" \"'`<$-0123456789.") or "," in before)


def _entry_places(page: StoredPage, start: int, end: int) -> Iterator[ValuePlace]:
    """The places of an entry, the values in the brackets of its term among them: `relayhost (default: empty)`."""
    line = page.page.markdown[start:end].partition("\n")[0]
    if head := _HEAD_BRACKETS.search(without_markdown(line)):
        yield ValuePlace(
            page, start, start + len(line), head[1], without_markdown(line), is_entry=True, is_head=True
        )
    below = value_places(page, start + len(line), end, without_markdown(line))
    opening = next((place for place in below if not place.markdown.startswith("|")), None)
    for place in below:
        yield replace(place, is_entry=True, is_opening=place is opening)
    for label, value in _IN_BRACKETS.findall(line):
        stop = start + len(line)
        yield ValuePlace(
            page, start, stop, value.strip(), without_markdown(line), label.strip(), True, is_entry=True
        )


def value_places(
    page: StoredPage, start: int = 0, end: int = MAX_READ_CHARS, heading: str = ""
) -> list[ValuePlace]:
    """All places of a page, or of a part of it below a heading, where a value may stand, in order."""
    markdown = page.page.markdown
    end = min(end, start + MAX_READ_CHARS)
    found, header, block = list[ValuePlace](), list[str](), -1
    for piece in quotable_pieces(
        markdown, [Passage(start=start, end=end, text="", tokens=0, heading=heading)]
    ):
        if piece.form == "row":
            cells, is_first = _cells(markdown[piece.start : piece.end]), piece.block != block
            if is_first:  # two cells are a label and its value
                is_header = len(cells) > 2 and _RULE_BELOW.match(markdown, piece.end)
                header = cells if is_header else []
            found += _of_row(page, piece, cells, [] if is_first else header)
        else:
            label = _label(piece.text)
            place = ValuePlace(page, piece.start, piece.end, piece.text, piece.heading, label, bool(label))
            found.append(place)
        block = piece.block
    return sorted([*found, *_labelled(markdown, found)], key=lambda place: (place.start, place.end))


def _labelled(markdown: str, places: Sequence[ValuePlace]) -> Iterator[ValuePlace]:
    """Values below a line that names them, as lists of terms have it: "Designer", and below it "Jane Doe".

    A line that begins with a function word is a statement ("In stock"), and one with a label of its own a pair.
    """
    for above, place in pairwise(places):
        between, label = markdown[above.end : place.start], above.text.rstrip(" :")
        is_below = "\n" in between and not between.strip("\n -*•")
        is_name = 2 <= len(label) <= _LABEL_CHARS and len(label.split()) <= _LABEL_WORDS
        is_row = above.markdown.startswith("|") or place.markdown.startswith("|")
        is_pair = bool(above.label or place.label) or is_row
        is_said = label.split()[0].lower() in function_words() if label else True
        if is_below and is_name and not (is_pair or is_said or label[-1] in ".!?;,"):
            yield replace(place, start=above.start, context=above.context, label=label, is_pair=True)


def _of_row(
    page: StoredPage, piece: QuotablePiece, cells: Sequence[str], header: Sequence[str]
) -> Iterator[ValuePlace]:
    """The cells of a row, each with the heads of its row and column; a pair is a label and its value."""
    place = ValuePlace(page, piece.start, piece.end, piece.text, piece.heading)
    if len(cells) < 2:
        yield place
    for n, cell in enumerate(cells[1:], 1):
        head = header[n] if n < len(header) else ""
        label = ": ".join(part for part in (cells[0].rstrip(" :"), head) if part)
        if cell:
            yield replace(place, text=cell, label=label, is_pair=len(cells) == 2)


def _cells(row: str) -> list[str]:
    return [without_markdown(cell.replace("\\|", "|")) for cell in row_cells(row)]


def _label(text: str) -> str:
    """The label of an item such as "Weight: 3 kg"; "" for a sentence."""
    label, mark, rest = text.partition(":")
    is_short = len(label) <= _LABEL_CHARS and len(label.split()) <= _LABEL_WORDS
    return label.strip() if mark and rest.strip() and is_short else ""
