"""Texts for people that other languages can be made of: what is said, apart from the values in it."""

from typing import Any


class TranslatableText(str):
    """A text that knows its words and its values, so that an interface can say it in the language of its reader."""

    words: str
    values: dict[str, Any]

    def __new__(cls, words: str, values: dict[str, Any]) -> "TranslatableText":
        """The text in English."""
        made = super().__new__(cls, words % values)
        made.words, made.values = words, values
        return made


def translatable(words: str, **values: Any) -> TranslatableText:
    """A text in English, `%(name)s` standing for a value. Its words are looked up in the catalogues of interfaces."""
    return TranslatableText(words, values)
