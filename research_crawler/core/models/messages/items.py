"""The item of the pipelines: the outcome of one command until it is settled."""

from dataclasses import dataclass, field

from research_crawler.core.models.evidence.findings import Extraction, Finding
from research_crawler.core.models.messages.commands import Command
from research_crawler.core.models.messages.events import (
    CommandDone,
    PageReading,
    ProviderReport,
    SearchResult,
    Usage,
)
from research_crawler.core.models.offers.products import Product
from research_crawler.core.models.reasons import OutcomeKind
from research_crawler.core.models.web.pages import MAX_LINKS, Passage, StoredPage
from research_crawler.core.models.why import NO_REASON, Why


@dataclass(eq=False, kw_only=True)
class CommandItem:
    """The result of a command from a spider. The pipelines add to it; `notify` turns it into the event."""

    command: Command
    token: str
    outcome: OutcomeKind = "ok"
    reason: Why = NO_REASON
    query: str = ""
    results: list[SearchResult] = field(default_factory=list)
    providers: list[ProviderReport] = field(default_factory=list)
    page: StoredPage | None = None
    passages: list[Passage] = field(default_factory=list)
    """The passages of a page that was read now; those of a stored one are split where they are needed."""
    processed: str = ""
    """What the `PageProcessor` made of a page that was read now."""
    raw: bytes = b""
    """The bytes of a vendor's page if it was downloaded now. They are not part of the event."""
    from_store: bool = False
    extraction: Extraction | None = None
    tokens_shown: int = 0
    left_out: list[str] = field(default_factory=list)
    refused_quotes: int = 0
    findings: list[Finding] = field(default_factory=list)
    products: list[Product] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)
    downloads: int = 0
    pages_fetched: int = 0
    seconds: float = 0.0

    def to_event(self) -> CommandDone:
        """The event that settles the command."""
        return CommandDone(
            uid=self.command.id,
            job=self.command.job,
            command=self.command.id,
            round=self.command.round,
            outcome=self.outcome,
            reason=self.reason,
            query=self.query,
            results=self.results,
            providers=self.providers,
            page=self._reading() if self.page else None,
            findings=self.findings,
            products=self.products,
            usage=self.usage,
            by_role=self.usage.by_role,
            downloads=self.downloads,
            pages_fetched=self.pages_fetched,
            seconds=round(self.seconds, 3),
        )

    def _reading(self) -> PageReading:
        assert self.page
        page, read = self.page, self.extraction or Extraction(by="")
        return PageReading(
            url=self.command.first_url,
            final_url=page.final_url,
            canonical_url=page.page.canonical_url,
            sha=page.sha,
            title=page.page.title[:300],
            published=page.page.published,
            language=page.page.language,
            kind=page.page.kind,
            fetched_at=page.fetched_at,
            status=page.status,
            from_store=self.from_store,
            tokens=page.tokens,
            tokens_shown=self.tokens_shown,
            relevance=read.relevance,
            confidence=read.confidence,
            summary=read.summary[:600],
            answers_all=read.answers_all,
            leads_to=read.leads_to,
            by=read.by,
            note=read.note,
            ceiling=read.ceiling,
            refused_quotes=self.refused_quotes,
            links=page.page.links[:MAX_LINKS],
            left_out=self.left_out,
        )
