"""Says a message of the catalogue again in another language: a job's record is written in the language of its goal,
and is read on pages in the language of the reader. Pure.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import product
from string import Formatter
from typing import Final

from research_crawler.text.writing.messages import REPORT_LANGUAGES, Messages, catalogue

_LEAST_LETTERS: Final = 10
"""A message with fewer letters of its own may as well be what somebody else wrote: "and", "used", "Trends"."""
_NEEDS: Final = ("what_is_good", "what_it_costs", "what_users_name", "any_finding")
"""Messages that stand in lists with what others say."""
_LETTER: Final = re.compile(r"[^\W\d_]")


@dataclass(frozen=True)
class _Form:
    """One of the forms that a message can have: its words, with a value between each two of them."""

    key: str
    words: tuple[str, ...]
    values: tuple[str, ...]
    counts: frozenset[str]
    """The values that are whole numbers."""


def reworded(text: str, language: str, value_words: Callable[[str], str] = str) -> str | None:
    """A text that `Messages` wrote in any language, in this one; None if it is none of its texts.

    Args:
        value_words: says the values of the text in the language; names and quotes stay as they are.
    """
    for form in _forms():
        values = _values_in(form, text)
        if values is not None:
            said: dict[str, str | int] = {
                name: int(value) if name in form.counts else value_words(value)
                for name, value in values.items()
            }
            return Messages(language)(form.key, **said)
    return None


def with_needs_reworded(text: str, language: str) -> str:
    """A list of what is missing, where what every purchase needs is said in this language."""
    for key in _NEEDS:
        for said in catalogue()[key].values():
            text = text.replace(said, catalogue()[key][language])
    return text


@cache
def _forms() -> tuple[_Form, ...]:
    """The forms of all messages, those with the most words first."""
    found = [
        form
        for key, texts in catalogue().items()
        for language in REPORT_LANGUAGES
        for form in _forms_of(key, texts[language])
        if _letters(form) >= _LEAST_LETTERS and all(form.words[1:-1])
    ]
    return tuple(sorted(dict.fromkeys(found), key=_letters, reverse=True))


def _letters(form: _Form) -> int:
    return sum(len(_LETTER.findall(words)) for words in form.words)


def _forms_of(key: str, template: str) -> list[_Form]:
    """The forms of a template: one for each choice among the words that its numbers ask for."""
    parts = [(before, name, spec or "") for before, name, spec, _ in Formatter().parse(template)]
    choices = [spec.split("|") if "|" in spec else [""] for _, _, spec in parts]
    forms = []
    for chosen in product(*choices):
        words, values = [""], []
        for (before, name, spec), form in zip(parts, chosen, strict=True):
            words[-1] += before + form
            if name and "|" not in spec:
                values.append(name)
                words.append("")
        forms.append(_Form(key, tuple(words), tuple(values), _counts_of(key)))
    return forms


@cache
def _values_of(key: str) -> frozenset[str]:
    """All values of a message."""
    parts = [part for template in catalogue()[key].values() for part in Formatter().parse(template)]
    return frozenset(name for _, name, _, _ in parts if name)


@cache
def _counts_of(key: str) -> frozenset[str]:
    """The values of a message that choose a word in any language."""
    parts = [part for template in catalogue()[key].values() for part in Formatter().parse(template)]
    return frozenset(name for _, name, spec, _ in parts if name and "|" in (spec or ""))


def _values_in(form: _Form, text: str) -> dict[str, str] | None:
    """The values that make this text of the form; None if none do."""
    first, *rest = form.words
    if not text.startswith(first) or (not rest and text != first):
        return None
    found, text = dict[str, str](), text.removeprefix(first)
    for place, (name, words) in enumerate(zip(form.values, rest, strict=True), start=1):
        if place == len(rest):
            value, is_there, text = text.removesuffix(words), text.endswith(words), ""
        else:
            value, between, text = text.partition(words)
            is_there = bool(between)
        is_number = value.isascii() and value.isdecimal() and len(value) < _LEAST_LETTERS
        is_known = found.setdefault(name, value) == value
        if not (is_there and is_known and (is_number or name not in form.counts)):
            return None
    return found if _values_of(form.key) <= found.keys() else None
