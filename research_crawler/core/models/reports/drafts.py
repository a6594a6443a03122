"""What brains write: the material of a report and of a recommendation, and their drafts."""

from typing import Final, Literal

from pydantic import Field

from research_crawler.core.models.base import Frozen
from research_crawler.core.models.brain_answer import BrainAnswer
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.intent import Intent
from research_crawler.core.models.jobs.caller_question import Depth
from research_crawler.core.models.jobs.outline import Outline
from research_crawler.core.models.jobs.records import SearchRecord, VisitRecord
from research_crawler.core.models.offers.phase2 import OfferView
from research_crawler.core.models.reports.cited_parts import SentenceForm, Verdict
from research_crawler.core.models.reports.report import PriceRange

TABLE_ID: Final = "table"
"""The section that has nothing but the table of an answer, and stands within it."""


class ReportView(Frozen):
    """The material of a report. Evidence ids are positions in `findings`: `E1`, `E2` …"""

    goal: str
    today: str = ""
    """The date of the writing, as ISO text."""
    task: str = ""
    follow_up: str = ""
    """A follow-up question in its own words; `goal` has the subject of the first one beside them."""
    added: list[str] = Field(default_factory=list)
    """The words, as rankers compare them, that a follow-up question adds to the one before it."""
    intent: Intent = "informational"
    language: str = "en"
    findings: list[Finding] = Field(default_factory=list)
    searches: list[SearchRecord] = Field(default_factory=list)
    visited: list[VisitRecord] = Field(default_factory=list)
    pages_read: int = 0
    """Pages that the job has read; its record may have dropped the oldest of them from `visited`."""
    done_reason: str = ""
    missing: list[str] = Field(default_factory=list)
    depth: Depth = "standard"
    outline: Outline = Outline()
    max_words: int | None = None
    """Length of the report that the caller asked for; None: by depth and number of sub-questions."""


class Sentence(Frozen):
    """A sentence of the answer with its evidence: 0-based indexes into `ReportView.findings`."""

    text: str
    evidence: list[int] = Field(default_factory=list)
    similar: list[int] = Field(default_factory=list)
    """Findings of other hosts with a similar statement; nothing has checked that they support the sentence."""
    heading: str = ""
    """The section that it stands under; sentences in a row with one heading share it."""
    label: str = ""
    """What stands above it, below `heading`: the page and section that an excerpt is from."""
    speaker: str = ""
    """Who says it, if it is told as somebody's own words: a host."""
    is_excerpt: bool = False
    """Its evidence is shown as the page has it, with its lists and code; `text` is the same on one line."""
    verdict: Verdict | None = None
    """What its quotes say about it; None: nobody has compared them."""
    code: str = ""
    """Commands or settings of its quotes that are shown below it, line by line."""
    form: SentenceForm = "line"
    calculation: str = ""
    """How its figure is worked out from figures that its quotes have: `2 + 1 = 3`."""


class DraftCell(Frozen):
    """A cell of a table with its evidence; one without evidence is shown empty."""

    text: str = ""
    evidence: list[int] = Field(default_factory=list)
    verdict: Verdict | None = None
    """What its evidence says about it; None: not verified."""


class DraftRow(Frozen):
    """A row of a table: what it is about, and one cell for each column but the first."""

    label: str
    cells: list[DraftCell] = Field(default_factory=list)


class DraftTable(Frozen):
    """Things that are compared. The first column has the labels of the rows."""

    columns: list[str]
    rows: list[DraftRow] = Field(default_factory=list)


class DraftSection(Frozen):
    """A section below the answer, from its own evidence."""

    id: str
    title: str
    sub_questions: list[str] = Field(default_factory=list)
    """Those of the outline that it answers."""
    sentences: list[Sentence] = Field(default_factory=list)
    table: DraftTable | None = None
    uncited: list[str] = Field(default_factory=list)
    """Sentences that were left out because they name no evidence that the brain was shown."""


class Contradiction(Frozen):
    """Two statements of sources that cannot both be true, each with its own evidence."""

    about: str
    one: Sentence
    other: Sentence
    is_replaced: bool = False
    """What `one` says is newer and has replaced what `other` says."""
    is_unread: bool = False
    """Code alone says so, by their values: nobody has read whether both can be true."""

    @property
    def is_founded(self) -> bool:
        """Whether both sides name evidence; one quote may tell both, where a page tells of a dispute."""
        return bool(self.one.evidence and self.other.evidence)


class ReportDraft(BrainAnswer):
    """The text that a brain writes. Code renders citations and sources."""

    answer: list[Sentence] = Field(default_factory=list)
    sections: list[DraftSection] = Field(default_factory=list)
    """In the order in which they are shown, which is that of their importance."""
    contradictions: list[Contradiction] = Field(default_factory=list)
    unknown: list[str] = Field(default_factory=list)
    """What the findings do not say."""
    follow_ups: list[str] = Field(default_factory=list)
    """Questions that the answer leads to."""
    not_found: str = ""
    """If the findings do not answer the question: the titles of the nearest pages. Then there is no answer."""
    why_not: str = ""
    """Why there is no answer, if that is something else than what the pages say, and what to do."""
    answered: list[str] = Field(default_factory=list)
    """Sub-questions that the answer states and the research held to be open."""
    certainty: str = ""
    """One sentence on how certain the answer is, and what is missing."""
    certainty_evidence: list[int] = Field(default_factory=list)
    """What it speaks of, where a model has written it."""
    is_brief: bool = False
    """A small model has written it: it says less than its pages do, and leaves out what it was asked for."""
    is_doubtful: bool = False
    """Nobody has read whether the excerpts answer the question, and little speaks for it."""
    checks: str = ""
    """What the checks of its sentences found, told at the end of the report."""
    further: list[int] = Field(default_factory=list)
    """Findings whose pages tell more."""
    lists: dict[str, list[Sentence]] = Field(default_factory=dict)
    """By the key of LISTED_PARTS."""
    journey: str = ""
    uncited: list[str] = Field(default_factory=list)
    """Sentences that were left out because they name no evidence that the brain was shown."""


class RecommendationView(Frozen):
    """The material of a recommendation. Offers are `P1`, `P2` …; evidence ids are positions in `findings`."""

    goal: str
    today: str = ""
    task: str = ""
    language: str = "en"
    priorities: list[str] = Field(default_factory=list)
    """The goal's words for what matters most: "cheapest", "best"."""
    offers: list[OfferView] = Field(default_factory=list)
    """Best first, by the ranking without a model."""
    findings: list[Finding] = Field(default_factory=list)
    price_range: PriceRange = PriceRange()
    """The price range that phase 1 found for such a product."""
    range_named_by: Literal["Pages name", "The context names"] = "Pages name"
    currency: str = ""
    generic: str = ""
    """The goal's words for the kind of product."""


class AlternativePick(Frozen):
    """Another offer, by its position, and the reason for it."""

    product: int
    why: str = ""


class RecommendationDraft(BrainAnswer):
    """The offer that a brain recommends, with reasons. Code renders names, prices, URLs and citations."""

    product: int | None = None
    """Position in `RecommendationView.offers`; None: no offer."""
    reasons: list[Sentence] = Field(default_factory=list)
    cautions: list[Sentence] = Field(default_factory=list)
    alternatives: list[AlternativePick] = Field(default_factory=list)
