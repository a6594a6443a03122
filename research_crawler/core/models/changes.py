"""The fields of each model that may change after it is made: the types of the arguments of `changed`.

A field that is not listed here never changes. Each type is the same as in the model.
"""

from typing import TypedDict

from research_crawler.core.models.columns import ColumnSpec
from research_crawler.core.models.commands import Intent, Purpose
from research_crawler.core.models.decisions import Action, Candidate, ScoreRequest
from research_crawler.core.models.events import (
    PageReading,
    ProviderReport,
    SearchResult,
    Spent,
    Usage,
)
from research_crawler.core.models.findings import Finding
from research_crawler.core.models.interventions import BlockerPolicy, InterventionState
from research_crawler.core.models.jobs import JobInputs, Outcome, Progress, ResearchType, State
from research_crawler.core.models.outline import Outline
from research_crawler.core.models.phase2 import Lookup, Phase2, VendorTry
from research_crawler.core.models.plan import Plan, StoredSource
from research_crawler.core.models.products import Amount, Availability, FieldGap, Offer, Product, Provenance
from research_crawler.core.models.quality import (
    Assessed,
)
from research_crawler.core.models.records import (
    RoundStart,
    ScoredResult,
    SearchRecord,
    Strategy,
    TimelineEntry,
    VisitRecord,
)
from research_crawler.core.models.reviews import OpenQuestion, Remark, ReviewMode, ReviewRecord
from research_crawler.core.models.watches import Identity, Standing, WatchProgress
from research_crawler.core.models.why import Why


class JobChanges(TypedDict, total=False):
    """The fields of a `Job` that may change."""

    state: State
    strategy: Strategy
    strategy_reason: str
    plan: Plan
    outline: Outline
    assessed: Assessed
    searches: list[SearchRecord]
    results: list[ScoredResult]
    visits: list[VisitRecord]
    phase2: Phase2 | None
    timeline: list[TimelineEntry]
    progress: Progress
    usage: Usage
    downloads: int
    pages_fetched: int
    completed_at: str
    error: str
    outcome: Outcome | None
    warnings: list[str]
    report: str
    watch: WatchProgress
    review: ReviewRecord
    inputs: JobInputs


class ReviewRecordChanges(TypedDict, total=False):
    """The fields of a `ReviewRecord` that may change."""

    question: OpenQuestion | None
    asked: int
    helped: int
    rounds: int
    remarks: list[Remark]
    rejected_findings: list[str]
    rejected_sources: list[str]
    accepted: bool
    plan_approved: bool
    proposal: OpenQuestion | None


class JobInputsChanges(TypedDict, total=False):
    """The fields of `JobInputs` that may change while a job is made from them."""

    goal: str
    context: str
    intent: Intent
    strategy: Strategy | None
    prior_turn_context: str
    language: str
    outline: str
    urls: list[str]
    columns: list[ColumnSpec]
    notify: list[str]
    save_to_file: str
    subject: str
    batch: bool
    batch_id: str
    vendors: int
    region: str
    currency: str
    review: ReviewMode
    blocker_policy: BlockerPolicy
    topic: str
    files: list[StoredSource]
    about_job: str
    since: str
    until: str
    type: ResearchType
    stack: str


class PlanChanges(TypedDict, total=False):
    """The fields of a `Plan` that may change."""

    iteration: int
    round: int
    open: list[str]
    round_until_ms: int
    round_limit_ms: int
    epoch: int
    started_ms: int
    spent_ms: int
    counted_ms: int
    deadline_ms: int
    next_command: int
    searches_used: int
    visits_used: int
    barren_rounds: int
    repeats: int
    stuck_step: int
    forced: str
    done_reason: str
    missing: list[str]
    named_missing: list[str]
    finished_ms: int
    findings: int
    pages_read: int
    gained: int
    last_resort: bool
    touched_ms: int
    fallback: str
    targets: list[str]
    recalled: bool
    stored: list[StoredSource]
    remembered: int
    dropped_visits: list[str]
    begun: RoundStart


class Phase2Changes(TypedDict, total=False):
    """The fields of a `Phase2` that may change."""

    started_ms: int
    spent_ms: int
    finished_ms: int
    round: int
    terms: list[str]
    lookups: list[Lookup]
    unmatched: list[str]
    vendors: list[VendorTry]
    looked_up: bool
    known_added: bool
    rechecks: dict[str, bool]
    products: list[Product]
    searches: int
    ended: str


class ProductChanges(TypedDict, total=False):
    """The fields of a `Product` that may change."""

    name: str
    price: str
    price_numeric: Amount | None
    price_from: bool
    currency: str
    vendor: str
    url: str
    in_stock: bool | None
    availability: Availability
    specs: dict[str, str]
    brand: str
    variant: str
    offers: list[Offer]
    provenance: dict[str, Provenance]
    gaps: list[FieldGap]


class PageTextChanges(TypedDict, total=False):
    """The fields of a `PageText` that may be replaced by more reliable values than those read from the bytes."""

    encoding: str
    title: str


class PassageChanges(TypedDict, total=False):
    """The fields of a `Passage` that may change after the page was split."""

    text: str
    tokens: int


class InterventionChanges(TypedDict, total=False):
    """The fields of an `Intervention` that change when a person begins, and when it ends."""

    state: InterventionState
    until_ms: int
    closed_ms: int


class CommandChanges(TypedDict, total=False):
    """The fields of a `Command` that may change before it is pushed."""

    id: str
    job: str
    asked: str
    asked_h: str
    purpose: Purpose | None


class EventChanges(TypedDict, total=False):
    """The fields of an `Event` that may change to make it smaller, or to give it to another command."""

    uid: str
    command: str
    reason: Why
    query: str
    results: list[SearchResult]
    providers: list[ProviderReport]
    page: PageReading | None
    findings: list[Finding]
    products: list[Product]
    vectors: list[str]


class DecisionChanges(TypedDict, total=False):
    """The fields of a `Decision` that may change."""

    action: Action
    queries: list[str]
    urls: list[str]


class PlannerViewChanges(TypedDict, total=False):
    """The fields of a `PlannerView` that may change."""

    candidates: list[Candidate]
    labelling: ScoreRequest | None
    outline: Outline
    assessed: Assessed
    allowed: list[Action]
    spent: Spent


class AlertRuleChanges(TypedDict, total=False):
    """The fields of an `AlertRule` that may change."""

    below: Amount | None
    currency: str
    any_change: bool


class WatchProgressChanges(TypedDict, total=False):
    """The fields of a `WatchProgress` that may change."""

    answered: list[str]
    again: list[int]


class TrackedChanges(TypedDict, total=False):
    """The fields of a `Tracked` product that may change."""

    identity: Identity
    standing: Standing | None
    since_ms: int
    pending: Standing | None
    pending_at_ms: int
    pending_reading: str
    pending_run: str
    pending_target: int
    changes: int
    reference: Amount | None
