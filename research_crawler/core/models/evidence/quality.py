"""How good the evidence of a job is: its attempts with their scores, and what the analyst makes of all findings."""

from typing import Annotated

from pydantic import Field

from research_crawler.core.models.base import Frozen, Wire
from research_crawler.core.text.translatable import TranslatableText, translatable

Share = Annotated[float, Field(ge=0, le=1)]


class QualityThresholds(Wire):
    """The thresholds by which a job searches again, ends, warns, or asks for help. Each comes from a setting."""

    enough_relevance: Share = 0.7
    enough_coverage: Share = 0.6
    """With both, no new attempt is made."""
    answered_confidence: Share = 0.8
    """With this confidence of the analyst in an answered question, the research ends."""
    weak_relevance: Share = 0.6
    """With less in the best attempt, the report warns that it is weak."""
    doubtful_confidence: Share = 0.5
    """With less after two attempts, the job takes the next way out of a loop."""
    hopeless_relevance: Share = 0.3
    """With less in every attempt, a job that needs strong evidence asks for help."""
    is_thorough: bool = False
    """Good scores are not enough: each sub-question is searched for by itself first, also an answered one."""


class Evaluation(Frozen):
    """How well the findings so far answer the goal; each score 0 to 1, with one decimal."""

    relevance: Share
    """How much the findings are about what was asked."""
    confidence: Share
    """How sure they are: amount, agreement and kind of sources; low where sources are thin or conflict."""
    coverage: Share
    """How much of the question they answer."""
    should_retry: bool = False
    reasons: str = ""

    @property
    def score(self) -> float:
        """One figure by which attempts are compared."""
        return 0.5 * self.relevance + 0.3 * self.coverage + 0.2 * self.confidence

    @property
    def scores_text(self) -> TranslatableText:
        """The scores in words for people; how certain the answer is, its report alone says."""
        return translatable(
            "relevance of the findings %(relevance)s, parts of the question with findings %(coverage)s",
            relevance=f"{self.relevance:.0%}",
            coverage=f"{self.coverage:.0%}",
        )


class Attempt(Frozen):
    """The searches of one round, with the pages that were read for them and the score of what is known since."""

    n: int
    round: int
    queries: list[str] = Field(default_factory=list)
    why: str = ""
    """Why these queries: what the query writer expects, or what the attempt before lacked."""
    expected_domains: list[str] = Field(default_factory=list)
    refused: list[str] = Field(default_factory=list)
    """Providers that refused the query: name, status and URL."""
    evaluation: Evaluation | None = None
    """None: it was not evaluated, because it failed or its pages are still being read."""
    by: str = ""
    """The brain that evaluated it."""


class Inconsistency(Frozen):
    """Two quotes of different pages that cannot both hold. A qualification ("usually", "up to") is none."""

    about: str = ""
    one: str
    one_url: str
    other: str
    other_url: str


class ResearchLead(Frozen):
    """A fact beside the question that may lead on: it answers nothing, but is not irrelevant."""

    text: str
    url: str


class Analysis(Frozen):
    """What the findings of a job say together, after a round."""

    by: str = ""
    round: int = 0
    assessment: str = ""
    confidence_score: Share = 0.0
    is_answered: bool = False
    suggestions_for_next_step: list[str] = Field(default_factory=list)
    new_potential_urls: list[str] = Field(default_factory=list)
    """Only URLs that results or links of read pages have named."""
    inconsistencies_found: list[Inconsistency] | None = None
    """None: there are none."""
    leads: list[ResearchLead] = Field(default_factory=list)


Judged = tuple[Evaluation, Analysis]
"""A judgement of all findings: their scores, and what they say together."""


class Assessed(Wire):
    """The attempts of a job and the newest analysis: what the planner goes by instead of raw pages."""

    attempts: list[Attempt] = Field(default_factory=list)
    analysis: Analysis | None = None
