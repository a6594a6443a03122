"""Which sentences of findings a list may have: those about the subject of the question. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from planner.goal.goal_subject import asked_of
from planner.reports.lengths.length_limit import EXTRACTIVE_BRAIN
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.job import JobInputs
from research_crawler.core.web.urls import host_of
from research_crawler.text.languages.language import detect
from research_crawler.text.languages.sentences import quotable_pieces
from research_crawler.text.languages.words import content_words, stem, terms
from research_crawler.text.measures.likeness import coverage

SUBJECT_MIN_SCORE: Final = 0.6
"""From this score on, what a model found is about the subject though it does not name it. Chosen, not measured."""
_LEAST_WORDS: Final = 5
"""A shorter sentence says too little by itself."""
_MOST_OF: Final = 0.5
"""A sentence with more than this share of the subject's words is about it."""


@dataclass(frozen=True)
class Statement:
    """A whole sentence of a finding."""

    index: int
    """Index of the finding."""
    finding: Finding
    text: str
    start: int
    """Where it begins on its page."""
    names_subject: bool
    """Whether it has a word of the subject itself."""
    words: frozenset[str]
    """Stems of its words beside the subject's, to compare it with others about the same subject."""
    language: str = "en"

    @property
    def host(self) -> str:
        """The host that says it."""
        return host_of(self.finding.url).removeprefix("www.")

    @property
    def published(self) -> str:
        """When its page was published; empty if that is not known."""
        return self.finding.published[:10]


def is_called_telling(finding: Finding) -> bool:
    """Whether a model has found it to bear on the question, for which it needs no words of it."""
    return finding.by not in ("", EXTRACTIVE_BRAIN) and finding.score >= SUBJECT_MIN_SCORE


@dataclass(frozen=True)
class AskedSubject:
    """What a question is about."""

    words: tuple[str, ...]
    """As they are written, in their order."""
    asked: str = ""
    """The question."""

    @property
    def stems(self) -> frozenset[str]:
        """What texts are compared by."""
        return frozenset(stem(word.lower()) for word in self.words)

    @property
    def text(self) -> str:
        """The subject as a reader sees it: the question from the first of its words to the last."""
        if not self.words:
            return self.asked
        first, last = self.asked.find(self.words[0]), self.asked.rfind(self.words[-1])
        if not 0 <= first <= last:
            return " ".join(self.words)
        return self.asked[first : last + len(self.words[-1])]

    def statements(self, findings: Sequence[Finding]) -> list[Statement]:
        """The sentences of findings that are about the subject, in the order of the findings, each once."""
        found: dict[str, Statement] = {}
        for index, finding in enumerate(findings):
            above = frozenset(terms(f"{finding.title} {finding.heading}"))
            for piece in quotable_pieces(finding.quote):
                if (
                    piece.form == "sentence"
                    and piece.text not in found
                    and self._is_told(finding, piece.text, above)
                ):
                    found[piece.text] = self._statement(index, finding, piece.text)
        return list(found.values())

    def _is_told(self, finding: Finding, text: str, above: frozenset[str]) -> bool:
        """Whether a sentence with what stands above it has more than half of the subject's words: a page about a
        sibling, or a place in common, has half of them."""
        if len(text.split()) < _LEAST_WORDS:
            return False
        return coverage(self.stems, above | frozenset(terms(text))) > _MOST_OF or is_called_telling(finding)

    def _statement(self, index: int, finding: Finding, text: str) -> Statement:
        own = frozenset(terms(text))
        return Statement(
            index=index,
            finding=finding,
            text=text,
            start=finding.start + max(0, finding.quote.find(text)),
            names_subject=bool(self.stems & own) or not self.stems,
            words=own - self.stems or own,
            language=detect(finding.quote),
        )


def about_of(inputs: JobInputs) -> AskedSubject:
    """What the question of a job is about."""
    asked = asked_of(inputs)
    return AskedSubject(tuple(content_words(asked, detect(asked))), asked)
