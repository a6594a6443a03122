"""Check the sentences of a report that a model wrote against their quotes, before citations are numbered.

A whole sentence that is copied from its quotes stays. What code is sure of against a sentence cuts it
(`planner.verify.vetoes`); all else is asked of a reader at once (`Brain.check_entailment`), who may also
give the part of a sentence that its quotes say.
"""

import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final, NamedTuple

from planner.reports.checks.check_log import FOUND_BY_CODE, NO_EVIDENCE, CheckedSentence
from planner.reports.checks.contradiction_sides import FindingIndexes, shown_sides, with_found_quotes
from planner.reports.sources.ranked_evidence import page_told
from planner.verify.composed_listing import composed_in
from planner.verify.listings import listing_in
from planner.verify.parsed import parsed
from planner.verify.second_reading import bears_out, is_copied, is_doubted
from planner.verify.source import CitedSource
from planner.verify.verbatim import is_whole_sentence
from planner.verify.vetoes import Veto, vetoes
from planner.verify.worked_out import Calculation, calculation_in
from research_crawler.core.models.evidence.entailment import EntailmentVerdict, Pair, PairReading, Readings
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.reports.cited_parts import Verdict
from research_crawler.core.models.reports.drafts import (
    DraftCell,
    DraftRow,
    DraftTable,
    RecommendationDraft,
    ReportDraft,
    Sentence,
)
from research_crawler.core.models.reports.report_parts import LISTED_PARTS
from research_crawler.core.web.urls import host_of
from research_crawler.text.languages.words import terms
from research_crawler.text.measures.likeness import coverage
from research_crawler.text.writing.citation_marks import strip_citations

PairReader = Callable[[Sequence[Pair]], Awaitable[Readings]]
"""Reads pairs; one reading each."""

_IN_BACKTICKS: Final = re.compile(r"`([^`]+)`")
MOST_READ_CELLS: Final = 72
"""Three calls of a model; tables with more cells are shown as not checked beyond them."""
TURNED_ROUND: Final = "a reader finds it in its quotes, but they seem to deny it"
NOT_SHOWN: Final = "it has words of its own, and nobody has shown where its quotes say it"
NOT_IN_QUOTES: Final = "the cited quotes do not have all of this listing"
VERDICTS: dict[EntailmentVerdict, Verdict] = {
    "supported": "supported",
    "contradicted": "contradicted",
    "not_said": "not_found",
    "could_not_check": "could_not_check",
}
"""What a report calls what a reader finds."""


class StatementKey(NamedTuple):
    """A sentence without its citation marks, and its findings: what is checked once, wherever it stands."""

    text: str
    evidence: FindingIndexes


class CellPlace(NamedTuple):
    """A cell with the row and column that it stands in."""

    label: str
    column: str
    text: str
    evidence: FindingIndexes

    @property
    def cell(self) -> DraftCell:
        """The cell alone."""
        return DraftCell(text=self.text, evidence=list(self.evidence))

    @property
    def statement(self) -> str:
        """What the cell says of its row, as a reader is shown it."""
        return f"{self.label} – {self.column}: {self.text}"


class ListingPlace(NamedTuple):
    """A listing that is put together from the quotes of a sentence, below which it stands."""

    sentence: str
    code: str
    evidence: FindingIndexes

    @property
    def statement(self) -> str:
        """What a reader is shown."""
        return f"{self.sentence}\n{self.code}"


BlockPlace = CellPlace | ListingPlace
"""What is read beside the sentences."""


def _figures_of(text: str, language: str) -> list[str]:
    return [one.text for one in parsed(text, language).figures]


def _cells_of(row: DraftRow, columns: Sequence[str]) -> list[CellPlace]:
    return [
        CellPlace(row.label, column, cell.text, tuple(cell.evidence))
        for column, cell in zip(columns[1:], row.cells, strict=False)
    ]


def _comparing(table: DraftTable, least: int = 2) -> DraftTable | None:
    """The table without the columns that tell of fewer rows than `least`, and without the rows that tell of one thing
    alone where it has several; None if nothing is left to compare."""
    width = len(table.columns) - 1
    rows = [row for row in table.rows if len(row.cells) == width]
    filled = [sum(bool(row.cells[n].evidence) for row in rows) for n in range(width)]
    kept = [n for n in range(width) if filled[n] >= least]
    rows = [row.changed(cells=[row.cells[n] for n in kept]) for row in rows]
    rows = [row for row in rows if sum(bool(cell.evidence) for cell in row.cells) >= min(2, len(kept))]
    if not kept or len(rows) < 2:
        return None
    told = table.changed(columns=[table.columns[0], *(table.columns[n + 1] for n in kept)], rows=rows)
    return told if told == table else _comparing(told, least)


class Checker:
    """Checks the sentences of the drafts of one report."""

    def __init__(
        self, findings: Sequence[Finding], *, goal: str, language: str, read_pairs: PairReader
    ) -> None:
        """Prepare the checks.

        Args:
            findings: those to which the indexes in the drafts refer.
            goal: the question; a name in it need not stand in a quote.
            language: of the report.
            read_pairs: reads what quotes say of statements.
        """
        self._findings, self._goal, self._language, self._read_pairs = findings, goal, language, read_pairs
        self._sources: dict[int, CitedSource] = {}
        self._vetoes: dict[tuple[str, int], list[Veto]] = {}
        self._readings: dict[BlockPlace, PairReading] = {}
        self._worked_out: dict[StatementKey, Calculation] = {}
        self._reader = ""
        self._told: set[StatementKey] = set()
        self.checked: list[CheckedSentence] = []
        """All sentences so far, those that were cut too; one that stands in several parts with the first of them."""
        self.left_out: list[str] = []
        """What the timeline says of contradictions that lost a side."""

    async def report(self, draft: ReportDraft) -> ReportDraft:
        """The draft without the sentences that are cut; the others have their verdicts."""
        keys = [part.key for part in LISTED_PARTS if part.cites and part.key in draft.lists]
        pairs = with_found_quotes(draft.contradictions, self._findings, self._is_vetoed)
        sections = draft.sections
        tables = [section.table for section in sections if section.table]
        kept = await self._kept(
            [
                ("answer", draft.answer),
                *((key, draft.lists[key]) for key in keys),
                *((f"section {section.id}", section.sentences) for section in sections),
                *(("contradictions", [side]) for pair in pairs for side in (pair.one, pair.other)),
            ],
            self._cell_pairs(tables),
        )
        self._note_uncited("answer", draft.uncited)
        for section in sections:
            self._note_uncited(f"section {section.id}", section.uncited)
        answer, lists, rest = kept[0], kept[1 : 1 + len(keys)], kept[1 + len(keys) :]
        shown, self.left_out = shown_sides(pairs, rest[len(sections) :])
        whole = [
            section.changed(sentences=found, table=self._table(section.table))
            for section, found in zip(sections, rest, strict=False)
        ]
        return draft.changed(
            answer=answer,
            certainty="" if self._is_of_cut_listing(draft.certainty) else draft.certainty,
            lists={**draft.lists, **dict(zip(keys, lists, strict=True))},
            sections=[section for section in whole if section.sentences or section.table],
            contradictions=shown,
        )

    def _note_uncited(self, part: str, texts: Sequence[str]) -> None:
        """Count the sentences that their brain's answer had and whose evidence it was never shown."""
        self.checked += [
            CheckedSentence(part, text, "", "not_found", (), (NO_EVIDENCE,), FOUND_BY_CODE) for text in texts
        ]

    async def recommendation(self, draft: RecommendationDraft) -> RecommendationDraft:
        """The recommendation without the reasons and cautions that are cut."""
        reasons, cautions = await self._kept([("reasons", draft.reasons), ("cautions", draft.cautions)], {})
        return draft.changed(reasons=reasons, cautions=cautions)

    async def _kept(
        self, parts: Sequence[tuple[str, Sequence[Sentence]]], cells: Mapping[BlockPlace, Pair]
    ) -> list[list[Sentence]]:
        sentences = [one for _, of_part in parts for one in of_part]
        self._worked_out = {
            key: result
            for one in sentences
            if one.calculation
            and (key := self._key(one))
            and (result := self._calculation(one, key.evidence))
        }
        beside = {**cells, **self._listing_pairs(sentences)}
        keys = list(dict.fromkeys(filter(None, map(self._key, sentences))))
        found = await self._found(keys, beside)
        return [
            [kept for one in of_part if (kept := self._shown(part, one, found)) is not None]
            for part, of_part in parts
        ]

    def _shown(
        self, part: str, sentence: Sentence, found: dict[StatementKey, CheckedSentence]
    ) -> Sentence | None:
        """The sentence as the report shows it, with its verdict; None if it is cut."""
        if (key := self._key(sentence)) is None:
            return sentence
        result = replace(found[key], part=part)
        if key not in self._told:  # the key findings of a model are its answer
            self._told.add(key)
            self.checked.append(result)
        if not result.text:
            return None
        code, indexes = self._listing(part, sentence, key.evidence)
        return sentence.changed(
            text=result.text,
            verdict=result.verdict,
            code=code,
            calculation=worked.text if (worked := self._worked_out.get(key)) else "",
            evidence=list(dict.fromkeys([*sentence.evidence, *result.indexes, *indexes])),
        )

    async def _found(
        self, keys: Sequence[StatementKey], beside: Mapping[BlockPlace, Pair]
    ) -> dict[StatementKey, CheckedSentence]:
        """What is found about each sentence; all that needs a reader is asked at once, with what is read beside."""
        found: dict[StatementKey, CheckedSentence] = {}
        read: dict[StatementKey, StatementKey] = {}
        for key in keys:
            if is_whole_sentence(key.text, self._sentences(key.evidence)):
                found[key] = self._checked(key, key.text, "supported")
            else:
                read[key] = self._with_missing_quote(key)
        asked = list(dict.fromkeys(read.values()))
        pairs = [*map(self._pair, asked), *beside.values()]
        readings = await self._read_pairs(pairs) if pairs else Readings(by="")
        self._reader = readings.by
        reading_of = dict(zip(asked, readings.found, strict=False))
        self._readings = dict(zip(beside, readings.found[len(asked) :], strict=True))
        for key, cited in read.items():
            found[key] = replace(self._decided(cited, reading_of[cited]), written=key.text)
        return found

    def _decided(self, key: StatementKey, reading: PairReading) -> CheckedSentence:
        """What becomes of a sentence: vetoes of which code is certain hold, whatever a reader says; against another one
        he has the last word where he copies what says the sentence; he may give the part that is said."""
        by, quotes = self._reader, self._quotes(key.evidence)
        said = strip_citations(reading.reworded, quotes)
        lacks_name = any(veto.kind == "name" for veto in self._vetoed(key))
        if (
            said
            and (lacks_name or reading.verdict != "supported")
            and not self._vetoed(StatementKey(said, key.evidence))
        ):
            return self._checked(key, said, "supported", by=by)
        is_shown = bears_out(reading.words, key.text, quotes, self._language)
        # "before it has expired" may say what "if it has not expired" says: a denial with no other word may not.
        is_in_other_words = is_copied(reading.words, quotes) and self._has_own_words(key)
        is_read = reading.verdict == "supported" and (is_shown or is_in_other_words)
        if found := [veto for veto in self._vetoed(key) if veto.is_certain or not is_read]:
            is_opposite = any(veto.kind == "negation" for veto in found)
            verdict: Verdict = "contradicted" if is_opposite else "not_found"
            has_read = VERDICTS[reading.verdict] in ("contradicted", "not_found")
            return self._checked(
                key, "", verdict, [veto.reason for veto in found], by if has_read else FOUND_BY_CODE
            )
        verdict = VERDICTS[reading.verdict]
        if verdict == "supported" and not is_shown and self._is_doubted(key):
            reason = TURNED_ROUND if self._vetoed(key) else NOT_SHOWN
            return self._checked(key, key.text, "could_not_check", [reading.reason or reason], by)
        text = key.text if verdict in ("supported", "could_not_check") else ""
        return self._checked(key, text, verdict, [reading.reason] if reading.reason else [], by)

    def _checked(
        self,
        key: StatementKey,
        text: str,
        verdict: Verdict,
        reasons: Sequence[str] = (),
        by: str = FOUND_BY_CODE,
    ) -> CheckedSentence:
        written, indexes = key
        if text and all(self._findings[index].is_snippet for index in indexes):
            verdict, reasons = "could_not_check", (*reasons, "only the snippet of a search result says it")
        return CheckedSentence("", written, text, verdict, indexes, tuple(reasons), by)

    def _with_missing_quote(self, key: StatementKey) -> StatementKey:
        """The sentence with one more quote of a page that it cites, if code vetoes it without that quote and not with
        it: a writer names the quote that says most of a sentence, and forgets the other."""
        if not self._vetoed(key):
            return key
        wider = (StatementKey(key.text, indexes) for indexes in self._wider(key.evidence))
        return next((one for one in wider if not self._vetoed(one)), key)

    def _wider(self, indexes: FindingIndexes) -> Iterator[FindingIndexes]:
        """Findings with each other one of their pages in turn."""
        pages = {self._findings[index].url for index in indexes}
        others = (n for n, one in enumerate(self._findings) if one.url in pages and n not in indexes)
        return ((*indexes, index) for index in others)

    def _table(self, table: DraftTable | None) -> DraftTable | None:
        """The table without the cells that are cut, and without rows and columns that compare nothing. What a reader
        finds right stays where the other cell of its column is cut: it is told nowhere else."""
        table = _comparing(table) if table else None
        if table is None:
            return None
        rows = [
            row.changed(cells=[self._cell(index) for index in _cells_of(row, table.columns)])
            for row in table.rows
        ]
        return _comparing(table.changed(rows=rows), least=1)

    def _cell(self, place: CellPlace) -> DraftCell:
        """The cell with its verdict, emptied if its quotes lack a number, date or name in it, if they are about neither
        row nor column, or if a reader finds that they do not say it of its row."""
        key = self._cell_key(place.cell)
        if key is None:
            return DraftCell()
        by = FOUND_BY_CODE
        if reasons := self._lacking(place, key):
            verdict: Verdict = "not_found"
        else:
            by = self._reader if place in self._readings else FOUND_BY_CODE
            reading = self._readings.get(place, PairReading(reason="too many cells to read"))
            verdict, reasons = VERDICTS[reading.verdict], [reading.reason] if reading.reason else []
            if verdict == "supported" and not (
                self._stands_together(place, key)
                or bears_out(reading.words, place.statement, self._quotes(key.evidence), self._language)
            ):
                verdict, reasons = "could_not_check", ["no quote has it beside what its row is about"]
        text = key.text if verdict in ("supported", "could_not_check") else ""
        self.checked.append(
            CheckedSentence("table", key.text, text, verdict, key.evidence, tuple(reasons), by)
        )
        return place.cell.changed(verdict=verdict) if text else DraftCell()

    def _lacking(self, place: CellPlace, key: StatementKey) -> list[str]:
        """What the quotes of a cell lack."""
        lacking = [veto.text for veto in self._vetoed(key) if veto.is_certain]
        known = " ".join(self._source(at).whole for at in key.evidence)
        if not set(terms(f"{place.label} {place.column} {key.text}")) & set(terms(known)):
            lacking.append(place.label)
        return [f"the source does not say {one!r}" for one in lacking]

    def _stands_together(self, place: CellPlace, key: StatementKey) -> bool:
        """Whether one quote has both what is in the cell and what its row is about: of two quotes, each may belong to
        another row."""
        label = terms(place.label, self._language)
        return any(
            not any(veto.is_certain for veto in self._vetoed_by(key.text, at))
            and coverage(label, set(terms(self._source(at).whole, self._language))) == 1
            for at in key.evidence
        )

    def _cell_key(self, cell: DraftCell) -> StatementKey | None:
        return self._key(Sentence(text=cell.text, evidence=cell.evidence)) if cell.evidence else None

    def _cell_pairs(self, tables: Iterable[DraftTable]) -> dict[BlockPlace, Pair]:
        """The cells that a reader has to read, as statements about their rows."""
        found: dict[BlockPlace, Pair] = {}
        for place in (one for table in tables for row in table.rows for one in _cells_of(row, table.columns)):
            key = self._cell_key(place.cell)
            if key is None or self._lacking(place, key):
                continue
            pair = self._pair(StatementKey(place.statement, key.evidence))
            found[place] = pair.changed(is_doubted=not self._stands_together(place, key))
        return dict(islice(found.items(), MOST_READ_CELLS))

    def _listing_pairs(self, sentences: Iterable[Sentence]) -> dict[BlockPlace, Pair]:
        """The listings that a reader has to read: those that no quote has as they are."""
        composed = (
            self._composed(one, key.evidence) for one in sentences if one.code and (key := self._key(one))
        )
        pairs = {one: self._pair(StatementKey(one.statement, one.evidence)) for one in composed if one}
        # Code has looked up each of their words, so that they are read once.
        return {one: pair.changed(is_doubted=False) for one, pair in pairs.items()}

    def _composed(self, sentence: Sentence, indexes: FindingIndexes) -> ListingPlace | None:
        """The listing below a sentence, if its quotes do not have it as it is: put together from them, or with one more
        quote of their pages. A writer names the quotes that say what he tells, and forgets the one with the command.
        """
        if listing_in(sentence.code, self._quotes(indexes)):
            return None
        for wider in (indexes, *self._wider(indexes)):
            quotes = self._quotes(wider)
            if code := listing_in(sentence.code, quotes) or composed_in(sentence.code, quotes):
                return ListingPlace(sentence.text, code, wider)
        return None

    def _listing(self, part: str, sentence: Sentence, indexes: FindingIndexes) -> tuple[str, FindingIndexes]:
        """The code that stands below a sentence, and the findings that have it: as its quotes have it or put together
        from them; empty if a reader does not find it there, or if it has anything that they have not. What only another
        quote of the page completes is shown where a reader has found it right.
        """
        if not sentence.code.strip():
            return "", ()
        if found := listing_in(sentence.code, self._quotes(indexes)):
            return found, indexes
        if not (composed := self._composed(sentence, indexes)):
            self._cut_listing(part, sentence.code, indexes, NOT_IN_QUOTES)
            return "", ()
        reading = self._readings.get(composed, PairReading())
        verdict = VERDICTS[reading.verdict]
        if verdict == "supported" or (verdict == "could_not_check" and composed.evidence == indexes):
            return composed.code, composed.evidence
        why, by = (
            (NOT_IN_QUOTES, FOUND_BY_CODE) if verdict == "could_not_check" else (reading.reason, self._reader)
        )
        self._cut_listing(part, sentence.code, indexes, why, by)
        return "", ()

    def _cut_listing(
        self, part: str, code: str, indexes: FindingIndexes, why: str, by: str = FOUND_BY_CODE
    ) -> None:
        """Tell once what has no listing, in whichever parts the sentence stands."""
        key = StatementKey(code, indexes)
        if key not in self._told:
            self._told.add(key)
            self.checked.append(
                CheckedSentence(f"{part} listing", code, "", "not_found", indexes, (why,), by)
            )

    def _is_of_cut_listing(self, text: str) -> bool:
        """Whether a text names code that has been cut and that no quote has: it would speak of what nobody sees."""
        cut = " ".join(one.written for one in self.checked if one.part.endswith(" listing"))
        quotes = " ".join(finding.quote for finding in self._findings)
        return any(code in cut and code not in quotes for code in _IN_BACKTICKS.findall(text))

    def _calculation(self, sentence: Sentence, indexes: FindingIndexes) -> Calculation | None:
        """How a sentence works out a figure from figures of its quotes; None if that does not hold."""
        found = calculation_in(sentence.calculation)
        is_used = found is not None and any(map(found.gives, _figures_of(sentence.text, self._language)))
        return found if found and is_used and found.rests_on([*map(self._source, indexes)]) else None

    def _key(self, sentence: Sentence) -> StatementKey | None:
        """The text that is checked, and its evidence; None for an excerpt, and for one without evidence, which is
        left out anyway."""
        indexes = tuple(
            index for index in dict.fromkeys(sentence.evidence) if 0 <= index < len(self._findings)
        )
        text = strip_citations(sentence.text, [self._findings[index].quote for index in indexes])
        return StatementKey(text, indexes) if indexes and text and not sentence.is_excerpt else None

    def _pair(self, key: StatementKey) -> Pair:
        text, indexes = key
        worked_out = self._worked_out.get(key)
        return Pair(
            statement=f"{text} ({worked_out.text})" if worked_out else text,
            quotes=self._quotes(indexes),
            sources=[page_told(self._findings[index]) for index in indexes],
            is_doubted=self._is_doubted(key),
            missing_names=[veto.text for veto in self._vetoed(key) if veto.kind == "name"],
        )

    def _is_doubted(self, key: StatementKey) -> bool:
        """Whether a sentence is read twice: for words of its own, and for what a reader may outvote."""
        found = self._vetoed(key)
        if found:
            return not any(veto.is_certain for veto in found)
        if key in self._worked_out:  # its own word is the result, which code has worked out again
            return False
        return self._has_own_words(key)

    def _has_own_words(self, key: StatementKey) -> bool:
        return is_doubted(key.text, [self._source(index) for index in key.evidence], self._language)

    def _is_vetoed(self, text: str, indexes: FindingIndexes) -> bool:
        return not indexes or bool(
            self._vetoed(StatementKey(strip_citations(text, self._quotes(indexes)), indexes))
        )

    def _vetoed(self, key: StatementKey) -> list[Veto]:
        """What code is sure of against a sentence: what none of its quotes has, and the opposite of any of them."""
        first, *others = [self._vetoed_by(key.text, index) for index in key.evidence]
        lacking = [one for one in first if one.kind != "negation" and all(one in other for other in others)]
        if worked_out := self._worked_out.get(key):
            lacking = [one for one in lacking if one.kind != "figure" or not worked_out.gives(one.text)]
        return lacking + [one for found in (first, *others) for one in found if one.kind == "negation"]

    def _vetoed_by(self, text: str, index: int) -> list[Veto]:
        if (text, index) not in self._vetoes:
            self._vetoes[text, index] = vetoes(text, self._source(index), self._language)
        return self._vetoes[text, index]

    def _sentences(self, indexes: FindingIndexes) -> list[str]:
        return [one.text for index in indexes for one in self._source(index).sentences]

    def _quotes(self, indexes: FindingIndexes) -> list[str]:
        return [self._findings[index].quote for index in indexes]

    def _source(self, index: int) -> CitedSource:
        if index not in self._sources:
            finding = self._findings[index]
            context = (
                finding.title,
                finding.heading,
                finding.subject,
                host_of(finding.url),
                finding.published[:10],
            )
            self._sources[index] = CitedSource(
                [finding.quote], context, self._goal, [finding.url], [finding.introduction]
            )
        return self._sources[index]
