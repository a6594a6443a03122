"""What a question asks and its evidence does not say, and the name by which the scripted model looks for it."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import takewhile
from typing import Final

from research_crawler.core.models.evidence.findings import Finding
from research_crawler.text.languages.language import detect, function_words
from research_crawler.text.languages.names import names_in
from research_crawler.text.languages.sentences import leans, sentence_spans, without_markdown
from research_crawler.text.languages.words import WORD, content_words, is_acronym, stem, terms
from research_crawler.text.measures.normal_quote import normal_quote
from research_crawler.text.questions.subject import subject_of

MOST_ASKED_WORDS: Final = 4
KNOWN_PAGE: Final = 2
"""How much more a name counts that is the title of a page or the text of a link: pages link what leads on."""
COMMON_SHARE, LEAST_COMPARED = 0.5, 4
"""Share of the quotes from which a word of the description tells nothing, and least quotes for that: every page about
git has the word git, and no name beside it is what the question describes."""
NAMES_TOLD: Final = 2
"""So many names of a question stand in a sentence about the same, where none has another of its words."""
_NAME: Final = re.compile(r"\b[A-ZÀ-Þ][\w'’-]{1,30}(?: [A-ZÀ-Þ][\w'’-]{1,30}){1,3}")
"""Two to four words with capitals: a person, a company, a place."""
_ONE_NAME: Final = re.compile(r"[A-ZÀ-Þ][a-zß-ÿ]{2,30}")
"""A word with a capital that is no acronym."""


def unsaid_words(question: str, evidence: Sequence[Finding]) -> list[str]:
    """The words of a question, but for its names and years, that none of its evidence has, as written."""
    language = detect(question)
    subject = subject_of(question, language=language)
    named = subject.words | subject.years
    said = {term for one in evidence for term in terms(f"{one.quote} {one.title} {one.heading}", language)}
    return [
        word
        for word in content_words(question, language)
        if (root := stem(word, language)) not in named and said.isdisjoint((root, *terms(word, language)))
    ]


def next_hop(
    question: str,
    evidence: Sequence[Finding],
    unsaid: Sequence[str],
    *,
    without: Sequence[str] = (),
    titles: Iterable[str] = (),
    described: Collection[str] = (),
) -> str:
    """A query for what is not said yet, by the name that the evidence gives for the thing that is asked about.

    "Where did the engineer who designed the Gullwire study?" is answered on the page of the person that pages on the
    Gullwire name as its engineer. Empty if the evidence names nothing new.

    Args:
        evidence: the best first.
        unsaid: the words of the question that it lacks.
        without: queries whose names are no new ones.
        titles: of pages that are known and were not read.
        described: stems by which sentences tell of what is asked about; none: those of the question that are not in
            most of the evidence and, if that gives no name, two of its own names ("The Brindle Prize 2025 goes to …").
    """
    if not unsaid:
        return ""
    known = set(titles)
    language = detect(question)
    telling = described_in(question) - _in_most(evidence, language)
    ways = ((described, 1),) if described else ((telling, 1), (names_in(question, language), NAMES_TOLD))
    found = (_name_led_to(question, evidence, stems, least, known, without) for stems, least in ways)
    name = next(filter(None, found), "")
    return " ".join([name, *unsaid[:MOST_ASKED_WORDS]]) if name else ""


def _in_most(evidence: Sequence[Finding], language: str) -> set[str]:
    """The stems that most quotes have."""
    if len(evidence) < LEAST_COMPARED:
        return set()
    counts = Counter(root for one in evidence for root in set(terms(one.quote, language)))
    return {root for root, count in counts.items() if count > COMMON_SHARE * len(evidence)}


def _name_led_to(
    question: str,
    evidence: Sequence[Finding],
    described: Collection[str],
    least: int,
    known: Collection[str],
    without: Sequence[str],
) -> str:
    """The name that sentences with so many of these stems give most, those of the best evidence first."""
    language = detect(question)
    asked = set(terms(question, language))
    pages = {title for title in known if _ONE_NAME.fullmatch(title)}
    counts: Counter[str] = Counter()
    for place, finding in enumerate(evidence):
        for name in _named_as(described, least, finding.quote, pages, language):
            if not set(terms(name, language)) <= asked and not is_hop_made(name, without):
                counts[name] += (len(evidence) - place) * (KNOWN_PAGE if name in known else 1)
    return counts.most_common(1)[0][0] if counts else ""


def described_in(question: str) -> set[str]:
    """The stems of a question that are no names: by these, sentences tell of what it asks about."""
    language = detect(question)
    named = names_in(question, language) | {w.lower() for w in WORD.findall(question) if is_acronym(w)}
    return set(terms(question, language)) - named


def _named_as(
    described: Collection[str], least: int, quote: str, pages: Collection[str], language: str
) -> list[str]:
    """The names in the sentences of a quote that have a word of the description: "the engineer Tomas Ehrling".

    So have sentences that go on about the same, in the next paragraph too: "It was begun by Mirela Stoian". A name of a
    single word is told from the first word of a sentence, or from any noun of German, only where a page has it as its
    title.
    """
    found: dict[str, None] = {}
    is_told = False
    for line in map(without_markdown, quote.splitlines()):
        for start, end in sentence_spans(line):
            sentence = line[start:end]
            is_told = len(set(terms(sentence, language)) & set(described)) >= least or (
                is_told and leans(sentence)
            )
            if is_told:
                found |= dict.fromkeys(_names_in(sentence))
                found |= dict.fromkeys(word for word in WORD.findall(sentence) if word in pages)
    return list(found)


def _names_in(text: str) -> list[str]:
    """Names of several words, without the function words that a sentence begins or goes on with."""
    found = []
    for match in _NAME.finditer(text):
        words = match.group().split()
        while words and words[0].lower() in function_words():
            words = words[1:]
        while words and words[-1].lower() in function_words():
            words = words[:-1]
        if len(words) > 1:
            found.append(" ".join(words))
    return found


LEAST_NEAR: Final = 0.6
"""Least nearness of a name that is searched for."""
_IDENTIFIER: Final = re.compile(
    r"(?<![\w./$@+-])(?:"
    r"[A-Za-z][\w.+-]*\(\d\w?\)"  # a page of the manual: git-gc(1)
    r"|[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+"  # pg_dump, shared_buffers
    r"|[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+"  # LimitRequestBody
    r"|[A-Z]{2,}[a-z]{3,}(?:[A-Z][a-z0-9]+)*"  # SSLEngine
    r"|[a-z][a-z0-9]*(?:\.[a-z]+[A-Z][A-Za-z]*)+"  # gc.pruneExpire
    r"|[A-Z]{4,} [A-Z]{4,}"  # CREATE INDEX
    r")(?![\w/])"
)
_SECTION: Final = re.compile(r"\(\d\w?\)$")


def identifiers_in(text: str) -> list[str]:
    """The identifiers in a text, each once, without the number of a manual's section: they are names by their form."""
    return list(dict.fromkeys(_SECTION.sub("", match.group()) for match in _IDENTIFIER.finditer(text)))


def hop_name(query: str) -> str:
    """The name of such a query: its first words, which have capitals."""
    return " ".join(takewhile(lambda word: word[:1].isupper(), query.split()))


def is_hop_made(query: str, queries: Sequence[str]) -> bool:
    """Whether an earlier query has the name of this hop already."""
    name = normal_quote(hop_name(query))
    return any(name in normal_quote(one) for one in queries)
