"""What a report cites and how: claims, tables, sections, evidence and its sources."""

from typing import Literal

from pydantic import Field

from research_crawler.core.models.base import Frozen
from research_crawler.core.models.evidence.credibility import Credibility

Verdict = Literal["supported", "partly", "qualified", "contradicted", "not_found", "could_not_check"]
"""What the quotes of a sentence say about it. `qualified`: they limit what it says ("may", "some") or it widens what
they say ("all", "always"); `not_found`: they are about something else."""


SentenceForm = Literal["line", "point", "step", "see", "means", "do", "rule", "except", "or", "way"]
"""What a sentence is in an answer: a line of text, one of several reasons or things, a numbered step or another
way to do it, one of three parts of a cause (what you see, what it means, what to do), a rule of thumb, when that does
not hold, or the line above the steps of another way to do all of it."""


class Claim(Frozen):
    """A sentence of the answer, with what its evidence says about it; null: not verified."""

    text: str
    verdict: Verdict | None = None
    evidence: list[str] = Field(default_factory=list)
    """Ids of `evidence`, never empty."""
    similar: list[str] = Field(default_factory=list)
    """Ids of evidence of other hosts with a similar statement, which nothing has checked."""
    code: str = ""
    """Commands or settings that stand below it, as its quotes have them."""
    is_composed: bool = False
    """`code` stands so in no quote: it is put together from commands, names and values that the quotes have."""
    form: SentenceForm = "line"
    calculation: str = ""
    """How a figure that no quote has is worked out from those that the quotes have: `2 + 1 = 3`."""


class KeyFinding(Frozen):
    """An entry of a list in the report. `evidence` and `similar` as in `Claim`."""

    text: str
    evidence: list[str] = Field(default_factory=list)
    similar: list[str] = Field(default_factory=list)


class TableCell(Frozen):
    """A cell of a table; an empty one has no evidence."""

    text: str = ""
    evidence: list[str] = Field(default_factory=list)
    """Ids of `evidence`."""


class TableRow(Frozen):
    """A row of a table: its label, and one cell for each column but the first."""

    label: str
    cells: list[TableCell] = Field(default_factory=list)


class ReportTable(Frozen):
    """Things that are compared."""

    columns: list[str]
    rows: list[TableRow] = Field(default_factory=list)


class ReportSection(Frozen):
    """A section of the report below its answer."""

    id: str
    title: str
    claims: list[Claim] = Field(default_factory=list)
    table: ReportTable | None = None


class Evidence(Frozen):
    """A quote with its position in a stored page."""

    id: str
    claim: str
    quote: str
    start: int
    end: int
    url: str
    title: str = ""
    page_sha256: str = ""
    """The stored page that has the quote; empty for the snippet of a search result, whose page was not read."""
    fetched_at: str = ""
    remembered_from: str = ""
    """The earlier job that found it; empty: this one did."""
    page_number: int | None = None
    """In a PDF: the page on which the quote begins, from 1."""

    @property
    def is_snippet(self) -> bool:
        """Whether the quote is the snippet of a search result, and the page itself was not read."""
        return not self.page_sha256


class Source(Frozen):
    """A line of Key Sources. `n` is the number in citations."""

    n: int
    title: str
    url: str
    host: str
    published: str = ""
    fetched_at: str = ""
    summary: str = ""
    credibility: float | None = None
    """0 to 1: the weighted sum of its parts. Sources are numbered by it, the most credible first."""
    credibility_parts: Credibility | None = None
    is_remembered: bool = False
    """An earlier job read the page, at `fetched_at`; this job did not fetch it."""
    content_hash: str = ""
    page_numbers: list[int] = Field(default_factory=list)
    """In a PDF: the pages of the cited quotes."""
    other_urls: list[str] = Field(default_factory=list)
    """Other addresses under which the same page was read: http and https, with `www.`, with a final slash, or one
    that the page itself calls the same."""
    gone: bool = False
    """The page is no longer stored. This is computed when the report is read, and never stored."""
