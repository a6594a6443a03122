"""What code knows of a statement and the findings that it cites: their quotes, its vetoes, its own words."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from planner.reports.sources.ranked_evidence import source_label
from planner.verify.calculation import Calculation, calculation_in
from planner.verify.cited_source import CitedSource
from planner.verify.parsed_text import parse_text
from planner.verify.second_reading import copied_pieces, has_own_words, is_copied
from planner.verify.vetoes import Veto, vetoes
from research_crawler.core.models.evidence.entailment import Pair
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.reports.drafts import Sentence
from research_crawler.core.web.urls import host_of
from research_crawler.text.writing.citation_marks import strip_citations

FindingIndexes = tuple[int, ...]
"""Places of findings among those that the writer of a report was shown."""


class CitedStatement(NamedTuple):
    """A sentence without its citation marks, and its findings: what is checked once, wherever it stands."""

    text: str
    indexes: FindingIndexes


class StatementEvidence:
    """The findings of one report, with which its statements are compared. What code finds out is kept."""

    def __init__(self, findings: Sequence[Finding], *, goal: str, language: str) -> None:
        """Prepare the look at these findings.

        Args:
            findings: those to which indexes refer.
            goal: the question; a name in it need not stand in a quote.
            language: of the report.
        """
        self.findings, self.language = findings, language
        self.goal = goal
        self._sources: dict[int, CitedSource] = {}
        self._vetoes: dict[tuple[str, int], list[Veto]] = {}
        self._calculations: dict[CitedStatement, Calculation] = {}

    def statement_of(self, sentence: Sentence) -> CitedStatement | None:
        """What of a sentence is checked; None for an excerpt, and without evidence, for that is left out anyway."""
        indexes = tuple(
            index for index in dict.fromkeys(sentence.evidence) if 0 <= index < len(self.findings)
        )
        text = strip_citations(sentence.text, self.quotes(indexes))
        return CitedStatement(text, indexes) if indexes and text and not sentence.is_excerpt else None

    # The findings

    def quotes(self, indexes: FindingIndexes) -> list[str]:
        """The quotes of these findings."""
        return [self.findings[index].quote for index in indexes]

    def whole_sentences(self, indexes: FindingIndexes) -> list[str]:
        """The sentences of which the quotes of these findings consist."""
        return [one.text for index in indexes for one in self.source(index).sentences]

    def source(self, index: int) -> CitedSource:
        """A finding as code compares statements with it."""
        if index not in self._sources:
            finding = self.findings[index]
            context = (
                finding.title,
                finding.heading,
                finding.subject,
                host_of(finding.url),
                finding.published[:10],
            )
            self._sources[index] = CitedSource(
                [finding.quote], context, self.goal, [finding.url], [finding.introduction]
            )
        return self._sources[index]

    def with_one_more(self, indexes: FindingIndexes) -> Iterator[FindingIndexes]:
        """These findings with each other finding of their pages in turn."""
        pages = {self.findings[index].url for index in indexes}
        others = (n for n, one in enumerate(self.findings) if one.url in pages and n not in indexes)
        return ((*indexes, index) for index in others)

    def with_missing_quote(self, statement: CitedStatement) -> CitedStatement:
        """The statement with one more quote of a page that it cites, if code vetoes it without that quote and not with
        it: a writer names the quote that says most of a sentence, and forgets the other."""
        if not self.vetoes_of(statement):
            return statement
        wider = (CitedStatement(statement.text, indexes) for indexes in self.with_one_more(statement.indexes))
        return next((one for one in wider if not self.vetoes_of(one)), statement)

    def with_copied_quotes(
        self, statement: CitedStatement, words: str, others: Iterable[CitedStatement]
    ) -> CitedStatement:
        """The statement with the quotes of other statements from which a reader copied words that say it."""
        beside = list(dict.fromkeys(index for other in others for index in other.indexes))
        indexes = list(statement.indexes)
        for piece in copied_pieces(words):
            holding = (index for index in [*indexes, *beside] if is_copied(piece, self.quotes((index,))))
            if (index := next(holding, None)) is not None and index not in indexes:
                indexes.append(index)
        return CitedStatement(statement.text, tuple(indexes))

    # What code has against a statement

    def vetoes_of(self, statement: CitedStatement) -> list[Veto]:
        """What code is sure of against a statement.

        The quotes of a statement share the work of saying it. So one that lacks a name, a date or a figure is nothing
        against it as long as another has that; but one that denies it is, whatever the others say.
        """
        by_finding = [self.vetoes_by(statement.text, index) for index in statement.indexes]
        everywhere = [veto for veto in by_finding[0] if all(veto in vetoes for vetoes in by_finding)]
        lacking = [
            veto for veto in everywhere if veto.kind != "negation" and not self._works_out(statement, veto)
        ]
        denying = [veto for vetoes in by_finding for veto in vetoes if veto.kind == "negation"]
        return lacking + denying

    def vetoes_by(self, text: str, index: int) -> list[Veto]:
        """What code is sure of against a text beside one finding alone."""
        if (text, index) not in self._vetoes:
            self._vetoes[text, index] = vetoes(text, self.source(index), self.language)
        return self._vetoes[text, index]

    def is_vetoed(self, text: str, indexes: FindingIndexes) -> bool:
        """Whether code is sure that these findings do not say a text."""
        return not indexes or bool(
            self.vetoes_of(CitedStatement(strip_citations(text, self.quotes(indexes)), indexes))
        )

    # Whether a reader looks at it twice

    def is_read_twice(self, statement: CitedStatement) -> bool:
        """Whether a statement is read twice: for words of its own, and for what a reader may outvote."""
        if found := self.vetoes_of(statement):
            return not any(veto.is_certain for veto in found)
        if statement in self._calculations:  # its own word is the result, which code has worked out again
            return False
        return self.has_own_words(statement)

    def has_own_words(self, statement: CitedStatement) -> bool:
        """Whether a statement has a word that nothing which it cites has, or is in another language."""
        return has_own_words(
            statement.text, [self.source(index) for index in statement.indexes], self.language
        )

    # Figures that are worked out

    def work_out(self, sentences: Iterable[Sentence]) -> None:
        """Look from now on at the calculations of these sentences, where they hold."""
        self._calculations = {
            statement: result
            for sentence in sentences
            if sentence.calculation
            and (statement := self.statement_of(sentence))
            and (result := self._calculation(sentence, statement.indexes))
        }

    def _works_out(self, statement: CitedStatement, lacking: Veto) -> bool:
        """Whether what the quotes lack is a figure that the statement works out from theirs."""
        calculation = self._calculations.get(statement)
        return calculation is not None and "figure" in lacking.kind and calculation.gives(lacking.text)

    def calculation_of(self, statement: CitedStatement) -> str:
        """How a figure of the statement is worked out from those of its quotes; empty if it is not."""
        calculation = self._calculations.get(statement)
        return calculation.text if calculation else ""

    def _calculation(self, sentence: Sentence, indexes: FindingIndexes) -> Calculation | None:
        """How a sentence works out a figure from figures of its quotes; None if that does not hold."""
        found = calculation_in(sentence.calculation)
        figures = [one.text for one in parse_text(sentence.text, self.language).figures]
        is_used = found is not None and any(map(found.gives, figures))
        return found if found and is_used and found.rests_on([*map(self.source, indexes)]) else None

    # For a reader

    def pair_of(self, statement: CitedStatement, *, opens_answer: bool = False, told_as: str = "") -> Pair:
        """The statement beside its quotes, as a reader is shown it."""
        calculation = self.calculation_of(statement)
        return Pair(
            statement=f"{statement.text} ({calculation})" if calculation else statement.text,
            quotes=self.quotes(statement.indexes),
            sources=[source_label(self.findings[index]) for index in statement.indexes],
            needs_second_reading=self.is_read_twice(statement),
            opens_answer=opens_answer,
            told_as=told_as,
            missing_names=[veto.text for veto in self.vetoes_of(statement) if veto.kind == "name"],
        )
