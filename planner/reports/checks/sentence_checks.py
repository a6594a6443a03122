"""Check the sentences of a report that a model wrote against their quotes, before citations are numbered.

A sentence goes this way:

1. `StatementEvidence` takes its citation marks off and looks up the findings that it cites.
2. If it is a whole sentence of its quotes, it stays, and nobody has to read it.
3. Code looks for what its quotes do not have (`planner.verify.vetoes`), with a forgotten quote of the page if need be.
4. A reader is asked at once about all sentences that are left, about the cells of tables (`TableChecks`) and about
   listings that no quote has as they are (`ListingChecks`): `Brain.check_entailment`.
5. `SentenceChecker._decided` weighs the vetoes of code and what the reader found.
6. What is cut is taken out; what stays gets its verdict. `SentenceChecker.checked` has both, for claims.jsonl.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from planner.reports.checks.check_log import FOUND_BY_CODE, NO_EVIDENCE, VERDICTS, CheckedSentence
from planner.reports.checks.contradiction_sides import shown_sides, with_found_quotes
from planner.reports.checks.listing_checks import ListingChecks, ListingPlace
from planner.reports.checks.statement_evidence import CitedStatement, StatementEvidence
from planner.reports.checks.table_checks import CellPlace, TableChecks
from planner.verify.second_reading import bears_out, is_copied
from planner.verify.verbatim import is_whole_sentence
from planner.verify.vetoes import Veto
from research_crawler.core.models.evidence.entailment import Pair, PairReading, Readings
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.reports.cited_parts import Verdict
from research_crawler.core.models.reports.drafts import RecommendationDraft, ReportDraft, Sentence
from research_crawler.core.models.reports.report_parts import LISTED_PARTS
from research_crawler.text.writing.citation_marks import strip_citations

PairReader = Callable[[Sequence[Pair]], Awaitable[Readings]]
"""Reads pairs; one reading each."""
Part = tuple[str, Sequence[Sentence]]
"""A part of a report, by the name that claims.jsonl has for it, and its sentences."""

TURNED_ROUND: Final = "a reader finds it in its quotes, but they seem to deny it"
NOT_SHOWN: Final = "it has words of its own, and nobody has shown where its quotes say it"
TOLD_AS: Final[Mapping[str, str]] = {
    "see": "what is seen",
    "means": "what that means",
    "do": "what to do about it",
}
"""What a reader is told of the part that a sentence has in a cause: alone, "`X` is then in effect" says nothing."""
ONLY_SNIPPET: Final = "only the snippet of a search result says it"


@dataclass(frozen=True)
class ReaderFindings:
    """What a reader has found in one go."""

    by: str = ""
    statements: Mapping[CitedStatement, PairReading] = field(default_factory=dict)
    cells: Mapping[CellPlace, PairReading] = field(default_factory=dict)
    listings: Mapping[ListingPlace, PairReading] = field(default_factory=dict)


class SentenceChecker:
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
        self._evidence = StatementEvidence(findings, goal=goal, language=language)
        self._listings = ListingChecks(self._evidence)
        self._ask_reader = read_pairs
        self._reader_findings = ReaderFindings()
        self._opening: CitedStatement | None = None
        """The first sentence of the answer, as it is written: it may say in short what others say with their quotes."""
        self._told_as: dict[str, str] = {}
        """By the text of a sentence: its part in a cause."""
        self._recorded: set[CitedStatement] = set()
        """Sentences and listings that `checked` has."""
        self.checked: list[CheckedSentence] = []
        """All sentences so far, those that were cut too; one that stands in several parts with the first of them."""
        self.left_out: list[str] = []
        """What the timeline says of contradictions that lost a side."""

    async def check_report(self, draft: ReportDraft) -> ReportDraft:
        """The draft without the sentences that are cut; the others have their verdicts."""
        pairs = with_found_quotes(draft.contradictions, self._evidence.findings, self._evidence.is_vetoed)
        keys = [part.key for part in LISTED_PARTS if part.cites and part.key in draft.lists]
        sections, tables = draft.sections, TableChecks(self._evidence)
        self._opening = self._evidence.statement_of(draft.answer[0]) if draft.answer else None
        answer, lists, bodies, sides = await self._kept_in_groups(
            [("answer", draft.answer)],
            [(key, draft.lists[key]) for key in keys],
            [(f"section {section.id}", section.sentences) for section in sections],
            [("contradictions", [side]) for pair in pairs for side in (pair.one, pair.other)],
            cells=tables.pairs(section.table for section in sections if section.table),
        )
        self._record_uncited("answer", draft.uncited)
        for section in sections:
            self._record_uncited(f"section {section.id}", section.uncited)
        contradictions, self.left_out = shown_sides(pairs, sides)
        checked_sections = [
            section.changed(
                sentences=body,
                table=tables.shown(section.table, self._reader_findings.cells, self._reader_findings.by),
            )
            for section, body in zip(sections, bodies, strict=True)
        ]
        self.checked += tables.checked
        names_cut_code = self._listings.names_cut_code(draft.certainty, self.checked)
        return draft.changed(
            answer=answer[0],
            certainty="" if names_cut_code else draft.certainty,
            lists={**draft.lists, **dict(zip(keys, lists, strict=True))},
            sections=[section for section in checked_sections if section.sentences or section.table],
            contradictions=contradictions,
        )

    async def check_recommendation(self, draft: RecommendationDraft) -> RecommendationDraft:
        """The recommendation without the reasons and cautions that are cut."""
        [[reasons, cautions]] = await self._kept_in_groups(
            [("reasons", draft.reasons), ("cautions", draft.cautions)], cells={}
        )
        return draft.changed(reasons=reasons, cautions=cautions)

    def _record_uncited(self, part: str, texts: Sequence[str]) -> None:
        """Count the sentences that their brain's answer had and whose evidence it was never shown."""
        self.checked += [
            CheckedSentence(part, text, "", "not_found", (), (NO_EVIDENCE,), FOUND_BY_CODE) for text in texts
        ]

    async def _kept_in_groups(
        self, *groups: Sequence[Part], cells: Mapping[CellPlace, Pair]
    ) -> list[list[list[Sentence]]]:
        """What is left of each part, group by group. All of them are read at once, with the cells."""
        sentences = [sentence for group in groups for _, of_part in group for sentence in of_part]
        self._evidence.work_out(sentences)
        statements = list(dict.fromkeys(filter(None, map(self._evidence.statement_of, sentences))))
        self._told_as = {
            read.text: TOLD_AS[sentence.form]
            for sentence in sentences
            if sentence.form in TOLD_AS and (read := self._evidence.statement_of(sentence))
        }
        found = await self._check_statements(statements, cells, self._listings.pairs(sentences))
        return [
            [
                [shown for sentence in of_part if (shown := self._shown(part, sentence, found)) is not None]
                for part, of_part in group
            ]
            for group in groups
        ]

    def _shown(
        self, part: str, sentence: Sentence, found: Mapping[CitedStatement, CheckedSentence]
    ) -> Sentence | None:
        """The sentence as the report shows it, with its verdict; None if it is cut."""
        if (statement := self._evidence.statement_of(sentence)) is None:
            return sentence
        result = replace(found[statement], part=part)
        self._record(statement, result)
        if not result.text:
            return None
        listing = self._listings.shown(
            part, sentence, statement.indexes, self._reader_findings.listings, self._reader_findings.by
        )
        if listing.cut:
            self._record(CitedStatement(listing.cut.written, listing.cut.indexes), listing.cut)
        return sentence.changed(
            text=result.text,
            verdict=result.verdict,
            code=listing.code,
            calculation=self._evidence.calculation_of(statement),
            evidence=list(dict.fromkeys([*sentence.evidence, *result.indexes, *listing.indexes])),
        )

    def _record(self, statement: CitedStatement, result: CheckedSentence) -> None:
        """Tell once what was found, in whichever parts it stands: the key findings of a model are its answer."""
        if statement not in self._recorded:
            self._recorded.add(statement)
            self.checked.append(result)

    async def _check_statements(
        self,
        statements: Sequence[CitedStatement],
        cells: Mapping[CellPlace, Pair],
        listings: Mapping[ListingPlace, Pair],
    ) -> dict[CitedStatement, CheckedSentence]:
        """What becomes of each sentence; a reader is asked about all of them at once.

        A whole sentence of its quotes needs no reader. Any other is read with the quote that its writer has forgotten,
        if there is one: what is read may cite more than what is written, and what is found of it holds for both.
        """
        quoted = [statement for statement in statements if self._is_quoted(statement)]
        checked = {statement: self._outcome(statement, statement.text, "supported") for statement in quoted}
        read_as = {
            statement: self._evidence.with_missing_quote(statement)
            for statement in statements
            if statement not in checked
        }
        opening = read_as.get(self._opening) if self._opening else None
        self._reader_findings = await self._findings_of_reader(
            list(dict.fromkeys(read_as.values())), opening, cells, listings
        )
        for written, read in read_as.items():
            others = read_as.values() if read == opening else ()
            checked[written] = replace(self._checked_as_read(read, others), written=written.text)
        return checked

    def _is_quoted(self, statement: CitedStatement) -> bool:
        """Whether it is a whole sentence of its quotes, so that nobody has to read it."""
        return is_whole_sentence(statement.text, self._evidence.whole_sentences(statement.indexes))

    def _checked_as_read(self, read: CitedStatement, others: Iterable[CitedStatement]) -> CheckedSentence:
        """What becomes of a sentence that was read; `others`: those whose quotes may say it too.

        Where a reader copied its words from their quotes, it cites these as well.
        """
        reading = self._reader_findings.statements[read]
        return self._decided(self._evidence.with_copied_quotes(read, reading.words, others), reading)

    async def _findings_of_reader(
        self,
        statements: Sequence[CitedStatement],
        opening: CitedStatement | None,
        cells: Mapping[CellPlace, Pair],
        listings: Mapping[ListingPlace, Pair],
    ) -> ReaderFindings:
        """What a reader finds; nobody is asked about nothing. `opening`: which of the sentences opens the answer."""
        of_statements = [
            self._evidence.pair_of(
                statement, opens_answer=statement == opening, told_as=self._told_as.get(statement.text, "")
            )
            for statement in statements
        ]
        pairs = [*of_statements, *cells.values(), *listings.values()]
        if not pairs:
            return ReaderFindings()
        answer = await self._ask_reader(pairs)
        first_cell, first_listing = len(statements), len(statements) + len(cells)
        return ReaderFindings(
            by=answer.by,
            statements=dict(zip(statements, answer.found[:first_cell], strict=True)),
            cells=dict(zip(cells, answer.found[first_cell:first_listing], strict=True)),
            listings=dict(zip(listings, answer.found[first_listing:], strict=True)),
        )

    def _decided(self, statement: CitedStatement, reading: PairReading) -> CheckedSentence:
        """What becomes of a sentence that was read: code and the reader both have a say, and each can be overruled.

        1. The part that the quotes say, as the reader gives it, is shown if code has nothing against that part.
        2. Code overrules the reader where a veto holds (`_vetoes_that_hold`): the sentence is cut.
        3. Else the reader decides (`_as_read`).
        """
        if part := self._part_that_is_said(statement, reading):
            return self._outcome(statement, part, "supported", by=self._reader_findings.by)
        quotes = self._evidence.quotes(statement.indexes)
        is_borne_out = bears_out(reading.words, statement.text, quotes, self._evidence.language)
        if holding := self._vetoes_that_hold(statement, reading, is_borne_out=is_borne_out):
            return self._cut_by(holding, statement, reading)
        return self._as_read(statement, reading, is_borne_out=is_borne_out)

    def _as_read(
        self, statement: CitedStatement, reading: PairReading, *, is_borne_out: bool
    ) -> CheckedSentence:
        """The sentence with the reader's verdict. "Supported" is not enough where a sentence is read twice, for words
        of its own or a veto that is not certain: then the reader has to copy the words that say it (`is_borne_out`).
        """
        by, verdict = self._reader_findings.by, VERDICTS[reading.verdict]
        if verdict == "supported" and not is_borne_out and self._evidence.is_read_twice(statement):
            denies = any(veto.kind == "negation" for veto in self._evidence.vetoes_of(statement))
            reason = TURNED_ROUND if denies else NOT_SHOWN
            return self._outcome(statement, statement.text, "could_not_check", [reading.reason or reason], by)
        text = statement.text if verdict in ("supported", "could_not_check") else ""
        return self._outcome(statement, text, verdict, [reading.reason] if reading.reason else [], by)

    def _part_that_is_said(self, statement: CitedStatement, reading: PairReading) -> str:
        """The part of a sentence that its quotes say, in the reader's words; empty if the whole sentence may stand, or
        if code vetoes the part too."""
        part = strip_citations(reading.reworded, self._evidence.quotes(statement.indexes))
        lacks_name = any(veto.kind == "name" for veto in self._evidence.vetoes_of(statement))
        if not part or not (lacks_name or reading.verdict != "supported"):
            return ""
        return "" if self._evidence.vetoes_of(CitedStatement(part, statement.indexes)) else part

    def _vetoes_that_hold(
        self, statement: CitedStatement, reading: PairReading, *, is_borne_out: bool
    ) -> list[Veto]:
        """The vetoes of which code is certain, whatever a reader says; and the others, unless he finds it said and
        copies the words that say it (`is_borne_out`).

        "before it has expired" may say what "if it has not expired" says: a denial with no other word may not.
        """
        quotes = self._evidence.quotes(statement.indexes)
        is_in_other_words = is_copied(reading.words, quotes) and self._evidence.has_own_words(statement)
        is_outvoted = reading.verdict == "supported" and (is_borne_out or is_in_other_words)
        return [veto for veto in self._evidence.vetoes_of(statement) if veto.is_certain or not is_outvoted]

    def _cut_by(
        self, holding: Sequence[Veto], statement: CitedStatement, reading: PairReading
    ) -> CheckedSentence:
        """The sentence, cut by vetoes; by the reader too where he has found as much."""
        is_opposite = any(veto.kind == "negation" for veto in holding)
        finds_so_too = VERDICTS[reading.verdict] in ("contradicted", "not_found")
        return self._outcome(
            statement,
            "",
            "contradicted" if is_opposite else "not_found",
            [veto.reason for veto in holding],
            self._reader_findings.by if finds_so_too else FOUND_BY_CODE,
        )

    def _outcome(
        self,
        statement: CitedStatement,
        text: str,
        verdict: Verdict,
        reasons: Sequence[str] = (),
        by: str = FOUND_BY_CODE,
    ) -> CheckedSentence:
        """What was found about a sentence. Of one that only snippets say, nobody has read the page."""
        if text and all(self._evidence.findings[index].is_snippet for index in statement.indexes):
            verdict, reasons = "could_not_check", (*reasons, ONLY_SNIPPET)
        return CheckedSentence("", statement.text, text, verdict, statement.indexes, tuple(reasons), by)
