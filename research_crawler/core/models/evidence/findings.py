"""Findings: claims with verbatim quotes, and the proposals of extractors before their quotes are verified."""

from collections.abc import Mapping
from typing import Final, Literal

from pydantic import Field

from research_crawler.core.models.base import Frozen, Wire
from research_crawler.core.models.intent import Intent
from research_crawler.core.models.reasons import CeilingOwner

FindingKind = Literal[
    "key_fact",
    "recommendation",
    "source_cited",
    "recommended_product",
    "price_expectation",
    "spec_to_look_for",
    "warning",
    "vendor_mentioned",
]


ENTRY_FIELDS: Final[Mapping[Intent, dict[str, FindingKind]]] = {
    "informational": {
        "key_facts": "key_fact",
        "recommendations": "recommendation",
        "sources_cited": "source_cited",
    },
    "commerce": {
        "recommended_products": "recommended_product",
        "price_expectations": "price_expectation",
        "specs_to_look_for": "spec_to_look_for",
        "warnings": "warning",
        "vendors_mentioned": "vendor_mentioned",
    },
}
"""The fields in which an extractor answers, by intent, with the kind of finding that stands in each."""


class ProposedFinding(Frozen):
    """A claim about a page that an extractor proposes, with the quote that must prove it."""

    kind: FindingKind = "key_fact"
    claim: str
    quote: str
    heading: str = ""
    """The headings above the quote, outermost first, joined by ` > `."""
    score: float = 0.5
    """How useful it is for the goal, 0 to 1."""
    start: int | None = None
    """Where the quote stands in the stored page, if it was cut from there; None: it is to be looked for."""


class Extraction(Wire):
    """An extractor's answer about one page. `by` names the brain that gave it."""

    by: str
    relevance: float = Field(default=0.0, ge=0, le=1)
    confidence: float = Field(default=0.0, ge=0, le=1)
    summary: str = ""
    findings: list[ProposedFinding] = Field(default_factory=list)
    answers_all: bool = False
    """Whether the extractor found in what it read at once, this page and others, all that is asked."""
    leads_to: str = ""
    """The search for something that the page names and the rest of the answer depends on; empty: there is none."""
    left_out: list[str] = Field(default_factory=list)
    """The headings of sections of a long page that the extractor was not shown, the nearest first."""
    note: str = ""
    ceiling: CeilingOwner | None = None
    """As in a `BrainAnswer`."""


class Finding(Wire):
    """A claim with a verbatim quote: `stored.page.markdown[start:end] == quote`."""

    id: str
    """uuid5 of command and ordinal."""
    command: str
    kind: FindingKind = "key_fact"
    claim: str
    quote: str
    start: int
    end: int
    page_sha256: str
    url: str
    title: str = ""
    heading: str = ""
    """The headings above the quote, outermost first, joined by ` > `."""
    introduction: str = ""
    """What introduces the quote on its page and is not in it. Of a row of a table: the heads of its columns, and the
    cells before it in its row. Of an item of a list: the sentence above the list."""
    subject: str = ""
    """Names in the claim that the quote replaces by words such as "it", and that the page has shortly before it."""
    fetched_at: str = ""
    published: str = ""
    page_number: int | None = None
    """In a PDF: the page on which the quote begins, from 1."""
    score: float = 0.5
    by: str = ""
    is_snippet: bool = False
    """The quote is the snippet of a search result: nobody has read the page, so there is nothing to check it with."""
    retracted: bool = False
    """A person has rejected it: no report, no later round and no memory uses it. Only the archive has such findings."""
