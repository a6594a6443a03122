"""A scripted writer that rests sentences on the quotes of real pages: honest ones, and ones with a known fault.

It takes the sentences of the saved articles as quotes. An honest sentence says what its quote says: word for word,
shortened, in other words, with numbers and dates in another form, or two quotes in one. A careless one swaps a number
or a name, turns the meaning round, names another quote, widens, or adds a number or a claim. All choices are by hash,
so that every run writes the same.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from research_crawler.core.web.urls import host_of
from research_crawler.text.languages.sentences import quotable_pieces

PER_ARTICLE: Final = 12
LEAST_CHARS, MOST_CHARS = 60, 320


@dataclass(frozen=True)
class Written:
    """A sentence with the quotes that it cites, and what was done to it."""

    text: str
    quotes: tuple[str, ...]
    host: str
    page: str
    kind: str
    is_honest: bool


@dataclass(frozen=True)
class Quote:
    """A sentence of a page."""

    text: str
    page: str
    host: str
    place: int


def written_sentences(articles: Path) -> list[Written]:
    """As many honest as careless sentences, from all articles."""
    quotes = list(_quotes(articles))
    honest = [one for quote in quotes for one in _tried(HONEST, quote, quotes, is_honest=True)]
    careless = [one for quote in quotes for one in _tried(CARELESS, quote, quotes, is_honest=False)]
    honest, careless = sorted(honest, key=_order), sorted(careless, key=_order)
    even = min(len(honest), len(careless))
    return [*honest[:even], *careless[:even]]


def _quotes(articles: Path) -> Iterator[Quote]:
    truth = json.loads((articles / "ground-truth.json").read_text("utf-8"))
    for page in sorted(truth):
        body, host = truth[page]["articleBody"], host_of(truth[page]["url"])
        sentences = [one.text for one in quotable_pieces(body) if one.form == "sentence"]
        fit = [text for text in sentences if LEAST_CHARS <= len(text) <= MOST_CHARS and text[-1] in '.!”"']
        for place, text in enumerate(sorted(fit, key=_hash)[:PER_ARTICLE]):
            yield Quote(text, page, host, place)


Change = Callable[[Quote, Sequence[Quote]], str]


def _tried(
    changes: dict[str, Change], quote: Quote, quotes: Sequence[Quote], *, is_honest: bool
) -> Iterator[Written]:
    if found := changed(changes, quote, quotes):
        text, kind, cited = found
        yield Written(text, tuple(one.text for one in cited), quote.host, quote.page, kind, is_honest)


def changed(
    changes: dict[str, Change], quote: Quote, quotes: Sequence[Quote]
) -> tuple[str, str, list[Quote]] | None:
    """The first change of a quote that can be made, in an order of its own: the sentence, the kind of change, and the
    quotes that it cites."""
    for kind in sorted(changes, key=lambda name: _hash(name + quote.text)):
        text = changes[kind](quote, quotes)
        if (text and text != quote.text) or (text and kind == "word for word"):
            return text, kind, [quote, _neighbour(quote, quotes)] if kind == "two in one" else [quote]
    return None


def _word_for_word(quote: Quote, _: Sequence[Quote]) -> str:
    return quote.text


def _led(quote: Quote, _: Sequence[Quote]) -> str:
    first, _, rest = quote.text.partition(" ")
    lower = (
        first.lower()
        if first.lower() in {"the", "a", "an", "in", "it", "this", "these", "there", "we", "on"}
        else first
    )
    return f"According to {quote.host}, {lower} {rest}"


def _shortened(quote: Quote, _: Sequence[Quote]) -> str:
    cut = re.sub(r",\s(?:which|who|where|whose)\s[^,.;]+(?=[.]$)|\s\([^()]{3,80}\)", "", quote.text, count=1)
    return cut if cut != quote.text else ""


MONTHS: Final = "January|February|March|April|May|June|July|August|September|October|November|December"
_FORMS: Final = (
    (re.compile(r"(?<=\d),(?=\d{3}\b)"), ""),
    (re.compile(r"(?<=\d)\s?per ?cent\b"), "%"),
    (re.compile(r"(?<=\d)%"), " percent"),
    (re.compile(r"\$(\d[\d.,]*\d|\d)(?: (million|billion))?(?![\w-])"), r"\1 \2 dollars"),
    (re.compile(r"\b([A-Z][a-z]{2,8}) (\d{1,2}), (\d{4})\b"), r"\2 \1 \3"),
    (re.compile(rf"\b(\d{{1,2}}) ({MONTHS})\b"), r"\2 \1"),
    (re.compile(r"\bfive\b"), "5"),
    (re.compile(r"\bthree\b"), "3"),
    (re.compile(r"\bfour\b"), "4"),
    (re.compile(r"\btwo\b"), "2"),
    (re.compile(r"\b(\d+)-year-old\b"), r"\1 years old"),
)  # fmt: skip


def _reformatted(quote: Quote, _: Sequence[Quote]) -> str:
    for pattern, form in _FORMS:
        text = " ".join(pattern.sub(form, quote.text, count=1).split())
        if text != quote.text:
            return text
    return ""


_SAME_MEANING: Final = {
    "said": "stated", "also": "additionally", "but": "yet", "because": "since", "big": "large", "help": "assist",
    "use": "employ", "used": "employed", "using": "with", "get": "obtain", "show": "demonstrate",
    "start": "begin", "started": "began", "company": "firm", "people": "persons", "about": "around", "need": "require",
    "needs": "requires", "buy": "purchase", "bought": "purchased", "told": "informed", "children": "kids",
    "important": "significant", "many": "numerous", "now": "currently", "find": "discover", "found": "discovered",
    "after": "following", "before": "prior to", "however": "nevertheless", "make": "create", "made": "created",
    "does not": "doesn't", "did not": "didn't", "is not": "isn't", "do not": "don't", "can't": "cannot",
    "don't": "do not", "isn't": "is not", "didn't": "did not", "allow": "permit", "part": "portion",
    "house": "home", "job": "position", "large": "big", "quickly": "rapidly", "near": "close to", "such as": "like",
    "team": "squad", "film": "movie", "movie": "film", "car": "vehicle", "gave": "handed", "want": "wish",
}  # fmt: skip
MOST_REWORDED: Final = 3


def _reworded(quote: Quote, _: Sequence[Quote]) -> str:
    text, done = quote.text, 0
    for word, other in _SAME_MEANING.items():
        changed = re.sub(rf"\b{word}\b", other, text, count=1)
        if changed != text:
            text, done = changed, done + 1
        if done == MOST_REWORDED:
            break
    return text if done >= 2 else ""


def _two_in_one(quote: Quote, quotes: Sequence[Quote]) -> str:
    other = _neighbour(quote, quotes)
    return f"{quote.text.rstrip('.')}; {other.text}" if other != quote else ""


def _number_swapped(quote: Quote, _: Sequence[Quote]) -> str:
    found = list(re.finditer(r"(?<![\w.,-])\d[\d,]*(?:\.\d+)?(?![\w-])", quote.text))
    if not found:
        return ""
    match = found[number_of(quote.text) % len(found)]
    digit = next(i for i, char in enumerate(match[0]) if char.isdigit())
    swapped = str((int(match[0][digit]) + 1 + number_of(match[0]) % 7) % 9 + 1)
    if swapped == match[0][digit]:
        swapped = str(int(swapped) % 9 + 1)
    return (
        quote.text[: match.start()]
        + match[0][:digit]
        + swapped
        + match[0][digit + 1 :]
        + quote.text[match.end() :]
    )


_NAME: Final = re.compile(r"(?<=[a-z,] )[A-Z][a-zà-ÿ]{2,}(?: [A-Z][a-zà-ÿ]{2,}){0,2}")
_NO_NAMES: Final = frozenset(
    [
        "The",
        "This",
        "That",
        "And",
        "But",
        "However",
        "When",
        "While",
        "For",
        "With",
        "They",
        "There",
        "Monday",
        "Sunday",
    ]
)


def _name_swapped(quote: Quote, quotes: Sequence[Quote]) -> str:
    own = [match for match in _NAME.finditer(quote.text) if match[0] not in _NO_NAMES]
    if not own:
        return ""
    match = own[number_of(quote.text) % len(own)]
    pages = [other for other in quotes if other.page != quote.page]
    if not pages:
        return ""
    start = number_of(quote.text + "name") % len(pages)
    for other in [*pages[start:], *pages[:start]]:
        names = [
            name for name in _NAME.findall(other.text) if name not in _NO_NAMES and name not in quote.text
        ]
        if names:
            return quote.text[: match.start()] + names[0] + quote.text[match.end() :]
    return ""


_VERB: Final = re.compile(
    r"\b(is|are|was|were|will|can|has|have|had|could|would|should|does|did|do)\b(?! not| only| no\b|n['’]t)"
)


def _denied(quote: Quote, _: Sequence[Quote]) -> str:
    bare = re.sub(
        r"\b(is|are|was|were|will|can|has|have|had|could|would|should|does|did|do)(?: not|n['’]t)\b",
        r"\1",
        quote.text,
        count=1,
    )
    if bare != quote.text:
        return bare
    return _VERB.sub(r"\1 not", quote.text, count=1) if _VERB.search(quote.text) else ""


def _other_page(quote: Quote, quotes: Sequence[Quote]) -> str:
    pages = [other for other in quotes if other.page != quote.page]
    return pages[number_of(quote.text) % len(pages)].text if pages else ""


def _other_quote(quote: Quote, quotes: Sequence[Quote]) -> str:
    other = _neighbour(quote, quotes)
    return other.text if other != quote else ""


_NARROW: Final = (
    (re.compile(r"\b(?:some|many|most|several|few)(?: of)?(?= [a-z])", re.I), "all"),
    (re.compile(r"\b(?:often|sometimes|usually|generally|typically|mostly)\b", re.I), "always"),
    (re.compile(r"\b(?:may|might|could)\b"), "will certainly"),
    (re.compile(r"\b(is|are|was|were)\b"), r"\1 always"),
)


def _widened(quote: Quote, _: Sequence[Quote]) -> str:
    for pattern, form in _NARROW:
        text = pattern.sub(form, quote.text, count=1)
        if text != quote.text:
            return text
    return ""


def _number_added(quote: Quote, _: Sequence[Quote]) -> str:
    share = 11 + number_of(quote.text) % 80
    added = (
        f", an increase of {share} percent.",
        f", which took {share} days.",
        f" for {share} million dollars.",
    )
    return (
        quote.text.rstrip(".!") + added[number_of(quote.text) % len(added)] if quote.text[-1] == "." else ""
    )


_CLAIMS: Final = (
    ", and experts agree that this transformed the whole industry.",
    ", which critics described as a serious breach of trust.",
    ", because the original supplier went bankrupt.",
    ", and customers praised the excellent battery life.",
)


def _claim_added(quote: Quote, _: Sequence[Quote]) -> str:
    return (
        quote.text.rstrip(".") + _CLAIMS[number_of(quote.text) % len(_CLAIMS)]
        if quote.text[-1] == "."
        else ""
    )


HONEST: Final[dict[str, Change]] = {
    "word for word": _word_for_word,
    "with its host": _led,
    "shortened": _shortened,
    "other forms of numbers": _reformatted,
    "in other words": _reworded,
    "two in one": _two_in_one,
}
CARELESS: Final[dict[str, Change]] = {
    "number swapped": _number_swapped,
    "name swapped": _name_swapped,
    "turned round": _denied,
    "quote of another page": _other_page,
    "another quote of the page": _other_quote,
    "widened": _widened,
    "number added": _number_added,
    "claim added": _claim_added,
}


def _neighbour(quote: Quote, quotes: Sequence[Quote]) -> Quote:
    """The next quote of the same page; the quote itself if it is the only one."""
    of_page = [other for other in quotes if other.page == quote.page]
    return of_page[(quote.place + 1) % len(of_page)]


def _order(sentence: Written) -> str:
    return _hash(sentence.text)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def number_of(text: str) -> int:
    """A number that is always the same for a text."""
    return int(_hash(text)[:8], 16)
