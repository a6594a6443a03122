"""Find the commands and settings that a sentence shows below it in its quotes, as their pages have them."""

import re
from collections.abc import Sequence
from textwrap import dedent
from typing import Final

MOST_LISTING: Final = 2_000
"""Longest listing that is shown."""
_TOKEN: Final = re.compile(r"[^\s`]++")
"""Marks of code are as good as spaces: a page has them around a command within a sentence."""
_FENCE: Final = ("```", "~~~")
_SENTENCE_MARKS: Final = ".,;:!?)"


def listing_in(code: str, quotes: Sequence[str]) -> str:
    """The listing with the lines and indents that the quotes have; empty where a line of it stands in none of them.

    Args:
        code: what a model copied: a prompt shows quotes on one line, so its line breaks say nothing.
        quotes: of the sentence that it belongs to.
    """
    lines = [line for line in code.splitlines() if line.strip() and not line.strip().startswith(_FENCE)]
    if not lines or len(code) > MOST_LISTING:
        return ""
    if whole := _found("\n".join(lines), quotes):
        return whole
    found = [_found(line, quotes) for line in lines]
    return "\n".join(found) if all(found) else ""


def _found(code: str, quotes: Sequence[str]) -> str:
    """The piece of a quote that has the tokens of the code, one behind the other."""
    wanted = _TOKEN.findall(code)
    for quote in quotes:
        tokens = [token for token in _TOKEN.finditer(quote) if not _is_of_fence(quote, token.start())]
        texts = [token[0] for token in tokens]
        for at in range(len(texts) - len(wanted) + 1):
            if wanted and _begins_with(texts[at : at + len(wanted)], wanted):
                last = tokens[at + len(wanted) - 1]
                piece = _piece(quote, tokens[at].start(), last.start() + len(wanted[-1]))
                if piece.count("`") <= code.count("`"):  # else it is prose with marks of code in it
                    return piece
    return ""


def _begins_with(texts: Sequence[str], wanted: Sequence[str]) -> bool:
    """Whether tokens are the wanted ones; behind the last one may be the punctuation of a sentence."""
    *first, last = wanted
    return texts[:-1] == first and texts[-1] in (last, *(last + mark for mark in _SENTENCE_MARKS))


def _piece(quote: str, start: int, end: int) -> str:
    """A piece of a quote with the indent of its first line, without lines of fences."""
    line = quote.rfind("\n", 0, start) + 1
    start = line if not quote[line:start].strip() else start
    lines = [line for line in quote[start:end].splitlines() if not line.strip().startswith(_FENCE)]
    return dedent("\n".join(lines)).strip("\n")


def _is_of_fence(quote: str, at: int) -> bool:
    """Whether a place stands on a line that opens or closes a listing."""
    return quote[quote.rfind("\n", 0, at) + 1 :].lstrip(" ").startswith(_FENCE)
