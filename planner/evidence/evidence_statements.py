"""The statements of a report's findings, each with its page, ready to be compared with each other."""

from collections.abc import Sequence
from dataclasses import dataclass

from planner.evidence.parsed_sentence import ParsedSentence
from research_crawler.core.models.findings import Finding
from research_crawler.core.ports.models import Embedder
from research_crawler.core.web.urls import host_of
from research_crawler.text.ranking import cosine
from research_crawler.text.statements import statements

MOST_EMBEDDED_STATEMENTS, MOST_COMPARED = 72, 48
"""Most statements that are embedded, those of the best findings (0.3 s of one core), and that are compared with each
other, those nearest to the question."""
PER_FINDING = 5
"""Most statements of one finding."""


@dataclass(frozen=True)
class EvidenceStatement:
    """A sentence of a finding."""

    place: int
    """Index of the finding."""
    finding: Finding
    parsed: ParsedSentence
    vector: Sequence[float]
    nearness: float
    """Cosine with the question."""

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
    told = [
        (place, finding, text)
        for place, finding in enumerate(findings)
        for text in statements(finding.quote)[:PER_FINDING]
    ][:MOST_EMBEDDED_STATEMENTS]
    if not told:
        return []
    wanted, *vectors = await embedder.embed([question, *(text for _, _, text in told)])
    found = [
        EvidenceStatement(place, finding, ParsedSentence(text), vector, cosine(wanted, vector))
        for (place, finding, text), vector in zip(told, vectors, strict=True)
    ]
    return sorted(found, key=lambda one: -one.nearness)[:MOST_COMPARED]
