"""Check the sentences of a report that a model wrote against their quotes, before citations are numbered.

What the quotes do not say is cut, what they say in part is marked or reworded once. The cheap checks are in
`planner.verify`; what they leave open is asked of a brain, all at once.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from planner.reports.checked import CheckedSentence
from planner.reports.sides import shown_sides, with_found_quotes
from planner.reports.sources.evidence import page_told
from planner.verify.cited_text import CitedText, sentences_of
from planner.verify.coverage import WordWeights, word_set
from planner.verify.judgement import Judgement
from planner.verify.ladder import (
    judge_statement,
    judged_by_meaning,
    lacks_only_particulars,
    without_last_clause,
)
from planner.verify.listings import listing_in
from planner.verify.names import names_of
from planner.verify.options import options_in
from planner.verify.statement import Statement
from research_crawler.core.models.checks import CheckedStatement, CheckRequest, Checks, StatementToCheck
from research_crawler.core.models.cited_parts import Verdict
from research_crawler.core.models.drafts import (
    DraftCell,
    DraftTable,
    RecommendationDraft,
    ReportDraft,
    Sentence,
)
from research_crawler.core.models.findings import Finding
from research_crawler.core.models.report_parts import LISTED_PARTS
from research_crawler.core.ports.models import Embedder
from research_crawler.core.web.urls import host_of
from research_crawler.text.own_words import own_words

Key = tuple[str, tuple[int, ...]]
"""A sentence and the indexes of its findings."""
Ask = Callable[[CheckRequest], Awaitable[Checks]]


class Checker:
    """Checks the sentences of the drafts of one report."""

    def __init__(
        self,
        findings: Sequence[Finding],
        *,
        goal: str,
        language: str,
        ask: Ask,
        embedder: Embedder | None = None,
    ) -> None:
        """Prepare the checks.

        Args:
            findings: those to which the indexes in the drafts refer.
            goal: the question; a name in it need not stand in a quote.
            language: of the report.
            ask: asks a brain for its verdicts.
            embedder: tells sentences in other words from those about something else; None: words alone do.
        """
        self._embedder = embedder
        self._findings, self._language, self._ask = findings, language, ask
        self._subject = frozenset(names_of(goal, language))
        self._options = frozenset(options_in(goal))
        quotes = (piece for finding in findings for piece in sentences_of(finding.quote))
        self._weights = WordWeights(map(word_set, quotes))
        self._sources: dict[tuple[int, ...], CitedText] = {}
        self.checked: list[CheckedSentence] = []
        """All sentences so far, those that were cut too."""
        self.left_out: list[str] = []
        """What the timeline says of contradictions that lost a side."""

    async def report(self, draft: ReportDraft) -> ReportDraft:
        """The draft without the sentences that are cut; the others have their verdicts."""
        keys = [part.key for part in LISTED_PARTS if part.cites and part.key in draft.lists]
        pairs = with_found_quotes(draft.contradictions, self._findings, self._judged)
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

    def _table(self, table: DraftTable | None) -> DraftTable | None:
        """The table without the cells that their quotes deny or whose numbers and names they lack."""
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

        A few words are too little to compare their meaning.
        """
        key = self._key(Sentence(text=cell.text, evidence=cell.evidence)) if cell.evidence else None
        if key is None:
            return DraftCell()
        source = self._source(key[1])
        statement = self._statement(key)
        lacking = [*(one.text for one in statement.figures), *(one.text for one in statement.dates)]
        lacking += sorted(statement.names - self._subject)
        if not word_set(f"{label} {column} {key[0]}") & source.known:
            lacking.append(label)
        verdict: Verdict = "not_found" if lacking else "supported"
        reasons = tuple(f"the source does not say {one!r}" for one in lacking)
        text = "" if lacking else key[0]
        self.checked.append(CheckedSentence("table", key[0], text, verdict, key[1], reasons, "code"))
        return DraftCell() if lacking else cell

    async def recommendation(self, draft: RecommendationDraft) -> RecommendationDraft:
        """The recommendation without the reasons and cautions that are cut."""
        reasons, cautions = await self._kept([("reasons", draft.reasons), ("cautions", draft.cautions)])
        return draft.changed(reasons=reasons, cautions=cautions)

    async def _kept(self, parts: Sequence[tuple[str, Sequence[Sentence]]]) -> list[list[Sentence]]:
        statements = {
            key: self._statement(key)
            for _, sentences in parts
            for key in filter(None, map(self._key, sentences))
        }
        judged = {key: judge_statement(statement) for key, statement in statements.items()}
        if self._embedder:
            far = [key for key, judgement in judged.items() if judgement.is_far]
            judged |= {key: await judged_by_meaning(statements[key], self._embedder) for key in far}
        for shown in self._with_listing(parts):
            if judged[shown].verdict == "not_found" and not judged[shown].is_wrong:
                judged[shown] = judged[shown].as_open
        fuller = {
            key: wider for key, one in statements.items() if (wider := self._with_more(key, one, judged[key]))
        }
        open_ = {key: one for key, one in statements.items() if judged[key].is_uncertain}
        answers = await self._asked(open_ | {key: self._statement(key) for key in fuller.values()})
        found = {key: self._decided(one, judged[key], answers.get(key)) for key, one in statements.items()}
        for fewer, more in fuller.items():
            told = answers.get(more)
            statement = self._statement(more)
            if told and (whole := self._decided(statement, judge_statement(statement).as_open, told)).text:
                found[fewer] = whole if whole.verdict == "supported" else found[fewer]
        kept: list[list[Sentence]] = []
        for part, sentences in parts:
            kept.append([])
            for sentence in sentences:
                if (key := self._key(sentence)) is None:
                    kept[-1].append(sentence)
                    continue
                result = replace(found[key], part=part)
                self.checked.append(result)
                if result.text:
                    code = self._listing(part, sentence.code, result.places)
                    evidence = list(dict.fromkeys([*sentence.evidence, *result.places]))
                    kept[-1].append(
                        sentence.changed(
                            text=result.text, verdict=result.verdict, code=code, evidence=evidence
                        )
                    )
        return kept

    def _with_listing(self, parts: Sequence[tuple[str, Sequence[Sentence]]]) -> set[Key]:
        """The sentences that show code of their quotes: it is in no other words, so that a reader has to compare."""
        coded = [one for _, sentences in parts for one in sentences if one.code]
        keys = ((key, one.code) for one in coded if (key := self._key(one)))
        return {key for key, code in keys if listing_in(code, self._quotes(key[1]))}

    def _quotes(self, places: tuple[int, ...]) -> list[str]:
        return [self._findings[place].quote for place in places]

    def _with_more(self, key: Key, statement: Statement, judged: Judgement) -> Key | None:
        """The statement with one more quote of a page that it cites, if its own lack a number or name and with that
        one they say all of it: a writer names the quote that says most of a sentence, and forgets the other."""
        if not judged.is_wrong or not lacks_only_particulars(statement):
            return None
        pages = {self._findings[place].url for place in key[1]}
        others = [n for n, one in enumerate(self._findings) if one.url in pages and n not in key[1]]
        best: tuple[float, Key] | None = None
        for place in others:
            wider = (key[0], (*key[1], place))
            found = judge_statement(self._statement(wider))
            if found.verdict == "supported" and (best is None or found.support > best[0]):
                best = found.support, wider
        return best[1] if best else None

    def _listing(self, part: str, code: str, places: tuple[int, ...]) -> str:
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
        text = own_words(sentence.text, [self._findings[place].quote for place in places])
        return (text, places) if places and text and not sentence.is_excerpt else None

    def _judged(self, text: str, places: tuple[int, ...]) -> Judgement:
        return judge_statement(self._statement((own_words(text, self._quotes(places)), places)))

    def _statement(self, key: Key) -> Statement:
        """A sentence as it is compared with its source; one that is all code is in no language."""
        text, places = key
        return Statement(
            text, self._source(places), self._weights, self._subject, self._language, self._options
        )

    def _source(self, places: tuple[int, ...]) -> CitedText:
        if places not in self._sources:
            cited = [self._findings[place] for place in places]
            context = [
                text
                for one in cited
                for text in (one.title, one.heading, one.subject, host_of(one.url), one.published[:10])
            ]
            sentences = [piece for one in cited for piece in sentences_of(one.quote)]
            self._sources[places] = CitedText(sentences, context)
        return self._sources[places]

    async def _asked(self, uncertain: dict[Key, Statement]) -> dict[Key, tuple[str, CheckedStatement]]:
        """The verdicts of a brain on what is uncertain, in one call."""
        if not uncertain:
            return {}
        keys = list(uncertain)
        statements = [
            StatementToCheck(
                text=text,
                quotes=[self._findings[place].quote for place in places],
                sources=[page_told(self._findings[place]) for place in places],
            )
            for text, places in keys
        ]
        checks = await self._ask(CheckRequest(language=self._language, statements=statements))
        return {keys[one.place]: (checks.by, one) for one in checks.checked if 0 <= one.place < len(keys)}

    def _decided(
        self, statement: Statement, judged: Judgement, answer: tuple[str, CheckedStatement] | None
    ) -> CheckedSentence:
        by, verdict, is_cut, reworded = "code", judged.verdict, judged.is_cut, ""
        if answer and judged.is_uncertain:
            by, verdict, reworded = answer[0], judged.told(answer[1].verdict), answer[1].reworded
            is_cut = verdict in ("contradicted", "not_found")
        text = statement.text
        if verdict != "supported":
            other = self._reworded(statement, reworded, judged)
            text = other or ("" if is_cut else text)
            verdict = "supported" if other else verdict
        places = next(places for places, source in self._sources.items() if source is statement.source)
        reasons = judged.reasons
        if text and all(self._findings[place].is_snippet for place in places):
            verdict, reasons = "could_not_check", (*reasons, "only the snippet of a search result says it")
        return CheckedSentence("", statement.text, text, verdict, places, reasons, by)

    def _reworded(self, statement: Statement, reworded: str, judged: Judgement) -> str:
        """The part of a statement that its source says: the brain's wording if code is sure of nothing against it, or
        its beginning."""
        if reworded:
            text = own_words(reworded, statement.source.sentences)
            again = judge_statement(replace(statement, text=text))
            if text and not again.is_cut and again.told("supported") == "supported":
                return text
        return without_last_clause(statement) if judged.verdict != "qualified" else ""
