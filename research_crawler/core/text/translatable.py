"""Texts for people that other languages can be made of: what is said, apart from the values in it."""

from collections.abc import Iterable, Mapping
from pathlib import Path

Value = str | int | float | Path
"""What may stand in a text for people."""


class TranslatableText(str):
    """A text that knows its words and its values, so that an interface can say it in the language of its reader."""

    words: str
    values: Mapping[str, Value]

    def __new__(cls, words: str, values: Mapping[str, Value]) -> "TranslatableText":
        """The text in English."""
        made = super().__new__(cls, words % {name: _in_english(value) for name, value in values.items()})
        made.words, made.values = words, values
        return made


def translatable(words: str, **values: Value) -> TranslatableText:
    """A text in English, `%(name)s` standing for a value. Its words are looked up in the catalogues of interfaces."""
    return TranslatableText(words, values)


def joined(texts: Iterable[str], between: str = "; ") -> TranslatableText:
    """Texts in a row; each is said in the language of its reader if it knows its words."""
    values = {f"text_{n}": text for n, text in enumerate(text for text in texts if text)}
    return TranslatableText(between.join(f"%({name})s" for name in values), values)


def _in_english(value: Value) -> Value:
    """A number with its thousands apart, and at most one figure behind the point; all else as it is."""
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return f"{value:,.1f}" if isinstance(value, float) else value
