"""What the project knows of a language: its stemmer, function words, negations, months and where its sentences end.

Each language is a file of `data/`. A code without one gives a language without word lists, whose words are their own
stems.
"""

import re
import threading
import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from typing import Any, Final

LANGUAGES: Final = ("en", "de", "fr", "es", "it", "nl", "pt", "pl")
"""The languages with a file in `data/`."""

_WORD: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_END: Final = re.compile(
    r"(?<![.!?…])[.!?…]++[\"'”“’»)\]*_]*+(?=\s++(?:[^\w\s]{1,4}\s?|_{1,3}){0,3}([^\W_]+))"  # followed by a word
    r"|[。！？｡؟।]++[」』”’）)]*+"  # scripts that need no space after it
    r"|\n[^\S\n]*+\n"
)
"""A possible end of a sentence, with the word that follows."""
_LAST_TOKEN: Final = re.compile(r"(?<![^\s(\[\"'“‘„«*])[^\s(\[\"'“‘„«*]*+\Z")
_LONGEST_WORD: Final = 100
"""What is longer is no word of a language, and has no stem; German compounds have up to 80 letters."""
_LOOK_BACK: Final = 24
"""An abbreviation has fewer characters than this."""
_DOTTED: Final = re.compile(r"[^\W\d_]{1,2}(?:\.[^\W\d_]{1,2})+")
"""`e.g`, `U.S`, `z.B`: abbreviations by their form."""
_ROMAN: Final = re.compile(r"[IVX]{1,5}")
_ORDINAL: Final = re.compile(r"\d{1,3}")
_HEADING_NUMBER: Final = re.compile(r"(?:[^\W\d_]{3,}\s)?(?:\d{1,3}|[A-Z])(?:\.\d{1,3})*")
"""Numbers an item, a section or a figure where a text begins with it: "4.3.1. Files", "Figure 2. Roads"."""
_SECTION: Final = re.compile(r"[A-Z](?:\.\d{1,2})+")
"""Numbers a section of an appendix wherever it stands: "B.5.1"."""
_OPEN_LIST: Final = re.compile(r"(?:^|,\s?|[\"“„«(\[]\s?)\Z")
"""Behind these, an ellipsis begins or continues what is said: "iPhoto, Picasa, ..."."""
_COUNTED: Final = re.compile(r"\d\W{0,3}[^\W\d_]{1,3}\Z")
_UNITS: Final = frozenset("ghlmst")
"""Units of one letter, behind a number."""
_CLOSING: Final = ')]"”’»'
_WORD_CHARS: Final = 4
"""Abbreviations that no list has are shorter."""
_TELLING: Final = 2
"""So many function words show a language."""
_DETECTED_CHARS: Final = 5_000
"""So much of a text shows its language."""
_DECIMAL_POINT: Final = frozenset({"zh", "ja", "ko", "th", "he", ""})
"""Languages without a file that write 1,200 for one thousand two hundred."""


class Language:
    """One language: its code and what its file says."""

    def __init__(self, code: str, data: Mapping[str, Any]) -> None:
        """Take a language's data; `language_of` reads it."""
        self.code = code
        self.data = data
        self.stop_words = _word_set(data, "stop_words")
        self.negations = _word_set(data, "negations")
        self.asking = _word_set(data, "asking")
        """Words that ask rather than name a subject: they are left out of queries."""
        self.back_referring_words = _word_set(data, "back_referring_words")
        """First words of a sentence that a reader understands only together with the one before it."""
        self.titles = _word_set(data, "titles")
        """What stands before the name of a person and is no part of it."""
        self.has_capital_nouns = bool(data.get("capital_nouns"))
        self.has_capital_months = bool(data.get("capital_months"))
        self.decimal = str(data.get("decimal", "." if code in _DECIMAL_POINT else ","))
        self.months: Mapping[str, int] = {
            name: number for number, names in enumerate(data.get("months", ()), 1) for name in names.split()
        }
        self._before_numbers = _word_set(data, "abbreviations_before_numbers") | self.short_months
        """Abbreviations that are other words too: only a number shows them (`No. 5`, `Mar. 9`)."""
        self._endings = tuple(data.get("abbreviation_endings", "").split())
        self.abbreviations = _word_set(data, "abbreviations") | self.titles | self._before_numbers

    def stem(self, word: str) -> str:
        """The stem of a lower-case word by Snowball's rules for the language."""
        return _stem(self.data.get("stemmer", ""), word)

    def sentence_spans(self, text: str) -> list[tuple[int, int]]:
        """Start and end of each sentence of a paragraph, without the white space between them."""
        ends = [match.end() for match in _END.finditer(text) if self._ends(text, match)]
        spans = zip([0, *ends], [*ends, len(text)], strict=True)
        return [
            (start + len(part) - len(part.lstrip()), start + len(part.rstrip()))
            for start, end in spans
            if (part := text[start:end]).strip()
        ]

    def _ends(self, text: str, match: re.Match[str]) -> bool:
        """Whether a sentence ends at these marks."""
        following = match[1]
        if following is None:
            return True
        before = text[max(0, match.start() - _LOOK_BACK) : match.start()]
        token = _LAST_TOKEN.findall(before)[0]
        if not match[0].startswith(".") or match[0].startswith(".."):
            is_asked = match[0] == "?" and bool(token)  # "The ? operator" and "“Why?” he said" go on
            return is_asked or not (following[0].islower() or _OPEN_LIST.search(before))
        if following[0].islower():
            # "jQuery is …" may begin a sentence, but not behind an abbreviation that the list lacks.
            word = token.rstrip(_CLOSING)
            is_word = len(word) >= _WORD_CHARS and word.replace("-", "").isalpha() and not word.isupper()
            return is_word and len(match[0]) == 1 and word.lower() not in self.abbreviations
        if match.start() <= _LOOK_BACK and _HEADING_NUMBER.fullmatch(before.strip()):
            return False
        if not self._may_go_on(token, before, following):
            return True
        if token.lower() in self.titles and not _COUNTED.search(before):  # "60 ms." is no lady
            return False
        return following[0].isupper() and following.lower() in self.stop_words

    def _may_go_on(self, token: str, before: str, following: str) -> bool:
        """Whether a full stop behind this token can stand within a sentence: an abbreviation, initial or ordinal."""
        low = token.lower()
        if low in self._before_numbers:
            return following[0].isdigit() or _ROMAN.fullmatch(following) is not None
        if len(token) == 1 and token.isalpha():
            return token not in _UNITS or not _COUNTED.search(before)
        if low in self.abbreviations or _DOTTED.fullmatch(low) or low.endswith(self._endings):
            return True
        if _SECTION.fullmatch(token):
            return True
        if not self.data.get("ordinal_dot"):
            return False
        if _ORDINAL.fullmatch(token):  # "am 3. Mai", and not "auf Gleis 3. Mai"
            words = before[: -len(token)].split()
            return (
                not words
                or words[-1].lower() in self.stop_words
                or _ORDINAL.fullmatch(words[-1][:-1]) is not None
            )
        return _ROMAN.fullmatch(token) is not None

    @cached_property
    def short_months(self) -> frozenset[str]:
        """The shortened names of months: `aug`, `sept`."""
        first = {names.split()[0] for names in self.data.get("months", ())}
        return frozenset(name for name in self.months if name not in first and len(name) <= 5)

    @cached_property
    def number_words(self) -> Mapping[str, float]:
        """Words for numbers that the library of number words lacks."""
        return {word: float(value) for word, value in self.data.get("numbers", {}).items()}


@cache
def language_of(code: str) -> Language:
    """The language of a code such as `de` or `de-AT`."""
    short = code[:2].lower()
    if short not in LANGUAGES:
        return Language(short, {})
    return Language(
        short, tomllib.loads(files(__package__).joinpath(f"data/{short}.toml").read_text("utf-8"))
    )


@cache
def back_referring_words() -> frozenset[str]:
    """The words of all languages by which a sentence refers to the one before it."""
    return frozenset().union(*(language_of(code).back_referring_words for code in LANGUAGES))


@cache
def months_behind_ordinals() -> Sequence[str]:
    """The months before which languages write a day with a full stop ("3. Mai"), as they begin in texts."""
    known = [one for one in map(language_of, LANGUAGES) if one.data.get("ordinal_dot")]
    names = {name for one in known for name in one.months if name not in one.short_months}
    return sorted(f"{name[:1].upper()}{name[1:]}" for name in names)


@cache
def function_words() -> frozenset[str]:
    """The function words of all languages, for texts whose language nobody knows."""
    return frozenset().union(*(language_of(code).stop_words for code in LANGUAGES))


def detect(text: str, default: str = "en") -> str:
    """The language that the function words of a text show; the default where too few do.

    Another language must have two of them and more than English has: "die" and "in" are English words too. In a
    question one is enough where the letters of the whole show the same language, of all that have files; letters also
    decide between languages that have as many of the words. Of 114 short questions of other people in seven languages
    this tells all, and 103 without the letters; of 2,700 in English the same ones. Letters alone are wrong in names.
    """
    return _detected(text[:_DETECTED_CHARS]) or default


@lru_cache(maxsize=4_096)
def _detected(text: str) -> str:
    words = {match.lower() for match in _WORD.findall(text)}
    hits = {code: len(words & language_of(code).stop_words) for code in LANGUAGES}
    most = max(hits.values())
    best = [code for code in LANGUAGES if hits[code] == most]
    if most >= _TELLING:
        return best[0] if len(best) == 1 or "en" in best else _by_letters(text, best)
    by_letters = _by_letters(text, LANGUAGES) if most and text.rstrip().endswith("?") else ""
    return by_letters if by_letters in best else ""


def _by_letters(text: str, among: Sequence[str]) -> str:
    """The one of these languages whose letters are most like those of the text."""
    # Imported here: it loads a model, and a command that submits a job needs none.
    from py3langid import rank

    return next(str(code) for code, _ in rank(text) if code in among)


def _word_set(data: Mapping[str, Any], key: str) -> frozenset[str]:
    return frozenset(data.get(key, "").split())


_of_thread = threading.local()


@lru_cache(maxsize=131_072)
def _stem(algorithm: str, word: str) -> str:
    is_word = algorithm and len(word) <= _LONGEST_WORD and word.isalpha()
    return _stemmer(algorithm)(word) if is_word else word


def _stemmer(algorithm: str) -> Callable[[str], str]:
    """A stemmer of this thread: each keeps the word that it works on."""
    known: dict[str, Callable[[str], str]] = _of_thread.__dict__
    if algorithm not in known:
        # Imported here: it loads the rules of thirty languages, and a command that submits a job stems nothing.
        from snowballstemmer import stemmer

        known[algorithm] = stemmer(algorithm).stemWord
    return known[algorithm]


def phrases(data: Mapping[str, Any], key: str) -> Sequence[str]:
    """The phrases of a list that is written `one|two|three`."""
    return [phrase for phrase in data.get(key, "").split("|") if phrase]
