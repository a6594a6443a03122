"""The statements of a report's findings, each with its page: those that stand alone, and those that give values."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from planner.evidence.parsed_sentence import ParsedSentence, parsed_sentence
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.ports.models import Embedder
from research_crawler.core.web.urls import host_of
from research_crawler.text.languages.language import detect
from research_crawler.text.languages.sentences import quotable_pieces
from research_crawler.text.languages.statements import statements
from research_crawler.text.languages.words import terms
from research_crawler.text.measures.embedded_text import embedded
from research_crawler.text.measures.likeness import cosine, coverage

MOST_STATEMENTS, MOST_COMPARED = 72, 48
"""Most statements that are read, those of the best findings, and that are kept, those nearest to the question."""
FINDING_COSINE_WEIGHT: Final = 0.7
"""Weight of the cosine of its finding in the nearness of a statement; the rest is the share of the question's words in
it. Of 178 facts, 70 stand in the six nearest statements; with a vector for each statement, 69."""
PER_FINDING = 5
"""Most statements of one finding."""
MOST_OF_VALUES: Final = 96
"""Most statements with figures or dates that are compared, those with most words of the question: 5,000 pairs, for
which a tenth of a second is enough."""
MOST_READ: Final = 400
"""Most sentences in which figures and dates are looked for."""
LEAST_TELLING: Final = 200
"""Fewest characters of a quote that show a language of its own; a sentence has too few function words."""
LEAST_OF_QUESTION: Final = 0.25
"""Least share of the question's words that a quote has, with the title and heading above it."""


@dataclass(frozen=True)
class EvidenceStatement:
    """A sentence of a finding."""

    index: int
    """Index of the finding."""
    finding: Finding
    parsed: ParsedSentence
    nearness: float
    """How near it comes to the question; of those with values, the share of its words that they have, with their
    titles."""

    @property
    def text(self) -> str:
        """The sentence as the page has it, without Markdown marks."""
        return self.parsed.text

    @property
    def host(self) -> str:
        """The host that says it."""
        return host_of(self.finding.url)

    @property
    def day(self) -> str:
        """When its page was published; empty if that is not known."""
        return self.finding.published[:10]


async def evidence_statements(
    question: str, findings: Sequence[Finding], embedder: Embedder
) -> list[EvidenceStatement]:
    """The statements of findings, which are given best first; those nearest to the question first."""
    default = detect(question)
    asked = frozenset(terms(question, default))
    wanted, *vectors = await embedder.embed([question, *(embedded(finding.claim) for finding in findings)])
    found: list[EvidenceStatement] = []
    for index, (finding, vector) in enumerate(zip(findings, vectors, strict=True)):
        language, near = detect(finding.quote, default), FINDING_COSINE_WEIGHT * cosine(wanted, vector)
        for text in statements(finding.quote)[:PER_FINDING]:
            worth = near + (1 - FINDING_COSINE_WEIGHT) * coverage(asked, terms(text, default))
            found.append(EvidenceStatement(index, finding, parsed_sentence(text, language), worth))
    return sorted(found[:MOST_STATEMENTS], key=lambda statement: -statement.nearness)[:MOST_COMPARED]


def value_statements(question: str, findings: Sequence[Finding]) -> list[EvidenceStatement]:
    """The sentences, items and rows of findings that give a figure or a date; those with most of the question first.

    Nothing is embedded: the words of two pages that give a value of one thing tell that as well as vectors do.
    """
    default = detect(question)
    asked = frozenset(terms(question, default))
    read: list[EvidenceStatement] = []
    for index, finding in enumerate(findings):
        language = detect(finding.quote, default) if len(finding.quote) >= LEAST_TELLING else default
        above = set(terms(f"{finding.title}. {finding.heading}", language))  # its words name what "it" is
        around = coverage(asked, above.union(terms(finding.quote, language)))
        for piece in quotable_pieces(finding.quote) if around >= LEAST_OF_QUESTION else ():
            sentence = parsed_sentence(piece.text, language)
            near = (coverage(asked, sentence.words | above) + around) / 2
            read.append(EvidenceStatement(index, finding, sentence, near))
    read.sort(key=lambda statement: -statement.nearness)
    return [
        statement for statement in read[:MOST_READ] if statement.parsed.quantities or statement.parsed.dates
    ][:MOST_OF_VALUES]
