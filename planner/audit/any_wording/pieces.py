"""The sentences, list items, labels and short rows of findings, each with its page, as answers are read from them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from planner.audit.evidence_statements import EvidenceStatement
from planner.audit.same_fact import Stated
from research_crawler.core.models.findings import Finding
from research_crawler.text.sentences import plain, sentence_spans, units

PIECED_FINDINGS: Final = 30
"""Findings that are looked at, the best ones."""
MOST_ROW_WORDS: Final = 9
"""Words of a row that tells one thing of one subject; longer ones compare several."""
_LEAST_LABEL: Final = 4
"""Characters of the shortest label with its value: "pH: 5"."""


@dataclass(frozen=True)
class Piece:
    """What a page says in one sentence, item, label or row."""

    said: EvidenceStatement

    @property
    def text(self) -> str:
        """As the page has it, without Markdown marks."""
        return self.said.text

    @property
    def title(self) -> str:
        """Of its page."""
        return self.said.finding.title

    @property
    def url(self) -> str:
        """Of its page."""
        return self.said.finding.url


def pieces_of(findings: Sequence[Finding], said: Sequence[EvidenceStatement]) -> list[Piece]:
    """The pieces of the best findings; those that are statements keep their vectors.

    Args:
        findings: the best first.
        said: their statements with vectors.
    """
    known = {(one.place, one.text): one for one in said}
    return [
        Piece(known.get((place, text)) or EvidenceStatement(place, finding, Stated(text), (), 0.0))
        for place, finding in enumerate(findings[:PIECED_FINDINGS])
        for text in _texts(finding.quote)
    ]


def _texts(quote: str) -> Iterator[str]:
    end = 0
    for unit in units(quote):
        yield from _labels(quote[end : unit.start])
        end = unit.end
        if (unit.form != "row" or len(unit.text.split()) <= MOST_ROW_WORDS) and not unit.text.endswith("?"):
            yield unit.text
    yield from _labels(quote[end:])


def _labels(between: str) -> Iterator[str]:
    """What is too short for a sentence: "Weight: 9.8 kg."."""
    for line in between.splitlines():
        text = plain(line)
        for start, stop in sentence_spans(text) if not line.lstrip().startswith("#") else ():
            label = text[start:stop]
            if len(label) >= _LEAST_LABEL and (":" in label or any(char.isdigit() for char in label)):
                yield label
