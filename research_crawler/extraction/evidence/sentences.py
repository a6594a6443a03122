"""Splits text into sentences, in any language that marks their ends."""

import re

from research_crawler.core.text.abbreviations import ABBREVIATIONS

_END = re.compile(
    r"""(?<![.!?…])[.!?…]++[\"'”’»)\]*_]*+(?=\s++[\"'“‘«„(\[*_¿¡-]*+[^\W_])"""  # followed by a new word
    r"""|[。！？｡؟।]++[」』”’）)]*+"""  # scripts that need no space after it
    r"""|\n[^\S\n]*+\n"""
)
_NO_END = re.compile(
    rf"(?:\b(?:{ABBREVIATIONS})"
    r"|(?:^|[\s(])[^\W\d_]"  # an initial
    r"|\b[^\W\d_]\.[^\W\d_]"  # U.S, i.e
    r"|(?:^|[\s(])\d{1,2}"  # 3. Mai, an item's number
    r")\.$",
    re.I,
)
_LOOK_BACK = 24


def split_sentences(text: str) -> list[tuple[int, int]]:
    """The (start, end) offsets of the sentences of a text, in order. They leave out only white space.

    A full stop ends a sentence if the next word is not in lower case, and if the stop does not belong to an
    abbreviation, an initial or a number. Words, numbers and URLs are never split.
    """
    spans: list[tuple[int, int]] = []
    start = 0
    for match in _END.finditer(text):
        end = match.end()
        if _is_end(text, match):
            _add(spans, text, start, end)
            start = end
    _add(spans, text, start, len(text))
    return spans


def _is_end(text: str, match: re.Match[str]) -> bool:
    mark = match[0][0]
    if mark not in ".!?…":
        return True
    following = text[match.end() : match.end() + 40].lstrip(" \t\n\"'“‘«„([*_¿¡-")
    if following[:1].islower():
        return False
    before = text[max(0, match.start() - _LOOK_BACK) : match.start() + 1]
    return mark != "." or match[0].startswith("..") or _NO_END.search(before) is None


def _add(spans: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    right = len(piece.rstrip())
    if right > left:
        spans.append((start + left, start + right))
