"""Find the options of commands that a sentence names, and those of them that its source does not have."""

import re
from collections.abc import Collection, Iterable
from typing import Final

_OPTION: Final = re.compile(r"(?<![\w-])(?:--[A-Za-z][\w-]*|-[A-Za-z](?![\w-]))")


def options_in(text: str) -> set[str]:
    """The options of a text: `--soft`, `-R`."""
    return {match[0].rstrip("-") for match in _OPTION.finditer(text)}


def missing_options(
    text: str, sentences: Iterable[str], context: Iterable[str] = (), asked: Collection[str] = ()
) -> set[str]:
    """The options of a sentence that its source does not have.

    One that the reader asked about may stand for "this command" or "in this case", but not below the term of another
    option: that is a swap.

    Args:
        text: the sentence.
        sentences: of its source.
        context: the titles, headings and terms above them.
        asked: the options that the reader asked about.
    """
    own = options_in(text)
    if not own:
        return own
    named, above = (set[str]().union(*map(options_in, texts)) for texts in (sentences, context))
    is_swap = bool(above) and above.isdisjoint(own)
    return own - named - above - (frozenset() if is_swap else frozenset(asked))
