"""Allot the evidence of a report: which quotes the writer of each section is shown, none of them twice."""

from collections.abc import Collection, Sequence

from planner.evidence.evidence_plan import SectionPlan
from planner.outline.making import query_names
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.ports.models import Embedder
from research_crawler.text.languages.words import WORD, stem
from research_crawler.text.measures.likeness import Bm25, cosine, normalised

QUOTES_OF_A_SECTION = 18
"""Most quotes that the writer of a section sees; those that an auditor assigned to it may be more."""
ASSIGNED_TO_A_SECTION = 24
"""Most quotes that were assigned to a section, for its writer to see: of two sections for 33 quotes, one has more than
half, and what it may not take reaches no writer at all."""
RETRIEVED_MIN_NEARNESS = 0.3
"""Least nearness of a finding that no section has, for a section to take it."""
RETRIEVED_ANYWAY, LEAST_OF_A_SECTION = 0.55, 8
"""The same for a finding that the auditor saw and gave to no section: menus, other subjects; where a section has fewer
quotes, the usual nearness is enough. Of very many quotes an auditor names the first that will do."""
WORDS_SHARE = 0.3
"""Weight of shared words beside meaning when evidence is given to sections."""


class EvidenceAllocation:
    """The findings of a report, which sections take from; what one has taken is not given to another."""

    def __init__(self, findings: Sequence[Finding], embedder: Embedder | None, question: str = "") -> None:
        """Without an embedder, words alone say what is near; the question has the names that a section may lack."""
        self.findings, self._question = findings, question
        self._embedder = embedder
        self._texts = [_text(finding) for finding in findings]
        self._bm25 = Bm25(self._texts)
        self._vectors: list[list[float]] | None = None
        self._situated: list[list[float]] = []
        self._given: set[int] = set()
        self.passed_over: set[int] = set()
        """Findings that an auditor gave to no section."""

    async def vectors(self) -> list[list[float]]:
        """One vector for each finding, of what it says and not of its page; empty ones without an embedder."""
        if self._vectors is None:
            texts = [_claim(finding) for finding in self.findings]
            self._vectors = await self._embedder.embed(texts) if self._embedder else [[] for _ in texts]
        return self._vectors

    async def nearness(self, plan: SectionPlan) -> list[float]:
        """How near each finding is to a section, about 0 to 1: by meaning and by words."""
        asked = plan.wanted or (
            with_names(" ".join([plan.title, *plan.sub_questions]).strip(), self._question),
        )
        each = zip(*(normalised(self._bm25.scores(one)) for one in asked), strict=True)
        lexical = [max(scores) for scores in each]
        if self._embedder is None:
            return lexical
        if not self._situated:
            self._situated = await self._embedder.embed(self._texts)
        wanted = await self._embedder.embed(asked)
        return [
            (1 - WORDS_SHARE) * max(cosine(one, vector) for one in wanted) + WORDS_SHARE * words
            for vector, words in zip(self._situated, lexical, strict=True)
        ]

    async def take(self, plan: SectionPlan, reserved: Collection[int] = ()) -> list[int]:
        """Take the quotes of a section: those assigned to it, then the nearest that nobody has.

        Args:
            plan: the section.
            reserved: findings that are assigned to other sections.

        Returns:
            Indexes of findings, the best first.
        """
        taken = [index for index in plan.evidence if index not in self._given]
        taken = taken[:ASSIGNED_TO_A_SECTION]
        if len(taken) < QUOTES_OF_A_SECTION:
            near = await self.nearness(plan)
            own = {*plan.evidence, *reserved, *self._given}
            free = [
                index
                for index, value in enumerate(near)
                if value >= RETRIEVED_MIN_NEARNESS and index not in own
            ]
            free.sort(key=lambda index: -near[index])
            late = [index for index in free if index in self.passed_over and near[index] < RETRIEVED_ANYWAY]
            taken += [index for index in free if index not in late][: QUOTES_OF_A_SECTION - len(taken)]
            taken += late[: max(0, LEAST_OF_A_SECTION - len(taken))]
        self._given.update(taken)
        return taken


def with_names(text: str, question: str) -> str:
    """A section's question, with the names of the whole question that it leaves out."""
    known = {stem(word.lower()) for word in WORD.findall(text)}
    more = [name for name in query_names(question) if stem(name.lower()) not in known]
    return f"{text} ({' '.join(more)})" if more else text


def _claim(finding: Finding) -> str:
    return f"{finding.heading.rpartition(' > ')[2]} {finding.claim}".strip()


def _text(finding: Finding) -> str:
    """A finding with the titles of its page and section: "It iced up" alone resembles nothing."""
    above = " > ".join(part for part in (finding.title, finding.heading) if part)
    return f"{above}\n{finding.claim}" if above else finding.claim
