"""Lists of words that a text is looked through for, with endings left open and with words that belong together."""

from collections.abc import Collection, Iterator
from typing import Final, Self

from research_crawler.text.words import WORD

_ENDLESS: Final = "*"


class WordList:
    """Words, beginnings of words and phrases, to find in texts of any language of reports."""

    def __init__(
        self,
        words: Collection[str],
        beginnings: Collection[str],
        phrases: Collection[str],
        endings: Collection[str] = (),
    ) -> None:
        self._words = frozenset(words)
        self._beginnings, self._endings = tuple(beginnings), tuple(endings)
        self._phrases = tuple(f" {phrase} " for phrase in phrases)

    @classmethod
    def of(cls, text: str) -> Self:
        """Read a list with commas; a `*` leaves the ending of a word open, or its beginning."""
        entries = {" ".join(entry.split()) for entry in text.split(",")} - {""}
        phrases = {entry for entry in entries if " " in entry}
        open_ended = {entry for entry in entries - phrases if entry.endswith(_ENDLESS)}
        open_begun = {entry for entry in entries - phrases if entry.startswith(_ENDLESS)}
        return cls(
            entries - phrases - open_ended - open_begun,
            {entry.removesuffix(_ENDLESS) for entry in open_ended},
            phrases,
            {entry.removeprefix(_ENDLESS) for entry in open_begun},
        )

    def is_in(self, text: str) -> bool:
        """Whether a text has one of them."""
        return next(self.found(text), None) is not None

    def found(self, text: str) -> Iterator[str]:
        """Those that a text has, as it has them, in lower case."""
        words = [word.lower().replace("’", "'") for word in WORD.findall(text)]
        joined = f" {' '.join(words)} "
        yield from (phrase.strip() for phrase in self._phrases if phrase in joined)
        for word in words:
            if word in self._words or word.startswith(self._beginnings) or word.endswith(self._endings):
                yield word
