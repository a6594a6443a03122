"""What was found about a statement, and what a dearer check may change of it."""

import math
from dataclasses import dataclass
from typing import Final

from research_crawler.core.models.cited_parts import Verdict

CERTAIN: Final = 0.85
"""Log-odds from which code alone keeps the rest of a statement: 90 % of its wording with nothing against it, or so."""
_FAR: Final = -2.5
"""Log-odds below which a statement in the source's language is about something else, also in other words."""
_RANKS: Final[dict[Verdict, int]] = {
    "supported": 0,
    "could_not_check": 1,
    "partly": 2,
    "qualified": 2,
    "contradicted": 3,
    "not_found": 3,
}
"""Verdicts from the best to the worst."""


@dataclass(frozen=True)
class Judgement:
    """What the cheap checks say about a statement."""

    verdict: Verdict
    support: float
    """Log-odds that the source says all of it; at least 0 counts as supported."""
    related: float
    """Log-odds that the source says any part of it."""
    covered: float
    """The share of its wording that the source has."""
    reasons: tuple[str, ...] = ()
    is_wrong: bool = False
    """Whether it must not be shown, whatever else it says: its source denies it, or lacks a number or name in it."""

    is_sure: bool = False
    """Whether a reason can be told by code: an option or a clause that nobody has read, or a word that a copy of a
    quote adds or leaves out."""

    @property
    def is_uncertain(self) -> bool:
        """Whether a dearer check can change the verdict: nothing in the statement is wrong, but it is not in the words
        of its source, or code has a reason that a reader may see otherwise, or can mend by other words.

        All of its words may stand in the source and still say something else: "The Velmar costs 89 euros" of "The
        Velmar costs 129 euros and the Orrin costs 89 euros".
        """
        if self.is_wrong:
            return False
        if self.verdict == "not_found":
            return self.related >= _FAR
        return not math.isinf(self.support) or self.verdict != "supported"

    @property
    def is_far(self) -> bool:
        """Whether its words do not show that its source says it, so that its meaning decides whether they belong
        together."""
        return self.support < 0 and self.verdict in ("partly", "not_found")

    @property
    def as_open(self) -> "Judgement":
        """The same for a dearer check to decide, which is believed: nothing speaks against the statement."""
        return Judgement("partly", min(self.support, 0.0), max(self.related, 0.0), self.covered)

    def told(self, answered: Verdict) -> Verdict:
        """The verdict after a dearer check has given its own.

        A reader who finds all of a statement in its source may be right about other words for the same, and about what
        a word such as "only" is about. He is not believed against a reason of which code is sure.
        """
        if _RANKS[answered] >= _RANKS[self.verdict]:
            return answered
        if self.verdict == "could_not_check":  # in another language, which only a reader can compare
            return answered
        if self.is_sure and answered == "supported":
            return "partly" if self.verdict == "not_found" else self.verdict
        return answered

    @property
    def is_cut(self) -> bool:
        """Whether the statement must not be shown, unless a dearer check finds it supported."""
        return self.is_wrong or self.verdict in ("contradicted", "not_found")
