"""Watches: what is looked at again and again, what each look saw, and when its user is told."""

import base64
from typing import TYPE_CHECKING, Literal, Self, Unpack
from uuid import UUID, uuid5

from pydantic import Field

from research_crawler.core.models.base import Frozen, Wire, replaced
from research_crawler.core.models.products import Amount, Availability, Condition
from research_crawler.core.models.why import NO_REASON, Why

if TYPE_CHECKING:
    from research_crawler.core.models.changes import AlertRuleChanges, TrackedChanges, WatchProgressChanges

WATCH_SPACE = UUID("6f1c1a2e-5f0e-5a57-9d57-2f1d4f0e7a11")
"""Namespace of the names below: uuid5 of a watch, of its slots, its products and their changes."""
LookState = Literal["offer", "out_of_stock", "unclear", "blocked", "failed"]
"""Only `offer` has a price. blocked, failed: no page; unclear: a page from which no price can be told."""
WatchState = Literal["active", "paused", "removed"]
RunState = Literal["due", "submitted", "done", "failed"]
AlertReason = Literal["below", "drop", "back_in_stock", "change"]


def short_id(name: str) -> str:
    """The first 12 base32 characters of uuid5(name): a job id that everybody computes alike."""
    return base64.b32encode(uuid5(WATCH_SPACE, name).bytes).decode("ascii")[:12].lower()


class Schedule(Frozen):
    """When a watch is looked at: every so many milliseconds since `anchor_ms`, or by a cron line."""

    every_ms: int = 0
    anchor_ms: int = 0
    cron: str = ""
    """Five fields, read in `zone`; empty with `every_ms`."""
    zone: str = "UTC"
    """IANA name."""
    jitter_ms: int | None = None
    """Most that a slot is moved, either way; None: a tenth of the interval, at most 15 min."""


class AlertRule(Frozen):
    """Which confirmed changes a user wants to be told. Several conditions: any of them is enough."""

    below: Amount | None = None
    currency: str = ""
    """ISO 4217 code of `below`; empty: the only currency of the watch."""
    drop_percent: float | None = None
    back_in_stock: bool = False
    any_change: bool = False
    by_extractor: bool = False
    """Two readings of one page that agree (data and text) are enough; else the page is fetched a second time."""

    def changed(self, **changes: "Unpack[AlertRuleChanges]") -> Self:
        """A copy with other values of the given fields."""
        return replaced(self, **changes)

    @property
    def is_empty(self) -> bool:
        """Whether nothing is ever told."""
        return not (self.below is not None or self.drop_percent or self.back_in_stock or self.any_change)


class WatchPage(Frozen):
    """One page that a watch looks at."""

    url: str
    """Canonical."""
    kind: Literal["product", "search"] = "product"
    host: str = ""
    """The vendor, without `www.`."""
    query: str = ""
    currency: str = ""


class Watch(Wire):
    """What its user wants to know about; as it was added."""

    id: str
    name: str
    """The query, or the first URL."""
    query: str = ""
    urls: list[str] = Field(default_factory=list)
    vendors: list[str] = Field(default_factory=list)
    pages: list[WatchPage] = Field(default_factory=list)
    schedule: Schedule
    rule: AlertRule = AlertRule()
    notify: list[str] = Field(default_factory=list)
    """Where alerts go: apprise URLs and https webhooks. They may hold keys: shown masked."""
    region: str = ""
    currency: str = ""
    created_ms: int = 0


class WatchEntry(Frozen):
    """A watch and where its schedule stands."""

    watch: Watch
    state: WatchState = "active"
    last_slot_ms: int = -1
    """The newest slot that was made a run."""
    next_due_ms: int | None = None
    """None while paused."""
    revision: int = 0


class WatchRun(Frozen):
    """One slot of a watch, or a run that a person asked for: what its job needs to know."""

    watch: str
    slot_ms: int
    pages: list[WatchPage] = Field(default_factory=list)
    region: str = ""
    confirm_ms: int = 60_000
    """How long a second look waits."""


class WatchProgress(Frozen):
    """How far a run is; a field of its job."""

    targets: dict[str, int] = Field(default_factory=dict)
    """Open and answered commands → the page's place in `WatchRun.pages`."""
    answered: list[str] = Field(default_factory=list)
    looks: int = 0
    """Rounds of fetches begun."""
    again: list[int] = Field(default_factory=list)
    """Pages that are to be looked at once more."""

    def changed(self, **changes: "Unpack[WatchProgressChanges]") -> Self:
        """A copy with other values of the given fields."""
        return replaced(self, **changes)


class RunEntry(Frozen):
    """A run as the archive keeps it."""

    id: str
    """Of its job."""
    watch: str
    slot_ms: int
    state: RunState
    created_ms: int = 0
    ended_ms: int = 0
    note: str = ""
    is_manual: bool = False


class Identity(Frozen):
    """What a product is recognised by from one look to the next."""

    vendor: str
    url: str = ""
    """Canonical URL of the product's own page."""
    asked: str = ""
    """The product URL that the watch names; empty for results of a search page."""
    name: str = ""
    sku: str = ""
    gtin: str = ""
    mpn: str = ""
    brand: str = ""
    variant: str = ""
    condition: Condition = "unknown"


class Reading(Frozen):
    """What one fetch said of one product, or that it said nothing."""

    id: str
    """uuid5 of command and ordinal: the same event gives the same readings."""
    target: int
    at_ms: int
    state: LookState
    identity: Identity
    price: Amount | None = None
    currency: str = ""
    availability: Availability = "unknown"
    page_sha: str = ""
    reason: Why = NO_REASON
    rungs: list[str] = Field(default_factory=list)
    """What stated the price; two or more agree."""
    doubtful: bool = False
    """The page contradicts itself: opens no change and confirms none."""
    look: int = 1
    """Which look of its run."""


class Standing(Frozen):
    """What is true of an offer: a price while it can be bought, none while not."""

    price: Amount | None = None
    currency: str = ""
    buyable: bool = True


class Tracked(Frozen):
    """A product of a watch: what is confirmed of it, and what waits for a second look."""

    key: str
    identity: Identity
    standing: Standing | None = None
    """None until the first confirmation."""
    since_ms: int = 0
    pending: Standing | None = None
    pending_at_ms: int = 0
    pending_reading: str = ""
    pending_run: str = ""
    pending_target: int = 0
    changes: int = 0
    """Confirmed ones so far: the number that an alert's key is made of."""
    reference: Amount | None = None
    """What a drop is measured against: the highest price since the last drop that was told."""

    def changed(self, **changes: "Unpack[TrackedChanges]") -> Self:
        """A copy with other values of the given fields."""
        return replaced(self, **changes)


class Change(Frozen):
    """A confirmed change of a product."""

    watch: str
    product: str
    number: int
    at_ms: int
    before: Standing | None
    after: Standing
    reference: Amount | None = None
    confirmed_by: Literal["fetch", "extractor"] = "fetch"
    identity: Identity
    page_sha: str = ""

    @property
    def key(self) -> str:
        """The idempotency key: one alert per change, whoever finds it and how often."""
        return str(uuid5(WATCH_SPACE, f"{self.watch}:{self.product}:{self.number}"))


class Alert(Frozen):
    """A change that the rule asks to be told."""

    key: str
    watch: str
    watch_name: str
    change: Change
    reasons: list[AlertReason]
    title: str
    text: str


class Delivery(Frozen):
    """An alert on its way to one place, claimed by this process."""

    alert: Alert
    place: int
    url: str
    attempt: int


class Observation(Frozen):
    """A kept reading, as history shows and exports it."""

    id: str
    watch: str
    run: str
    product: str
    at_ms: int
    state: LookState
    price: Amount | None = None
    currency: str = ""
    availability: Availability = "unknown"
    condition: Condition = "unknown"
    vendor: str = ""
    name: str = ""
    variant: str = ""
    url: str = ""
    page_sha: str = ""
    look: int = 1
    confirmed: bool = False
    """A second look (or a second extractor) said the same, or it is what was confirmed before."""
    proves: bool = False
    """It opened or confirmed a change: its page is kept as long as it is."""
    reason: Why = NO_REASON
