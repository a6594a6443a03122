"""Which sentences of findings a list may have: whole ones about the subject, and no furniture of pages. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from planner.goal.about import asked_of
from planner.reports.length import PLAIN_BRAIN
from research_crawler.core.models.findings import Finding
from research_crawler.core.models.jobs import JobInputs
from research_crawler.core.web.urls import host_of
from research_crawler.text.statements import statements
from research_crawler.text.words import content_words, stem, terms

_GENERIC: Final = frozenset(
    stem(word)
    for word in """
    latest recent current breaking today yesterday week news headline headlines development developments event events
    update updates happen happened happening change changes changed changing trend trends grow growth rise fall opinion
    opinions sentiment review reviews people expert experts think feel say saying fact check factcheck true false good
    bad best better worse worth new newest year years month good quality neueste nachrichten aktuelle entwicklung
    entwicklungen meinung meinungen nouvelles actualité avis noticias últimas notizie opinioni
    """.split()  # noqa: SIM905  # a list of words reads better so
)
"""Words of a question that say what kind of answer is wanted, and not what it is about."""
_FURNITURE: Final = re.compile(
    r"\W*(?:follow (?:us|me|him|her|them|the|@)|subscribe\b|welcome to\b|sign up\b|click\b|share this\b|(?:read"
    r"|learn) more\b"
    r"|download (?:the|our)\b|watch (?:the )?(?:video|live|more)\b|listen to\b|support our\b|advertis|copyright\b"
    r"|all rights reserved|photo(?:graph)? (?:by|credit)|image (?:by|credit|source)|get (?:the|our) (?:latest|app)"
    r"|abonnieren sie|folgen sie|abonnez-vous|suivez|suscríbete|síguenos|iscriviti|seguici|volg ons)",
    re.I,
)
_CONTACT: Final = re.compile(
    r"\b(?:may|can) be (?:reached|contacted) (?:at|on|by)\b|(?<!\w)@\w{2,30}|\bnewsletters?\b"
    r"|\bletters? to the editor\b|\b(?:our|this|these|my) (?:articles?|stories|story|site|website|newsroom|readers"
    r"|app)\b|\bcontributed to this\b"
    r"|\b(?:cookie|privacy) (?:policy|settings)\b|\bterms of (?:use|service)\b",
    re.I,
)
_DATELINE: Final = re.compile(
    r"\((?:AP|AFP|Reuters|CNN[^)]{0,20}|dpa)\) ?(?:[—–-]{1,2} ?)?|"
    r"(?:[A-Z][A-Z .,’'-]{2,38}(?:\([^)]{2,30}\) ?)?[—–-]{1,2} ?"
    r"|[A-Z][\w .,’'-]{1,38}\((?:AP|AFP|Reuters|CNN[^)]{0,20}|dpa|ANSA|EFE)\) ?(?:[—–-]{1,2} ?)?)(?=[\"“A-Z])"
)
"""`SIOUX FALLS, S.D. – ` and `Hong Kong (CNN Business)` before the first sentence of a report."""
IN_QUOTES: Final = re.compile(r"“[^“”]*+”|\"[^\"]*+\"|„[^„“”]*+[“”]|«[^«»]*+»")
"""A quotation inside a sentence."""
_OPINION_PAGE: Final = re.compile(
    r"/(?:opinions?|commentisfree|editorials?|columns?|columnists?|comment|op-ed|kommentare?|meinung|tribunes?)/"
)
TELLING_SCORE: Final = 0.6
"""From this score on, what a model found is about the subject though it does not name it. Chosen, not measured."""
_OPENING, _CLOSING = "“„«", "”»"


@dataclass(frozen=True)
class Told:
    """A whole sentence of a finding."""

    place: int
    """Index of the finding."""
    finding: Finding
    text: str
    start: int
    """Where it begins on its page."""
    covers: float
    """The share of the subject's words that it has with the title and heading above it, 0 to 1."""
    names_subject: bool
    """Whether it has a word of the subject itself."""
    words: frozenset[str]
    """Stems of its words beside the subject's, to compare it with others about the same subject."""
    is_speech: bool
    """Whether it is said by somebody whom it does not name."""

    @property
    def host(self) -> str:
        """The host that says it."""
        return host_of(self.finding.url).removeprefix("www.")

    @property
    def published(self) -> str:
        """When its page was published; empty if that is not known."""
        return self.finding.published[:10]

    @property
    def is_of_opinion_page(self) -> bool:
        """Whether its page argues instead of reporting."""
        return bool(_OPINION_PAGE.search(self.finding.url))


def is_called_telling(finding: Finding) -> bool:
    """Whether a model has found it to bear on the question, for which it needs no words of it."""
    return finding.by not in ("", PLAIN_BRAIN) and finding.score >= TELLING_SCORE


@dataclass(frozen=True)
class About:
    """What a question is about, without the words that say what kind of answer is wanted."""

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

    def told(self, findings: Sequence[Finding]) -> list[Told]:
        """The sentences of findings that are about the subject, in the order of the findings, each once."""
        found: dict[str, Told] = {}
        for place, finding in enumerate(findings):
            above = frozenset(terms(f"{finding.title} {finding.heading}"))
            for text in statements(finding.quote):
                shown = _DATELINE.sub("", text, count=1) if _DATELINE.match(text) else text
                if shown not in found and not is_page_furniture(shown):
                    found[shown] = self._told(place, finding, shown, above)
        return [one for one in found.values() if self._is_near(one.covers) or is_called_telling(one.finding)]

    def _told(self, place: int, finding: Finding, text: str, above: frozenset[str]) -> Told:
        own = frozenset(terms(text))
        at = max(0, finding.quote.find(text))
        stems = self.stems
        return Told(
            place=place,
            finding=finding,
            text=text,
            start=finding.start + at,
            covers=len(stems & (own | above)) / len(stems) if stems else 1.0,
            names_subject=bool(stems & own) or not stems,
            words=own - stems or own,
            is_speech=_is_speech(text, finding.quote[:at]),
        )

    def _is_near(self, covers: float) -> bool:
        """More than half of the words: a page about a sibling, or a place in common, has half of them. Chosen by these
        two cases; no benchmark measures typed lists."""
        return covers > 0.5


def about_of(inputs: JobInputs) -> About:
    """What the question of a job is about."""
    asked = asked_of(inputs)
    return About(tuple(word for word in content_words(asked) if stem(word.lower()) not in _GENERIC), asked)


def is_page_furniture(text: str) -> bool:
    """Whether a sentence belongs to the page and not to what it reports, or is not whole."""
    return bool(_FURNITURE.match(text) or _CONTACT.search(text) or _is_cut_off(text)) or _is_torn(text)


def _is_cut_off(text: str) -> bool:
    return text.rstrip("\"'”’)] ").endswith(("...", "…"))


def _is_torn(text: str) -> bool:
    """Whether a quotation begins or ends outside of the sentence."""
    opened, closed = (sum(text.count(mark) for mark in marks) for marks in (_OPENING, _CLOSING))
    return bool(text.count('"') % 2 or opened != closed)


def _is_speech(text: str, before: str) -> bool:
    """Whether a sentence stands inside a quotation, or is nothing else, so that it does not say who says it."""
    opened, closed = (sum(before.count(mark) for mark in marks) for marks in (_OPENING, _CLOSING))
    if before.count('"') % 2 or opened > closed:
        return True
    ends = text.rstrip(".!,")
    return text[:1] in f'"{_OPENING}' and ends[-1:] in f'"{_CLOSING}' and len(IN_QUOTES.findall(text)) == 1
