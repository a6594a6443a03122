"""Split text into the words that rankers compare, and find the words of a question that carry its meaning."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

import stopwordsiso

from research_crawler.text.phrasal_verbs import joined_verbs

WORD = re.compile(
    r"(?<![\w/])[A-Z]/[A-Z](?![\w/])"  # I/O, A/B
    r"|(?:(?<![\w.])\.(?=[A-Z]))?[^\W_]+(?:[-.'’&][^\W_]+)*(?:(?<=[^\W\d_])(?:\+\+?|#)(?!\w))?"  # .NET, R&D, C++, C#
)
"""A word as people write it, with the signs that belong to its name."""
CJK = re.compile(r"[぀-ヿ㐀-鿿가-힯]")
"""Characters of scripts written without spaces (Korean uses some); such text is compared by pairs of characters."""

MEANINGFUL = frozenset(
    """
    abroad ai amount area areas auth best better big bill bottom call caption case cases cause causes changes clear
    computer copy course cry date detail different early effect empty end example face facts fill fire fix free
    front full gb general good goods great greater greatest group groups high higher highest home homepage html http
    ignored ill important index information interest invention join keep keys kg kind km large last later latest
    length less line little long longer longest low lower member members men mg microsoft mill million ml mm move
    mug name near new newer newest next novel null number numbers old older oldest open opened opening opens
    opposite order ordered orders page pages part parts past place places point points possible present problem
    problems quickly recent reserved results right ring room rooms run second section self serious seven shell side
    sides significant similar site small smaller smallest state states stop system test text thick thin third
    thoughts thousand tip today top turn tv uk undoing useful value versus web website width words work worked
    working works world year years young younger youngest zero
    """.split()  # noqa: SIM905  # a list of words reads better so
)
"""English stop words of stopwordsiso that a question may be about. The list is made for long texts; questions are
short."""

STOPWORDS = frozenset(
    word for word in stopwordsiso.stopwords(("en", "de", "fr", "es")) - MEANINGFUL if not word.isdigit()
)
"""Function words of English, German, French and Spanish, which do not show what a text is about."""

ENGLISH_TOO = frozenset(
    """
    anterior aura bald bat bin bravo car cent comment comparable den dice die dies dire divers elf embargo era fin
    final flac font force gab gross gut hat hay hem hop hue hum lang largo mag mal mayor mince mot multiple
    multiples nun ore oust pan par parole pendant pour premier pure quant rare relative sal salvo sea seize sin solo
    son soy suit superpose tag tan tel tend tic ton total tout tun unique uniques valor van vive war wart
    """.split()  # noqa: SIM905  # a list of words reads better so
)
"""Function words of German, French or Spanish that mean something in an English text: a tag, to die, a unique key."""

ASKING = frozenset(
    """
    buy cheaply describe discuss discussion explain find finding give help info investigate know learn list
    look looking need provide question questions recommend research say show summarise summarize tell thing
    things understand wonder
    """.split()  # noqa: SIM905  # a list of words reads better so
)
"""Words that ask rather than name a subject: they are left out of search queries."""


_EMPHASIS = frozenset(
    "all always and any both ever every more most must never no not now only or that this very".split()  # noqa: SIM905
)
"""Function words that people write in capitals to stress them."""
_LETTER_WORDS = frozenset("aeiouyàéèù")
"""Letters that are words in English, French or Spanish."""
_ENGLISH_ONLY = stopwordsiso.stopwords("en") - stopwordsiso.stopwords(("de", "fr", "es"))
_FOREIGN_ONLY = STOPWORDS - stopwordsiso.stopwords("en") - ENGLISH_TOO
_SENTENCE_START = re.compile(r"(?:^|[.!?:;]\s|[\"“(])\s*$")
_COMPARED = re.compile(r"\s+(?:vs\b|versus\b|compared\b)", re.I)
_MARKS = "-.'&"


def words(text: str) -> list[str]:
    """Lower-case words of a text; a name such as `RX-480` or `Disney+` gives itself and its parts."""
    return [word for match in WORD.findall(text) for word in _forms(match)]


def terms(text: str) -> list[str]:
    """Stemmed words of a text without function words, as rankers count them."""
    shouts, matches = text.isupper(), WORD.findall(joined_verbs(text))
    means = _meant_words(matches)
    return [
        stem(form)
        for match in matches
        for form in _forms(match)
        if form not in STOPWORDS
        or form in means
        or (not shouts and len(form) == len(match) and is_acronym(match))
    ]


def _meant_words(found: Sequence[str]) -> frozenset[str]:
    """Those of ENGLISH_TOO, if the words of a text are not more often German, French or Spanish than English."""
    lows = {word.lower() for word in found}
    if ENGLISH_TOO.isdisjoint(lows):
        return frozenset()
    return ENGLISH_TOO if len(lows & _ENGLISH_ONLY) >= len(lows & _FOREIGN_ONLY) else frozenset()


def _forms(match: str) -> list[str]:
    """The lower-case forms of a word by which it is compared."""
    if CJK.search(match):
        low = match.lower()
        return [low[i : i + 2] for i in range(max(1, len(low) - 1))]
    word = match.lower().replace("’", "'").removesuffix("'s")
    bare = word.rstrip("+#")
    if bare != word and len(bare) == 1:
        return [word]
    parts = re.split(r"[-.'&]", bare) if any(mark in bare for mark in _MARKS) else [bare]
    return [word, *(part for part in parts if part and part != word)]


def is_acronym(word: str) -> bool:
    """Whether a word that has the letters of a function word is a name by its capitals: `WHO`, `IT`, or `R`."""
    low = word.lower()
    return word.isupper() and (low not in _LETTER_WORDS if len(word) == 1 else low not in _EMPHASIS)


def has_sign(word: str) -> bool:
    """Whether a sign is part of the word, as in `C++`, `.NET` or `I/O`; such a word is always a name."""
    return word[0] == "." or word[-1] in "+#" or "/" in word


def names_among_stopwords(text: str) -> set[str]:
    """The words of a question that are names here and function words elsewhere: `Go`, `R`, `WHO`, `vitamin A`.

    They are recognised by their capitals, which say nothing in a text that is all capitals or a title.
    """
    if text.isupper():
        return set()
    capitals: set[str] = set()
    acronyms: set[str] = set()
    has_lower = False
    for match in WORD.finditer(text):
        word = match.group()
        low = word.lower()
        if low not in STOPWORDS:
            has_lower = has_lower or word[0].islower()
        elif is_acronym(word) or (len(low) == 1 and low.isalpha() and low not in _LETTER_WORDS):
            acronyms.add(word)
        elif word == "A" or (word.istitle() and low in _ENGLISH_ONLY and low[:2] not in ("i", "i'", "i’")):
            starts = _SENTENCE_START.search(text[max(0, match.start() - 3) : match.start()])
            if not starts or _COMPARED.match(text, match.end()):
                capitals.add(word)
    is_title = len(capitals) > 1 and not has_lower
    return acronyms if is_title else acronyms | capitals


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """The English stem of a word (Snowball's English stemmer, also known as Porter2)."""
    # Imported here: it loads the rules of thirty languages, and a command that submits a job stems nothing.
    from snowballstemmer import stemmer

    return stemmer("english").stemWord(word) if word.isascii() and word.isalpha() else word


def content_words(text: str) -> list[str]:
    """The words that carry meaning, as written, each once, in order: without function words and words of asking."""
    kept: dict[str, str] = {}
    text = joined_verbs(text)
    found = WORD.findall(text)
    names, means = names_among_stopwords(text), _meant_words(found)
    for word in found:
        low = word.lower().replace("’", "'")
        bare = low.removesuffix("'s")
        if word in names or bare in means or (bare not in STOPWORDS and bare not in ASKING):
            kept.setdefault(stem(bare), word if low == bare else word[:-2])
    return list(kept.values())


def overlap(wanted: Iterable[str], text: str) -> float:
    """Share of the wanted stems that a text contains, 0 to 1; 1 if none is wanted."""
    need = set(wanted)
    return len(need & set(terms(text))) / len(need) if need else 1.0
