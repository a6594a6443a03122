"""What a format is made of: a stored report, its language, and the text around its quotes."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, Literal

from research_crawler.core.models.reports.cited_parts import (
    Claim,
    Evidence,
    KeyFinding,
    Source,
    TableCell,
    Verdict,
)
from research_crawler.core.models.reports.report import Report
from research_crawler.core.web.urls import dedupe_key
from research_crawler.text.markdown_blocks.excerpt_markdown import excerpt_text
from research_crawler.text.writing.messages import Messages

CONTEXT_LETTERS: Final = 240
"""Letters of the page before a quote, and after it."""
_LOOKED_AT: Final = 3_000
"""Letters of the page's Markdown that are read for the context, with its marks and the targets of links."""
_EDGES: Final = " *_`"
MAX_QUOTES: Final = 3
"""Quotes shown at a mark whose sentence is not one of the report's records."""
MAX_QUOTE: Final = 900
"""Longest quote in a document."""
LEAST_LETTERS: Final = 12
"""Of a block that is found in a claim: a shorter one may stand in any."""
_HEADING: Final = re.compile(r"^#{1,6}[ \t].*$", re.MULTILINE)
_NOT_READ: Final = re.compile(r"[\W_]+")


@dataclass(frozen=True)
class Context:
    """The text of the page before and after a quote."""

    before: str = ""
    after: str = ""


NO_CONTEXT: Final = Context()
ShownVerdict = Verdict | Literal["quoted"]
"""quoted: it stands word for word in its page, and nobody has read whether it answers anything."""


@dataclass(frozen=True)
class Manuscript:
    """A report with what its formats need besides."""

    report: Report
    """Its texts are clean (`core.plain_text`)."""
    language: str = "en"
    contexts: Mapping[str, Context] = field(default_factory=dict)
    """By id of the evidence; without those whose page is no longer stored."""

    @cached_property
    def translate(self) -> Messages:
        """What code writes, in the language of the report."""
        return Messages(self.language)

    @cached_property
    def sources(self) -> dict[int, Source]:
        """The sources by their numbers."""
        return {source.n: source for source in self.report.sources}

    @cached_property
    def addresses(self) -> set[str]:
        """The URLs that code wrote into the report."""
        offers = self.report.phase2
        urls = [source.url for source in self.report.sources]
        urls += [product.url for product in self.report.products]
        if offers:
            urls += [product.url for product in offers.products]
            urls += [alternative.url for alternative in offers.alternatives]
            urls += [offers.recommended.url] if offers.recommended else []
        return {url for url in urls if url.startswith(("http://", "https://"))}

    def quotes_at(self, sentence: str, number: int) -> list[Evidence]:
        """The quotes of source `number` that a sentence rests on; of other sentences, the source's first ones."""
        ids = self._ids_of(_letters(sentence))
        quotes = [piece for piece in self._quotes.get(number, []) if piece.id in ids]
        return quotes or self.quotes_of(number)[:MAX_QUOTES]

    def quotes_of(self, number: int) -> list[Evidence]:
        """The quotes of a source that sentences of the report cite; if none is recorded, all of them."""
        quotes = self._quotes.get(number, [])
        return [piece for piece in quotes if piece.id in self._cited_ids] or quotes

    def quotes_named(self, number: int, ids: Collection[str]) -> list[Evidence]:
        """The quotes of a source with these ids; without any, those that sentences cite."""
        return [piece for piece in self._quotes.get(number, []) if piece.id in ids] or self.quotes_of(number)

    def verdict_at(self, sentence: str) -> Verdict | None:
        """What the quotes of a sentence say about it; None if nothing has checked it."""
        letters = _letters(sentence)
        if not letters:
            return None
        if letters in self._verdicts:
            return self._verdicts[letters]
        # The last block of a longer sentence, or a sentence with words that code has put before it.
        near = (
            verdict
            for text, verdict in self._verdicts.items()
            if text and (text.endswith(letters) or text in letters)
        )
        return next(near, None)

    def shown(self, verdict: Verdict) -> ShownVerdict:
        """A verdict as people are told it: the words of a page that no model wrote or read were not checked."""
        return "quoted" if verdict == "supported" and not self.report.check_note else verdict

    @property
    def certainty_line(self) -> str:
        """How far the report can be relied on, in a sentence."""
        excerpts = (
            self.translate("excerpts_only")
            if self.report.brain == "extractive" and self.report.claims
            else ""
        )
        return self.report.check_note or excerpts

    def verdict_within(self, block: str) -> Verdict | None:
        """What the quotes of a claim say that has this block as a part, as an excerpt of several paragraphs has."""
        letters = _letters(block)
        if len(letters) < LEAST_LETTERS:
            return None
        return next((verdict for text, verdict in self._verdicts.items() if letters in text), None)

    @cached_property
    def _verdicts(self) -> dict[str, Verdict]:
        claims = [
            *self.report.claims,
            *(claim for section in self.report.sections for claim in section.claims),
        ]
        return {_letters(claim.text): claim.verdict for claim in claims if claim.verdict}

    @cached_property
    def _quotes(self) -> dict[int, list[Evidence]]:
        number_of = _numbers(self.report)
        found: dict[int, list[Evidence]] = {}
        for piece in self.report.evidence:
            number = number_of(piece)
            if number is not None:
                found.setdefault(number, []).append(piece)
        return found

    @cached_property
    def _sentences(self) -> dict[str, set[str]]:
        """The cited sentences of the report, as letters alone, with the ids of their evidence."""
        listed = [entry for entries in self.report.lists.values() for entry in entries]
        rows = [row for section in self.report.sections if section.table for row in section.table.rows]
        disputed = [pair[side] for pair in self.report.contradictions for side in ("one", "other")]
        entries: list[Claim | KeyFinding | TableCell] = [
            *self.report.claims,
            *listed,
            *self.report.key_findings,
            *(claim for section in self.report.sections for claim in section.claims),
            *(cell for row in rows for cell in row.cells),
            *map(Claim.model_validate, disputed),
        ]
        found: dict[str, set[str]] = {}
        for entry in entries:
            found.setdefault(_letters(entry.text), set()).update(
                entry.evidence, getattr(entry, "similar", ())
            )
        return found

    @cached_property
    def _cited_ids(self) -> set[str]:
        return set().union(*self._sentences.values())

    def _ids_of(self, sentence: str) -> set[str]:
        if not sentence:
            return set()
        if sentence in self._sentences:
            return self._sentences[sentence]
        # The last block of an excerpt, or a quote that is introduced.
        same = [
            ids
            for text, ids in self._sentences.items()
            if text and (text.endswith(sentence) or text in sentence)
        ]
        quoted = (piece.id for piece in self.report.evidence if _letters(piece.quote)[:120] in sentence)
        return set().union(*same) if same else set(quoted)


def evidence_of_sources(report: Report) -> list[Evidence]:
    """The evidence from the sources that the report names: all that is shown, and of a long job the smaller part."""
    number_of = _numbers(report)
    return [piece for piece in report.evidence if number_of(piece) is not None]


def _numbers(report: Report) -> Callable[[Evidence], int | None]:
    """What finds the number of the source that a piece of evidence is from; None: the report does not name it."""
    by_page = {source.content_hash: source.n for source in report.sources if source.content_hash}
    by_url = {
        dedupe_key(url): source.n for source in report.sources for url in (source.url, *source.other_urls)
    }
    return lambda piece: by_url.get(dedupe_key(piece.url)) or by_page.get(piece.page_sha256)


def context_of(markdown: str, start: int, end: int) -> Context:
    """The text around `markdown[start:end]` under the same heading, without marks."""
    before, after = markdown[max(0, start - _LOOKED_AT) : start], markdown[end : end + _LOOKED_AT]
    if start > _LOOKED_AT:
        before = before.partition("\n")[2] or before  # a link that is cut would show its address
    before, after = _HEADING.split(before)[-1], _HEADING.split(after)[0]
    return Context(_last(excerpt_text(before).strip(_EDGES)), _first(excerpt_text(after).strip(_EDGES)))


def shortened_quote(quote: str) -> str:
    """A quote on one line, without Markdown marks, cut where it is very long."""
    return _first(excerpt_text(quote), MAX_QUOTE)


def comma_joined(parts: Iterable[str]) -> str:
    """The parts that are not empty, with commas between them."""
    return ", ".join(part for part in parts if part)


def _letters(text: str) -> str:
    return _NOT_READ.sub("", text.casefold())


def _first(text: str, most: int = CONTEXT_LETTERS) -> str:
    return text if len(text) <= most else text[:most].rpartition(" ")[0].rstrip() + " …"


def _last(text: str) -> str:
    return text if len(text) <= CONTEXT_LETTERS else "… " + text[-CONTEXT_LETTERS:].partition(" ")[2]
