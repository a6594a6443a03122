"""Settings: how much a job searches and reads, and when its evidence is enough."""

from typing import Literal

from pydantic import AliasChoices, Field

from research_crawler.core.models.jobs.job_limits import MOST_ATTEMPTS, MOST_SEARCHES, MOST_VISITS
from research_crawler.core.models.people.interventions import BlockerPolicy
from research_crawler.core.models.people.reviews import ReviewMode
from research_crawler.core.settings.groups.group import SettingsGroup, unprefixed
from research_crawler.core.settings.provider_settings import Limit


class ResearchSettings(SettingsGroup):
    """How much a job searches and reads, and when its evidence is enough."""

    profile: Literal["", "smoke"] = ""
    """`smoke`: jobs use what earlier jobs found and the user's own files, and nothing is asked of the web; the report
    says so."""
    phase1_max_searches: Limit[int] = unprefixed(2, "PHASE1_MAX_SEARCHES", ge=0, le=MOST_SEARCHES)
    """Maximum number of searches in phase 1; if it is set, at every depth. Else standard has 5, deep 10."""
    phase1_max_visits: Limit[int] = unprefixed(8, "PHASE1_MAX_VISITS", ge=0, le=MOST_VISITS)
    """Maximum number of page visits in phase 1; if it is set, at every depth. Else standard has 15, deep 40."""
    phase1_timeout_seconds: Limit[float] = unprefixed(120.0, "PHASE1_TIMEOUT_SECONDS", gt=0)
    """Maximum work of phase 1 in seconds: fetching and reading; waiting and the answers of models do not count. If it
    is set, at every depth; else standard has 300, deep 900."""
    phase1_max_iterations: Limit[int] = unprefixed(10, "PHASE1_MAX_ITERATIONS", ge=1, le=100)
    """Maximum number of planner decisions."""
    phase1_visit_delay_seconds: float = unprefixed(5.0, "PHASE1_VISIT_DELAY_SECONDS", ge=0)
    """Minimum time between two visits of one host, counted from the end of the first."""
    delay_jitter: float = Field(0.2, ge=0, le=0.5)
    """The delay is drawn evenly from ± this share of it."""
    delay_ceiling_seconds: float = Field(60.0, gt=0)
    """Longest delay that AutoThrottle may set."""
    review: ReviewMode = "never"
    """When a person is asked before a job is completed: never, low_confidence (only where the evidence is not enough)
    or always. `--review` asks always."""
    blocker_policy: BlockerPolicy = "skip"
    """What a job does where a host shows a CAPTCHA, a login or a consent wall: skip (leave the page out) or ask (a
    person opens it in a browser: `research interventions`). `--on-blocker` sets it for one job."""
    intervention_timeout_seconds: Limit[float] = Field(600.0, gt=0, le=86_400)
    """How long a page waits for a person; then it is left out."""
    phase2_vendors: Limit[int] = unprefixed(3, "PHASE2_VENDORS", ge=1, le=10)
    """How many vendors must answer in phase 2; others are asked in place of those that do not answer."""
    phase2_timeout_seconds: float | None = unprefixed(None, "PHASE2_TIMEOUT_SECONDS", gt=0)
    """Maximum work of phase 2 in seconds; unset: the same as phase 1."""
    waiting_timeout_seconds: Limit[float] = Field(3_600.0, gt=0)
    """Longest time that each phase of a job may wait in all: for hosts, search providers, busy crawlers and models.
    Time in which no crawler or no planner runs does not count."""
    memory_max_age_days: float = Field(7.0, ge=0)
    """Findings of earlier jobs up to this age stand beside a new job's search, and can replace phase 1 of a purchase;
    0: none are used."""
    max_attempts: Limit[int] = Field(2, ge=1, le=MOST_ATTEMPTS)
    """Maximum number of attempts: rounds of searches whose results were read; each further sub-question allows one
    more. If it is set, at every depth; else quick has 2, standard 3, deep 5."""
    enough_relevance: float = Field(0.7, ge=0, le=1)
    """Relevance from which, with enough coverage, no new attempt is made."""
    enough_coverage: float = Field(0.6, ge=0, le=1)
    """Share of the question that must be answered for that."""
    answered_confidence: float = Field(0.8, ge=0, le=1)
    """Confidence of the analyst in an answered question from which the research ends."""
    weak_relevance: float = Field(0.6, ge=0, le=1)
    """With less relevance in the best attempt the report opens with a warning, and the exit code is 3."""
    doubtful_confidence: float = Field(0.5, ge=0, le=1)
    """With less confidence after two attempts, the job tries a different query, a narrower question, an unused lead
    and, with --review, a person: each once."""
    hopeless_relevance: float = Field(0.3, ge=0, le=1)
    """With less relevance in every attempt, a job with --require-evidence asks for help."""
    exchange_rates_file: str = Field("", validation_alias=AliasChoices("RESEARCH_EXCHANGE_RATES"))
    """TOML file with your own exchange rates, to compare offers in several currencies; empty: approximate
    rates."""
    page_max_tokens: Limit[int] = unprefixed(4000, "PAGE_MAX_TOKENS", former="SANITIZE_MAX_TOKENS", ge=100)
    """Maximum number of tokens of one page that is read for the goal. If it is not set, a model whose context allows
    it chooses from up to 16,000 of a page, at most a quarter of its context, the parts nearest to the goal."""
    writing_timeout_seconds: Limit[float] = Field(180.0, gt=0)
    """Maximum time for writing the report; if it is not set, 180 s for a quick job, 300 s for a standard and 600 s for
    a deep one."""
