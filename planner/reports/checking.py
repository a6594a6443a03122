"""Check the sentences of a report that a model wrote against their quotes, before citations are numbered.

A whole sentence that is copied from its quotes stays. What code is sure of against a sentence cuts it
(`planner.verify.vetoes`); all else is asked of a reader at once (`research_crawler.core.ports.entailment`), who may
also give the part of a sentence that its quotes say.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from planner.reports.check_log import CheckedSentence
from planner.reports.contradiction_sides import shown_sides, with_found_quotes
from planner.reports.sources.evidence import page_told
from planner.verify.listings import listing_in
from planner.verify.source import CitedSource
from planner.verify.verbatim import is_whole_sentence
from planner.verify.vetoes import Veto, vetoes
from research_crawler.core.models.cited_parts import Verdict
from research_crawler.core.models.drafts import (
    DraftCell,
    DraftTable,
    RecommendationDraft,
    ReportDraft,
    Sentence,
)
from research_crawler.core.models.entailment import EntailmentVerdict, Pair, PairReading, Readings
from research_crawler.core.models.findings import Finding
from research_crawler.core.models.report_parts import LISTED_PARTS
from research_crawler.core.web.urls import host_of
from research_crawler.text.citation_marks import strip_citations
from research_crawler.text.words import terms

Places = tuple[int, ...]
"""Indexes of findings."""
Key = tuple[str, Places]
"""A sentence and its findings."""
Judge = Callable[[Sequence[Pair]], Awaitable[Readings]]
"""Reads pairs; one reading each."""

VERDICTS: dict[EntailmentVerdict, Verdict] = {
    "supported": "supported",
    "contradicted": "contradicted",
    "not_said": "not_found",
    "could_not_check": "could_not_check",
}
"""What a report calls what a reader finds."""


class Checker:
    """Checks the sentences of the drafts of one report."""

    def __init__(self, findings: Sequence[Finding], *, goal: str, language: str, judge: Judge) -> None:
        """Prepare the checks.

        Args:
            findings: those to which the indexes in the drafts refer.
            goal: the question; a name in it need not stand in a quote.
            language: of the report.
            judge: the reader.
        """
        self._findings, self._goal, self._language, self._judge = findings, goal, language, judge
        self._sources: dict[int, CitedSource] = {}
        self._vetoes: dict[tuple[str, int], list[Veto]] = {}
        self.checked: list[CheckedSentence] = []
        """All sentences so far, those that were cut too."""
        self.left_out: list[str] = []
        """What the timeline says of contradictions that lost a side."""

    async def report(self, draft: ReportDraft) -> ReportDraft:
        """The draft without the sentences that are cut; the others have their verdicts."""
        keys = [part.key for part in LISTED_PARTS if part.cites and part.key in draft.lists]
        pairs = with_found_quotes(draft.contradictions, self._findings, self._is_vetoed)
        sections = draft.sections
        kept = await self._kept(
            [
                ("answer", draft.answer),
                *((key, draft.lists[key]) for key in keys),
                *((f"section {section.id}", section.sentences) for section in sections),
                *(("contradictions", [side]) for pair in pairs for side in (pair.one, pair.other)),
            ]
        )
        answer, lists, rest = kept[0], kept[1 : 1 + len(keys)], kept[1 + len(keys) :]
        shown, self.left_out = shown_sides(pairs, rest[len(sections) :])
        whole = [
            section.changed(sentences=found, table=self._table(section.table))
            for section, found in zip(sections, rest, strict=False)
        ]
        return draft.changed(
            answer=answer,
            lists={**draft.lists, **dict(zip(keys, lists, strict=True))},
            sections=[section for section in whole if section.sentences or section.table],
            contradictions=shown,
        )

    async def recommendation(self, draft: RecommendationDraft) -> RecommendationDraft:
        """The recommendation without the reasons and cautions that are cut."""
        reasons, cautions = await self._kept([("reasons", draft.reasons), ("cautions", draft.cautions)])
        return draft.changed(reasons=reasons, cautions=cautions)

    async def _kept(self, parts: Sequence[tuple[str, Sequence[Sentence]]]) -> list[list[Sentence]]:
        keys = [key for _, sentences in parts for key in filter(None, map(self._key, sentences))]
        found = await self._found(list(dict.fromkeys(keys)))
        return [
            [kept for one in sentences if (kept := self._shown(part, one, found)) is not None]
            for part, sentences in parts
        ]

    def _shown(self, part: str, sentence: Sentence, found: dict[Key, CheckedSentence]) -> Sentence | None:
        """The sentence as the report shows it, with its verdict; None if it is cut."""
        if (key := self._key(sentence)) is None:
            return sentence
        result = replace(found[key], part=part)
        self.checked.append(result)
        if not result.text:
            return None
        return sentence.changed(
            text=result.text,
            verdict=result.verdict,
            code=self._listing(part, sentence.code, result.places),
            evidence=list(dict.fromkeys([*sentence.evidence, *result.places])),
        )

    async def _found(self, keys: Sequence[Key]) -> dict[Key, CheckedSentence]:
        """What is found about each sentence; all that needs a reader is asked at once."""
        found: dict[Key, CheckedSentence] = {}
        read: dict[Key, Key] = {}
        for key in keys:
            if is_whole_sentence(key[0], self._sentences(key[1])):
                found[key] = self._checked(key, key[0], "supported")
            else:
                read[key] = self._with_missing_quote(key)
        asked = list(dict.fromkeys(read.values()))
        readings = await self._judge([self._pair(key) for key in asked]) if asked else Readings(by="")
        told = dict(zip(asked, readings.found, strict=True))
        for key, cited in read.items():
            found[key] = replace(self._decided(cited, told[cited], readings.by), written=key[0])
        return found

    def _decided(self, key: Key, reading: PairReading, by: str) -> CheckedSentence:
        """What becomes of a sentence: code's vetoes hold, whatever a reader says; he may give the part that is said."""
        reasons = [veto.reason for veto in self._vetoed(key)]
        said = strip_citations(reading.reworded, self._quotes(key[1]))
        if said and not self._vetoed((said, key[1])):
            return self._checked(key, said, "supported", by=by)
        if reasons:
            is_opposite = any(veto.kind == "negation" for veto in self._vetoed(key))
            return self._checked(key, "", "contradicted" if is_opposite else "not_found", reasons)
        verdict = VERDICTS[reading.verdict]
        text = key[0] if verdict in ("supported", "could_not_check") else ""
        return self._checked(key, text, verdict, [reading.reason] if reading.reason else [], by)

    def _checked(
        self, key: Key, text: str, verdict: Verdict, reasons: Sequence[str] = (), by: str = "code"
    ) -> CheckedSentence:
        written, places = key
        if text and all(self._findings[place].is_snippet for place in places):
            verdict, reasons = "could_not_check", (*reasons, "only the snippet of a search result says it")
        return CheckedSentence("", written, text, verdict, places, tuple(reasons), by)

    def _with_missing_quote(self, key: Key) -> Key:
        """The sentence with one more quote of a page that it cites, if code vetoes it without that quote and not with
        it: a writer names the quote that says most of a sentence, and forgets the other."""
        if not self._vetoed(key):
            return key
        text, places = key
        pages = {self._findings[place].url for place in places}
        others = [n for n, one in enumerate(self._findings) if one.url in pages and n not in places]
        wider = ((text, (*places, place)) for place in others)
        return next((one for one in wider if not self._vetoed(one)), key)

    def _table(self, table: DraftTable | None) -> DraftTable | None:
        """The table without the cells that code vetoes."""
        if table is None:
            return None
        rows = [
            row.changed(
                cells=[
                    self._cell(row.label, column, cell)
                    for column, cell in zip(table.columns[1:], row.cells, strict=False)
                ]
            )
            for row in table.rows
        ]
        rows = [row for row in rows if any(cell.evidence for cell in row.cells)]
        return table.changed(rows=rows) if len(rows) > 1 else None

    def _cell(self, label: str, column: str, cell: DraftCell) -> DraftCell:
        """The cell, emptied if its quotes lack a number, date or name in it, or are about neither row nor column.

        A few words are too little to be read as a statement: whether they belong to this row, nobody has checked.
        """
        key = self._key(Sentence(text=cell.text, evidence=cell.evidence)) if cell.evidence else None
        if key is None:
            return DraftCell()
        lacking = [veto.text for veto in self._vetoed(key) if veto.kind != "negation"]
        known = " ".join(self._source(place).whole for place in key[1])
        if not set(terms(f"{label} {column} {key[0]}")) & set(terms(known)):
            lacking.append(label)
        reasons = tuple(f"the source does not say {one!r}" for one in lacking)
        text = "" if lacking else key[0]
        verdict: Verdict = "not_found" if lacking else "could_not_check"
        self.checked.append(CheckedSentence("table", key[0], text, verdict, key[1], reasons, "code"))
        return DraftCell() if lacking else cell

    def _listing(self, part: str, code: str, places: Places) -> str:
        """The code that stands below a sentence, as its quotes have it; empty if they do not."""
        if not code.strip():
            return ""
        found = listing_in(code, self._quotes(places))
        if not found:
            reasons = ("no cited quote has this listing",)
            self.checked.append(
                CheckedSentence(f"{part} listing", code, "", "not_found", places, reasons, "code")
            )
        return found

    def _key(self, sentence: Sentence) -> Key | None:
        """The text that is checked, and its evidence; None for an excerpt, and for one without evidence, which is
        left out anyway."""
        places = tuple(
            place for place in dict.fromkeys(sentence.evidence) if 0 <= place < len(self._findings)
        )
        text = strip_citations(sentence.text, [self._findings[place].quote for place in places])
        return (text, places) if places and text and not sentence.is_excerpt else None

    def _pair(self, key: Key) -> Pair:
        text, places = key
        return Pair(
            statement=text,
            quotes=self._quotes(places),
            sources=[page_told(self._findings[place]) for place in places],
        )

    def _is_vetoed(self, text: str, places: Places) -> bool:
        return not places or bool(self._vetoed((strip_citations(text, self._quotes(places)), places)))

    def _vetoed(self, key: Key) -> list[Veto]:
        """What code is sure of against a sentence: what none of its quotes has, and the opposite of any of them."""
        first, *others = [self._vetoed_by(key[0], place) for place in key[1]]
        lacking = [one for one in first if one.kind != "negation" and all(one in other for other in others)]
        return lacking + [one for found in (first, *others) for one in found if one.kind == "negation"]

    def _vetoed_by(self, text: str, place: int) -> list[Veto]:
        if (text, place) not in self._vetoes:
            self._vetoes[text, place] = vetoes(text, self._source(place), self._language)
        return self._vetoes[text, place]

    def _sentences(self, places: Places) -> list[str]:
        return [one.text for place in places for one in self._source(place).sentences]

    def _quotes(self, places: Places) -> list[str]:
        return [self._findings[place].quote for place in places]

    def _source(self, place: int) -> CitedSource:
        if place not in self._sources:
            one = self._findings[place]
            context = (one.title, one.heading, one.subject, host_of(one.url), one.published[:10])
            self._sources[place] = CitedSource([one.quote], context, self._goal)
        return self._sources[place]
