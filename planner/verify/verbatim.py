"""A sentence that is copied whole from its quote says what the quote says: it needs no reader."""

from collections.abc import Sequence
from itertools import accumulate
from typing import Final

_SAME_SIGNS: Final = str.maketrans(
    {"’": "'", "‘": "'", "“": '"', "”": '"', "„": '"', "\u00a0": " ", "\u202f": " "}
)
_ENDS: Final = ".!…"


def is_whole_sentence(text: str, sentences: Sequence[str]) -> bool:
    """Whether a statement is one sentence of its source, or several in a row, sign for sign.

    Only the forms of quotation marks, white space, the mark at the end and the case of the first letter may differ:
    a clause alone may leave out what denies or limits it ("Nobody believes that …"), and another currency, sign or
    unit is another fact. A question states nothing.
    """
    wording = _plain(text)
    source = [_plain(sentence) for sentence in sentences]
    lengths = [0, *accumulate(map(len, source))]
    for first in range(len(source)):
        for last in range(first, len(source)):
            if lengths[last + 1] - lengths[first] > len(wording) + 1:
                break
            if _alike(wording, " ".join(source[first : last + 1])):
                return not any(sentence.endswith("?") for sentence in source[first : last + 1])
    return False


def _plain(text: str) -> str:
    return " ".join(text.translate(_SAME_SIGNS).split())


def _alike(first: str, second: str) -> bool:
    mine, theirs = first.rstrip(_ENDS), second.rstrip(_ENDS)
    return bool(mine) and mine[1:] == theirs[1:] and mine[:1].casefold() == theirs[:1].casefold()
