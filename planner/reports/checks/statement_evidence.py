"""What code knows of a statement and the findings that it cites: their quotes, its vetoes, its own words."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from planner.reports.checks.contradiction_sides import FindingIndexes
from planner.reports.sources.ranked_evidence import page_told
from planner.verify.parsed import parsed
from planner.verify.second_reading import is_doubted
from planner.verify.source import CitedSource
from planner.verify.vetoes import Veto, vetoes
from planner.verify.worked_out import Calculation, calculation_in
from research_crawler.core.models.evidence.entailment import Pair
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.reports.drafts import Sentence
from research_crawler.core.web.urls import host_of
from research_crawler.text.writing.citation_marks import strip_citations


class StatementKey(NamedTuple):
    """A sentence without its citation marks, and its findings: what is checked once, wherever it stands."""

    text: str
    evidence: FindingIndexes


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
        self._calculations: dict[StatementKey, Calculation] = {}

    def key_of(self, sentence: Sentence) -> StatementKey | None:
        """What of a sentence is checked; None for an excerpt, and without evidence, for that is left out anyway."""
        indexes = tuple(
            index for index in dict.fromkeys(sentence.evidence) if 0 <= index < len(self.findings)
        )
        text = strip_citations(sentence.text, self.quotes(indexes))
        return StatementKey(text, indexes) if indexes and text and not sentence.is_excerpt else None

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

    def with_missing_quote(self, key: StatementKey) -> StatementKey:
        """The statement with one more quote of a page that it cites, if code vetoes it without that quote and not with
        it: a writer names the quote that says most of a sentence, and forgets the other."""
        if not self.vetoes_of(key):
            return key
        wider = (StatementKey(key.text, indexes) for indexes in self.with_one_more(key.evidence))
        return next((one for one in wider if not self.vetoes_of(one)), key)

    # What code has against a statement

    def vetoes_of(self, key: StatementKey) -> list[Veto]:
        """What code is sure of against a statement: what none of its quotes has, and the opposite of any of them."""
        first, *others = [self.vetoes_by(key.text, index) for index in key.evidence]
        lacking = [one for one in first if one.kind != "negation" and all(one in other for other in others)]
        if calculation := self._calculations.get(key):
            lacking = [one for one in lacking if one.kind != "figure" or not calculation.gives(one.text)]
        return lacking + [one for found in (first, *others) for one in found if one.kind == "negation"]

    def vetoes_by(self, text: str, index: int) -> list[Veto]:
        """What code is sure of against a text beside one finding alone."""
        if (text, index) not in self._vetoes:
            self._vetoes[text, index] = vetoes(text, self.source(index), self.language)
        return self._vetoes[text, index]

    def is_vetoed(self, text: str, indexes: FindingIndexes) -> bool:
        """Whether code is sure that these findings do not say a text."""
        return not indexes or bool(
            self.vetoes_of(StatementKey(strip_citations(text, self.quotes(indexes)), indexes))
        )

    # Whether a reader looks at it twice

    def is_read_twice(self, key: StatementKey) -> bool:
        """Whether a statement is read twice: for words of its own, and for what a reader may outvote."""
        if found := self.vetoes_of(key):
            return not any(veto.is_certain for veto in found)
        if key in self._calculations:  # its own word is the result, which code has worked out again
            return False
        return self.has_own_words(key)

    def has_own_words(self, key: StatementKey) -> bool:
        """Whether a statement has a word that nothing which it cites has, or is in another language."""
        return is_doubted(key.text, [self.source(index) for index in key.evidence], self.language)

    # Figures that are worked out

    def work_out(self, sentences: Iterable[Sentence]) -> None:
        """Look from now on at the calculations of these sentences, where they hold."""
        self._calculations = {
            key: result
            for one in sentences
            if one.calculation
            and (key := self.key_of(one))
            and (result := self._calculation(one, key.evidence))
        }

    def calculation_of(self, key: StatementKey) -> str:
        """How a figure of the statement is worked out from those of its quotes; empty if it is not."""
        calculation = self._calculations.get(key)
        return calculation.text if calculation else ""

    def _calculation(self, sentence: Sentence, indexes: FindingIndexes) -> Calculation | None:
        """How a sentence works out a figure from figures of its quotes; None if that does not hold."""
        found = calculation_in(sentence.calculation)
        figures = [one.text for one in parsed(sentence.text, self.language).figures]
        is_used = found is not None and any(map(found.gives, figures))
        return found if found and is_used and found.rests_on([*map(self.source, indexes)]) else None

    # For a reader

    def pair_of(self, key: StatementKey) -> Pair:
        """The statement beside its quotes, as a reader is shown it."""
        calculation = self.calculation_of(key)
        return Pair(
            statement=f"{key.text} ({calculation})" if calculation else key.text,
            quotes=self.quotes(key.evidence),
            sources=[page_told(self.findings[index]) for index in key.evidence],
            is_doubted=self.is_read_twice(key),
            missing_names=[veto.text for veto in self.vetoes_of(key) if veto.kind == "name"],
        )
