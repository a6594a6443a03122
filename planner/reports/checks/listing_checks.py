"""Check the listings below a report's sentences: commands and settings, which are shown as the quotes have them."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from planner.reports.checks.check_log import FOUND_BY_CODE, VERDICTS, CheckedSentence
from planner.reports.checks.statement_evidence import CitedStatement, FindingIndexes, StatementEvidence
from planner.verify.composed_listing import composed_in
from planner.verify.listings import listing_in
from research_crawler.core.models.evidence.entailment import Pair, PairReading
from research_crawler.core.models.reports.drafts import Sentence

NOT_IN_QUOTES: Final = "the cited quotes do not have all of this listing"
_IN_BACKTICKS: Final = re.compile(r"`([^`]+)`")
_PART: Final = "listing"
"""The last word of the part under which claims.jsonl has a listing that is cut."""


class ListingPlace(NamedTuple):
    """A listing that is put together from the quotes of a sentence, below which it stands."""

    sentence: str
    code: str
    indexes: FindingIndexes

    @property
    def statement(self) -> str:
        """What a reader is shown."""
        return f"{self.sentence}\n{self.code}"


@dataclass(frozen=True)
class ShownListing:
    """The code below a sentence, and the findings that have it. A listing that is cut has no code, and says why."""

    code: str = ""
    indexes: FindingIndexes = ()
    cut: CheckedSentence | None = None


class ListingChecks:
    """Checks listings against findings."""

    def __init__(self, evidence: StatementEvidence) -> None:
        self._evidence = evidence

    def pairs(self, sentences: Iterable[Sentence]) -> dict[ListingPlace, Pair]:
        """The listings that a reader has to read: those that no quote has as they are."""
        composed = (
            self._composed(one, statement.indexes)
            for one in sentences
            if one.code and (statement := self._evidence.statement_of(one))
        )
        pairs = {
            one: self._evidence.pair_of(CitedStatement(one.statement, one.indexes)) for one in composed if one
        }
        # Code has looked up each of their words, so that they are read once.
        return {
            one: pair.changed(needs_second_reading=False, below=one.sentence) for one, pair in pairs.items()
        }

    def shown(
        self,
        part: str,
        sentence: Sentence,
        indexes: FindingIndexes,
        readings: Mapping[ListingPlace, PairReading],
        reader: str,
    ) -> ShownListing:
        """The listing below a sentence: as its quotes have it, or put together from them. It is cut if a reader does
        not find it there, or if it has anything that they have not. What only another quote of the page completes is
        shown where a reader has found it right.

        Args:
            part: of the report, in which the sentence stands.
            indexes: the findings of the sentence.
            readings: what `reader` has found of the listings that `pairs` gave.
        """
        if not sentence.code.strip():
            return ShownListing()
        if found := listing_in(sentence.code, self._evidence.quotes(indexes)):
            return ShownListing(found, indexes)
        if not (composed := self._composed(sentence, indexes)):
            return _cut(part, sentence, indexes, NOT_IN_QUOTES)
        reading = readings.get(composed, PairReading())
        verdict = VERDICTS[reading.verdict]
        if verdict == "supported" or (verdict == "could_not_check" and composed.indexes == indexes):
            return ShownListing(composed.code, composed.indexes)
        if verdict == "could_not_check":
            return _cut(part, sentence, indexes, NOT_IN_QUOTES)
        return _cut(part, sentence, indexes, reading.reason, reader)

    def _composed(self, sentence: Sentence, indexes: FindingIndexes) -> ListingPlace | None:
        """The listing below a sentence, if its quotes do not have it as it is: put together from them, or with one more
        quote of their pages. A writer names the quotes that say what he tells, and forgets the one with the command.
        """
        if listing_in(sentence.code, self._evidence.quotes(indexes)):
            return None
        for wider in (indexes, *self._evidence.with_one_more(indexes)):
            quotes = self._evidence.quotes(wider)
            if code := listing_in(sentence.code, quotes) or composed_in(
                sentence.code, quotes, self._evidence.goal
            ):
                return ListingPlace(sentence.text, code, wider)
        return None

    def names_cut_code(self, text: str, checked: Iterable[CheckedSentence]) -> bool:
        """Whether a text names code of a listing that was cut and that no quote has: it would speak of what nobody
        sees."""
        cut = " ".join(one.written for one in checked if one.part.endswith(f" {_PART}"))
        quotes = " ".join(finding.quote for finding in self._evidence.findings)
        return any(code in cut and code not in quotes for code in _IN_BACKTICKS.findall(text))


def _cut(
    part: str, sentence: Sentence, indexes: FindingIndexes, why: str, by: str = FOUND_BY_CODE
) -> ShownListing:
    return ShownListing(
        cut=CheckedSentence(f"{part} {_PART}", sentence.code, "", "not_found", indexes, (why,), by)
    )
