"""The evidence bank: what is shown to the writer of each section, and nothing twice."""

from collections.abc import Collection, Sequence

from planner.audit.audit import SectionPlan
from planner.text.ranking import Bm25, cosine, normalised
from research_crawler.core.models.findings import Finding
from research_crawler.core.ports.models import Embedder

QUOTES_OF_A_SECTION = 18
"""Most quotes that the writer of a section sees."""
RETRIEVED = 0.3
"""Least nearness of a finding that no section has, for a section to take it."""
RETRIEVED_ANYWAY = 0.55
"""The same for a finding that the auditor saw and gave to no section: menus, other subjects."""
WORDS_SHARE = 0.3


class EvidenceBank:
    """The findings of a report, which sections take from; what one has taken is not given to another."""

    def __init__(self, findings: Sequence[Finding], embedder: Embedder | None) -> None:
        """Without an embedder, words alone say what is near."""
        self.findings = findings
        self._embedder = embedder
        self._bm25 = Bm25([_text(finding) for finding in findings])
        self._vectors: list[list[float]] | None = None
        self._given: set[int] = set()
        self.passed_over: set[int] = set()
        """Findings that an auditor gave to no section."""

    async def vectors(self) -> list[list[float]]:
        """One vector for each finding; empty ones without an embedder."""
        if self._vectors is None:
            texts = [_text(finding) for finding in self.findings]
            self._vectors = await self._embedder.embed(texts) if self._embedder else [[] for _ in texts]
        return self._vectors

    async def nearness(self, plan: SectionPlan) -> list[float]:
        """How near each finding is to a section, about 0 to 1: by meaning and by words."""
        query = " ".join([plan.title, *plan.questions])
        lexical = normalised(self._bm25.scores(query))
        if self._embedder is None:
            return lexical
        [wanted] = await self._embedder.embed([query])
        return [
            (1 - WORDS_SHARE) * cosine(wanted, vector) + WORDS_SHARE * words
            for vector, words in zip(await self.vectors(), lexical, strict=True)
        ]

    async def take(
        self, plan: SectionPlan, reserved: Collection[int] = (), most: int = QUOTES_OF_A_SECTION
    ) -> list[int]:
        """Take the quotes of a section: those assigned to it, then the nearest that nobody has.

        Args:
            plan: the section.
            reserved: findings that are assigned to other sections.
            most: how many quotes at most.

        Returns:
            Indexes of findings, the best first.
        """
        taken = [place for place in plan.evidence if place not in self._given][:most]
        if len(taken) < most:
            near = await self.nearness(plan)
            own = {*plan.evidence, *reserved, *self._given}
            free = [
                place
                for place, value in enumerate(near)
                if value >= (RETRIEVED_ANYWAY if place in self.passed_over else RETRIEVED)
                and place not in own
            ]
            taken += sorted(free, key=lambda place: -near[place])[: most - len(taken)]
        self._given.update(taken)
        return taken


def _text(finding: Finding) -> str:
    return f"{finding.heading.rpartition(' > ')[2]} {finding.claim}".strip()
