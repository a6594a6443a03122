"""Citations: turn the evidence that a sentence names into numbers of Key Sources."""

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from planner.reports.sources.ranked_evidence import evidence_id
from planner.reports.sources.source_addresses import SourceAddresses
from planner.verify.composed_listing import composed_in
from planner.verify.listings import listing_in
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.records import VisitRecord
from research_crawler.core.models.reports.cited_parts import SentenceForm, Source, Verdict
from research_crawler.core.models.reports.drafts import Sentence
from research_crawler.core.text.plain_text import clean, clean_line
from research_crawler.core.web.urls import host_of
from research_crawler.text.markdown_blocks.excerpt_markdown import (
    excerpt_markdown,
    excerpt_text,
)
from research_crawler.text.measures.normal_quote import normal_quote
from research_crawler.text.writing.citation_marks import has_mark, strip_citations
from research_crawler.text.writing.markdown import escape_markdown, escape_with_code

MAX_SENTENCE = 1_200
"""A sentence of a report is cut to so many characters."""


@dataclass(frozen=True)
class Marks:
    """Citation marks with what stands around them, `[1][3] (also said by 1 other host: [4])`.

    They get their numbers when they are written, because sources are numbered after all sentences are known.
    """

    parts: Sequence[str | tuple[str, ...]] = ()
    """Texts, and the pages that are cited between them."""
    numbers: Mapping[str, int] = field(default_factory=dict, repr=False)
    """The numbers of Key Sources by page."""

    def __bool__(self) -> bool:
        return bool(self.parts)

    def __str__(self) -> str:
        return "".join(part if isinstance(part, str) else self._of(part) for part in self.parts)

    def _of(self, pages: Sequence[str]) -> str:
        return "".join(f"[{number}]" for number in sorted({self.numbers[page] for page in pages}))


NO_MARKS: Final = Marks()


@dataclass(frozen=True)
class Cited:
    """A sentence that cites evidence."""

    text: str
    evidence_ids: list[str]
    marks: Marks
    """The numbers of its Key Sources."""
    pages: tuple[str, ...]
    verdict: Verdict | None
    similar_ids: list[str] = field(default_factory=list)
    """Evidence of other hosts with a similar statement."""
    heading: str = ""
    """The section that it stands under."""
    label: str = ""
    """What stands above it, below the heading."""
    speaker: str = ""
    """Whose own words it is: the name of a site with its host, or the host alone."""
    excerpt: str = ""
    """The quote, if it is shown as the page has it."""
    code: str = ""
    """Commands or settings of its quotes, shown below it."""
    composed: Marks = NO_MARKS
    """What stands below code that no quote has as it is: "composed from [2][5]"."""
    form: SentenceForm = "line"
    calculation: str = ""
    quoted: str = "“{text}”"
    """How the report's language writes a quotation."""

    def as_blocks(self, *, goes_on: bool = False) -> str:
        """An excerpt with its lists and code and its marks; a sentence as `with_marks` gives it.

        Args:
            goes_on: the one before it is by the same speaker, so that he is not named again.
        """
        label = f"*{escape_markdown(self.label)}*\n\n" if self.label else ""
        shown = excerpt_markdown(self.excerpt)
        if not shown:
            return label + self.with_marks()
        last = shown.rpartition("\n")[2]
        between = "\n\n" if not last.strip("`") or last.startswith("|") else " "
        shown = f"{shown}{between}{self.marks}"
        if not self.speaker:
            return label + shown
        named = "" if goes_on and not label else f"{escape_markdown(self.speaker)}:\n\n"
        return label + named + "\n".join(f"> {line}".rstrip() for line in shown.splitlines())

    def with_marks(self, escape: Callable[[str], str] = escape_with_code) -> str:
        """The sentence with its marks, for documents; with `clean_line` as `escape`, for programs.

        One that has such marks itself stands in quotation marks, so that nobody takes what a page wrote for our
        citation.
        """
        is_told = bool(self.speaker) or has_mark(self.text)
        shown = self.quoted.format(text=escape(self.text)) if is_told else escape(self.text)
        if self.speaker:
            shown = f"{escape(self.speaker)}: {shown}"
        return f"{shown} {self.marks}".rstrip()


@dataclass(frozen=True)
class Phrases:
    """What stands beside citation marks, in the report's language."""

    of_snippet: str = "by the snippet of a search result; the page was not read"
    """Behind a sentence that the snippet of a search result says."""
    composed_from: str = "composed from"
    """Before the sources of a listing that no quote has as it is."""
    worked_out_from: str = "worked out from"
    """Before the sources of a figure that is worked out."""
    quoted: str = "“{text}”"
    """How a quotation is written."""


ENGLISH_PHRASES: Final = Phrases()


class Citations:
    """Numbers pages in the order in which sentences cite them, or as `numbered` is told.

    Only code writes citation marks; those that a model adds to what its evidence says are removed.
    """

    def __init__(
        self,
        findings: Sequence[Finding],
        visits: Sequence[VisitRecord],
        *,
        similar: Callable[[int], str] = lambda hosts: (
            f"also said by {hosts} other {'host' if hosts == 1 else 'hosts'}"
        ),
        remarks: Mapping[Verdict, str] = MappingProxyType({}),
        phrases: Phrases = ENGLISH_PHRASES,
        of_age: Callable[[str], str] = lambda _: "",
        goal: str = "",
        sites: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """`findings` in the order to which the indexes in the report draft refer.

        Args:
            similar: says in the report's language that so many other hosts say the same.
            remarks: what is put behind a sentence with such a verdict.
            phrases: what stands beside citation marks.
            of_age: says of when a sentence is whose newest page was published on such a day; empty if it is recent.
            goal: the question, of whose commands a listing may be made too.
            sites: what sites call themselves, by host.
        """
        self._of_age, self._goal, self._sites = of_age, goal, sites
        self._similar, self._remarks, self._phrases = similar, remarks, phrases
        self._findings = findings
        self._visits = {visit.command: visit for visit in visits}
        self._addresses = SourceAddresses(findings, visits)
        self._numbers: dict[str, int] = {}
        self._listings: set[str] = set()
        self.dropped = 0
        """Number of sentences left out because they named no valid evidence."""

    def cite(self, sentences: Sequence[Sentence]) -> list[Cited]:
        """Give each sentence with existing evidence its marks; its own, and URLs that no quote has, are removed.

        Those that name none are counted in `dropped`; one that is empty without its marks is left out uncounted.
        """
        kept = []
        for sentence in sentences:
            indexes = self._existing(sentence.evidence)
            text = cited_text(sentence.text, self._quotes(indexes))
            is_empty = not any(char.isalnum() for char in text)
            if indexes and not is_empty:
                kept.append(self._cited(sentence, text, indexes))
            elif not is_empty:
                self.dropped += 1
        return kept

    def sources(self, cited: Sequence[Cited]) -> list[Source]:
        """Key Sources in the order of their numbers."""
        used = {page for sentence in cited for page in sentence.pages}
        ids = {id_ for sentence in cited for id_ in (*sentence.evidence_ids, *sentence.similar_ids)}
        return [self._source(page, number, ids) for page, number in self._numbers.items() if page in used]

    def numbered(self, sources: Sequence[Source]) -> list[Source]:
        """The sources with the numbers 1, 2, … in this order; all marks have these numbers from now on."""
        order = dict.fromkeys([*(source.url for source in sources), *self._numbers])
        self._numbers.update({page: number for number, page in enumerate(order, 1)})
        return [source.changed(n=self._numbers[source.url]) for source in sources]

    def _cited(self, sentence: Sentence, text: str, indexes: Sequence[int]) -> Cited:
        """The sentence with its marks; `text` and `indexes` are what is left of its own."""
        quotes = self._quotes(indexes)
        pages = self._pages(indexes)
        similar = [p for p in self._existing(sentence.similar) if self._page(self._findings[p]) not in pages]
        similar_pages = self._pages(similar)
        has_snippet = any(self._findings[index].is_snippet for index in indexes)
        verdict = sentence.verdict or ("supported" if not has_snippet and _is_quoted(text, quotes) else None)
        code = self._listing(sentence, quotes)
        is_composed = bool(code) and not listing_in(code, quotes)
        marks = [
            *self._own_marks(sentence, pages),
            *self._similar_marks(similar_pages),
            *self._remark_marks(
                self._phrases.of_snippet if has_snippet else "",
                # An excerpt stands under its page's date.
                "" if sentence.is_excerpt else self._age(text, indexes),
                self._remarks.get(verdict, "") if verdict else "",
            ),
        ]
        return Cited(
            text=text,
            evidence_ids=[evidence_id(index) for index in indexes],
            marks=self._marks(*marks),
            pages=pages + similar_pages,
            verdict=verdict,
            similar_ids=[evidence_id(index) for index in similar],
            heading=clean_line(sentence.heading),
            label=clean_line(sentence.label),
            speaker=self._speaker(sentence),
            excerpt=quotes[0] if sentence.is_excerpt else "",
            code=code,
            composed=self._marks(f"{self._phrases.composed_from} ", pages) if is_composed else NO_MARKS,
            form=sentence.form,
            calculation=sentence.calculation,
            quoted=self._phrases.quoted,
        )

    def _speaker(self, sentence: Sentence) -> str:
        """Who says it, by the name of the site beside its host where the site has one."""
        host = clean_line(sentence.speaker)
        return f"{clean_line(self._sites[host])} ({host})" if host in self._sites else host

    def _own_marks(self, sentence: Sentence, pages: tuple[str, ...]) -> list[str | tuple[str, ...]]:
        """The pages of a sentence; of a figure that is worked out, with how."""
        if not sentence.calculation:
            return [pages]
        return [f"({self._phrases.worked_out_from} ", pages, f": {sentence.calculation})"]

    def _similar_marks(self, pages: tuple[str, ...]) -> list[str | tuple[str, ...]]:
        """Who else says it."""
        return [f" ({self._similar(len(set(map(host_of, pages))))}: ", pages, ")"] if pages else []

    def _remark_marks(self, *remarks: str) -> list[str | tuple[str, ...]]:
        """What is said of a sentence behind its pages."""
        return [f" ({remark})" for remark in remarks if remark]

    def _pages(self, indexes: Sequence[int]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self._page(self._findings[index]) for index in indexes))

    def _quotes(self, indexes: Sequence[int]) -> list[str]:
        return [self._findings[index].quote for index in indexes]

    def _listing(self, sentence: Sentence, quotes: Sequence[str]) -> str:
        """The code that the sentence shows, of its quotes or put together from them; a report shows none twice."""
        code = clean(listing_in(sentence.code, quotes) or composed_in(sentence.code, quotes, self._goal))
        if not code or code in self._listings:
            return ""
        self._listings.add(code)
        return code

    def _age(self, text: str, indexes: Sequence[int]) -> str:
        """Of when a sentence is that cites old pages alone, and does not name their year itself."""
        days = [self._findings[index].published for index in indexes]
        newest = max(days) if all(days) else ""
        return self._of_age(newest) if newest and newest[:4] not in text else ""

    def _existing(self, indexes: Sequence[int]) -> list[int]:
        return [index for index in dict.fromkeys(indexes) if 0 <= index < len(self._findings)]

    def _marks(self, *parts: str | tuple[str, ...]) -> Marks:
        for pages in parts:
            for page in pages if isinstance(pages, tuple) else ():
                self._numbers.setdefault(page, len(self._numbers) + 1)
        return Marks(parts, self._numbers)

    def _page(self, finding: Finding) -> str:
        """The address of the finding's source."""
        return self._addresses.of(finding)

    def _source(self, url: str, number: int, cited_ids: Set[str]) -> Source:
        of_page = [(index, f) for index, f in enumerate(self._findings) if self._page(f) == url]
        finding = next((f for _, f in of_page if self._addresses.is_at(f, url)), of_page[0][1])
        cited = (f.page_number for index, f in of_page if evidence_id(index) in cited_ids)
        visit = self._visits.get(finding.command)
        return Source(
            n=number,
            title=finding.title or (visit.title if visit else "") or host_of(url),
            url=url,
            host=host_of(url).removeprefix("www."),
            published=finding.published or (visit.published if visit else ""),
            fetched_at=finding.fetched_at,
            summary=visit.summary if visit else "",
            content_hash=finding.page_sha256,
            page_numbers=sorted({page for page in cited if page is not None}),
            other_urls=self._addresses.others(url),
        )


def cited_text(text: str, quotes: Sequence[str]) -> str:
    """A sentence as a report shows it: one line, without marks and URLs that its quotes lack."""
    return strip_citations(text[: 2 * MAX_SENTENCE], quotes)[:MAX_SENTENCE]


def _is_quoted(text: str, quotes: Sequence[str]) -> bool:
    """Whether the sentence has the same words as one of its quotes, so that the quote proves it."""
    wording = normal_quote(text)
    return any(
        wording
        in (normal_quote(quote), normal_quote(strip_citations(quote)), normal_quote(excerpt_text(quote)))
        for quote in quotes
    )
