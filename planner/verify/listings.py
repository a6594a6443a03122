"""Find the commands and settings that a sentence shows below it in its quotes, as their pages have them."""

import re
from collections.abc import Iterator, Sequence
from textwrap import dedent
from typing import Final

MOST_LISTING: Final = 2_000
"""Longest listing that is shown."""
_TOKEN: Final = re.compile(r"[^\s`]++")
"""Marks of code are as good as spaces: a page has them around a command within a sentence."""
_FENCE: Final = ("```", "~~~")
_SENTENCE_MARKS: Final = ".,;:!?)"
_OPENING, _CLOSING = "\"'“‘„«(", "\"'”’“»"
"""What may stand around a command within a sentence."""


def listing_in(code: str, quotes: Sequence[str]) -> str:
    """The listing with the lines and indents that the quotes have; empty where a line of it stands in none of them.

    Args:
        code: what a model copied: a prompt shows quotes on one line, so its line breaks say nothing.
        quotes: of the sentence that it belongs to.
    """
    lines = listing_lines(code)
    if not lines or len(code) > MOST_LISTING:
        return ""
    if whole := _found("\n".join(lines), quotes):
        return whole
    found = [_found(line, quotes) for line in lines]
    return "\n".join(found) if all(found) else ""


def listing_lines(code: str) -> list[str]:
    """The lines of a listing that say something, without those of fences."""
    return [line for line in code.splitlines() if line.strip() and not line.strip().startswith(_FENCE)]


def _found(code: str, quotes: Sequence[str]) -> str:
    """The piece of a quote that has the tokens of the code, one behind the other."""
    wanted = _TOKEN.findall(code)
    pieces = (piece for quote in quotes for piece in _pieces_with(wanted, quote))
    # With more marks of code than the code itself, it is prose.
    return next((piece for piece in pieces if piece.count("`") <= code.count("`")), "")


def _pieces_with(wanted: Sequence[str], quote: str) -> Iterator[str]:
    """The pieces of a quote that have these tokens in a row, in order."""
    tokens = [token for token in _TOKEN.finditer(quote) if not _is_of_fence(quote, token.start())]
    for first in range(len(tokens) - len(wanted) + 1) if wanted else ():
        row = tokens[first : first + len(wanted)]
        around = _chars_around([token[0] for token in row], wanted)
        if around is not None:
            before, behind = around
            yield _piece(quote, row[0].start() + before, row[-1].end() - behind)


def _chars_around(texts: Sequence[str], wanted: Sequence[str]) -> tuple[int, int] | None:
    """How many characters of tokens stand before and behind the wanted ones: of the punctuation of a sentence, and of
    quotation marks around them; None if they are others.
    """
    has, asked = " ".join(texts), " ".join(wanted)
    before = has.startswith(tuple(_OPENING)) and not asked.startswith(has[0])
    behind = len(has) - before - len(asked)
    if behind < 0 or not has.startswith(asked, before):
        return None
    rest = has[len(has) - behind :]
    marks = rest.strip(_CLOSING) if before else rest
    return (int(before), behind) if len(marks) < 2 and marks in _SENTENCE_MARKS else None


def _piece(quote: str, start: int, end: int) -> str:
    """A piece of a quote with the indent of its first line, without lines of fences."""
    line = quote.rfind("\n", 0, start) + 1
    start = line if not quote[line:start].strip() else start
    lines = [line for line in quote[start:end].splitlines() if not line.strip().startswith(_FENCE)]
    return dedent("\n".join(lines)).strip("\n")


def _is_of_fence(quote: str, at: int) -> bool:
    """Whether a place stands on a line that opens or closes a listing."""
    return quote[quote.rfind("\n", 0, at) + 1 :].lstrip(" ").startswith(_FENCE)
