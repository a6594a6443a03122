"""What a question asks and its evidence does not say, and the name by which it may be found: the next hop."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import takewhile
from typing import Final

from planner.text.normal_quote import normal_quote
from planner.text.sentences import DEPENDENT_START, plain, sentence_spans
from planner.text.subject import names_in, subject_of
from planner.text.words import STOPWORDS, WORD, content_words, is_acronym, stem, terms
from research_crawler.core.models.findings import Finding

MOST_ASKED_WORDS: Final = 4
_NAME: Final = re.compile(r"\b[A-ZÀ-Þ][\w'’-]{1,30}(?: [A-ZÀ-Þ][\w'’-]{1,30}){1,3}")
"""Two to four words with capitals: a person, a company, a place."""
_ONE_NAME: Final = re.compile(r"[A-ZÀ-Þ][a-zß-ÿ]{2,30}")
"""A word with a capital that is no acronym."""


def unsaid_words(question: str, evidence: Sequence[Finding]) -> list[str]:
    """The words of a question, but for its names and years, that none of its evidence has, as written."""
    subject = subject_of(question)
    named = subject.words | subject.years
    said = {term for one in evidence for term in terms(f"{one.quote} {one.title} {one.heading}")}
    return [
        word
        for word in content_words(question)
        if (root := stem(word.lower())) not in named and root not in said and not set(terms(word)) & said
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
        described: stems by which sentences tell of what is asked about; none: those of the question.
    """
    asked = set(terms(question))
    described = described or described_in(question)
    pages = {title for title in titles if _ONE_NAME.fullmatch(title)}
    counts: Counter[str] = Counter()
    for place, finding in enumerate(evidence):
        for name in _named_as(described, finding.quote, pages):
            if not set(terms(name)) <= asked and not is_hop_made(name, without):
                counts[name] += len(evidence) - place
    if not counts or not unsaid:
        return ""
    name = counts.most_common(1)[0][0]
    return " ".join([name, *unsaid[:MOST_ASKED_WORDS]])


def hop_name(query: str) -> str:
    """The name of a query of `next_hop`: its first words, which have capitals."""
    return " ".join(takewhile(lambda word: word[:1].isupper(), query.split()))


def described_in(question: str) -> set[str]:
    """The stems of a question that are no names: by these, sentences tell of what it asks about."""
    named = names_in(question) | {word.lower() for word in WORD.findall(question) if is_acronym(word)}
    return set(terms(question)) - named


def hops_in(question: str, queries: Sequence[str]) -> list[str]:
    """The queries of next hops: a name that the question does not have, and then words of the question alone."""
    asked = set(terms(question))
    found = []
    for query in queries:
        name = hop_name(query)
        rest = set(terms(query.removeprefix(name)))
        if name and rest and rest <= asked and not set(terms(name)) <= asked:
            found.append(query)
    return found


def is_hop_made(query: str, queries: Sequence[str]) -> bool:
    """Whether an earlier query has the name of this hop already."""
    name = normal_quote(hop_name(query))
    return any(name in normal_quote(one) for one in queries)


def _named_as(described: Collection[str], quote: str, pages: Collection[str]) -> list[str]:
    """The names in the sentences of a quote that have a word of the description: "the engineer Tomas Ehrling".

    So have sentences that go on about the same: "It was begun by Mirela Stoian". A name of a single word is told from
    the first word of a sentence, or from any noun of German, only where a page has it as its title.
    """
    found: dict[str, None] = {}
    for line in map(plain, quote.splitlines()):
        is_told = False
        for start, end in sentence_spans(line):
            sentence = line[start:end]
            is_told = bool(set(terms(sentence)) & set(described)) or (
                is_told and DEPENDENT_START.match(sentence) is not None
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
        while words and words[0].lower() in STOPWORDS:
            words = words[1:]
        while words and words[-1].lower() in STOPWORDS:
            words = words[:-1]
        if len(words) > 1:
            found.append(" ".join(words))
    return found
