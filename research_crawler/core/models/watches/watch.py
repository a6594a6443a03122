"""Watches: products that are checked on a schedule, what each check observed, and the alerts."""

import base64
from typing import Any, Final, Literal, get_args
from uuid import UUID, uuid5

from pydantic import Field

from research_crawler.core.models.base import Frozen, Wire
from research_crawler.core.models.offers.products import Amount, Availability, Condition
from research_crawler.core.models.watches.notices import Notice
from research_crawler.core.models.why import NO_REASON, Why

WATCH_SPACE = UUID("6f1c1a2e-5f0e-5a57-9d57-2f1d4f0e7a11")
"""Namespace of the uuid5 of watches, their slots, products and changes."""
ObservationState = Literal["offer", "out_of_stock", "unclear", "blocked", "failed"]
"""Only `offer` has a price. blocked, failed: there is no page; unclear: the page has no clear price."""
WatchState = Literal["active", "paused", "removed"]
RunState = Literal["due", "submitted", "done", "failed"]
AlertReason = Literal["below", "drop", "back_in_stock", "change"]
FollowedCondition = Literal["new", "used", "refurbished", "open_box", "any"]
DEFAULT_EVERY: Final = "6h"
"""How often a watch looks if its user names no interval; the help of `research watch add` says it too."""
FOLLOWED_CONDITIONS: Final[tuple[FollowedCondition, ...]] = get_args(FollowedCondition)


def short_id(name: str) -> str:
    """The first 12 base32 characters of uuid5(name): a job id that is the same in every process."""
    return base64.b32encode(uuid5(WATCH_SPACE, name).bytes).decode("ascii")[:12].lower()


class Schedule(Frozen):
    """When a watch runs: every `every_ms` since `anchor_ms`, or by a cron line."""

    every_ms: int = 0
    anchor_ms: int = 0
    cron: str = ""
    """Five fields, read in `zone`; empty with `every_ms`."""
    zone: str = "UTC"
    """IANA name."""
    jitter_ms: int | None = None
    """How far a slot may be moved in either direction; None: a tenth of the interval, at most 15 min."""


class AlertRule(Frozen):
    """Which confirmed changes send an alert. One fulfilled condition is enough."""

    below: Amount | None = None
    currency: str = ""
    """ISO 4217 code of `below`; empty: the only currency of the watch."""
    drop_percent: float | None = None
    back_in_stock: bool = False
    any_change: bool = False
    agreement_confirms: bool = Field(False, alias="by_extractor")
    """Two readings of one page that agree (data and text) confirm a change; if false, a second fetch must."""

    @property
    def is_empty(self) -> bool:
        """Whether the rule never sends an alert."""
        return not (self.below is not None or self.drop_percent or self.back_in_stock or self.any_change)


class WatchPage(Frozen):
    """One page that a watch fetches."""

    url: str
    """Canonical."""
    kind: Literal["product", "search"] = "product"
    host: str = ""
    """The vendor, without `www.`."""
    query: str = ""
    currency: str = ""


class Watch(Wire):
    """A watch as its user added it."""

    id: str
    name: str
    """The query, or the first URL."""
    query: str = ""
    urls: list[str] = Field(default_factory=list)
    vendors: list[str] = Field(default_factory=list)
    pages: list[WatchPage] = Field(default_factory=list)
    schedule: Schedule
    rule: AlertRule = AlertRule()
    condition: FollowedCondition | None = None
    """Which of the found offers it follows; None: those of the condition that its query names, else new ones."""
    dropped: list[str] = Field(default_factory=list)
    """Keys of products that a person does not want in it: what is seen of them is not kept."""
    notify: list[str] = Field(default_factory=list)
    """Where alerts are sent: apprise URLs and https webhooks. They may hold keys, so they are shown
    masked."""
    region: str = ""
    currency: str = ""
    created_ms: int = 0


class WatchTerms(Frozen):
    """What a person may change of a watch; its destinations by their number, as they may hold keys."""

    name: str
    schedule: Schedule
    rule: AlertRule
    condition: FollowedCondition | None
    destinations: int = Field(alias="places")
    dropped: int = 0
    """How many products are left out."""

    @classmethod
    def of(cls, watch: Watch) -> "WatchTerms":
        """Those of a watch."""
        return cls(
            name=watch.name,
            schedule=watch.schedule,
            rule=watch.rule,
            condition=watch.condition,
            destinations=len(watch.notify),
            dropped=len(watch.dropped),
        )


class WatchEdit(Frozen):
    """A change of a watch by a person."""

    watch: str
    at_ms: int
    before: WatchTerms
    after: WatchTerms


class WatchEntry(Frozen):
    """A watch and the state of its schedule."""

    watch: Watch
    state: WatchState = "active"
    last_slot_ms: int = -1
    """The newest slot that became a run."""
    next_due_ms: int | None = None
    """None while paused."""
    revision: int = 0


class WatchRun(Frozen):
    """A run of a watch, scheduled or requested by a person: what its job needs to know."""

    watch: str
    slot_ms: int
    pages: list[WatchPage] = Field(default_factory=list)
    region: str = ""
    confirm_ms: int | None = None
    """How long to wait before the second fetch, in runs that were made before planners knew it; None: they know."""


class WatchProgress(Frozen):
    """The progress of a run, which is a field of its job."""

    targets: dict[str, int] = Field(default_factory=dict)
    """Open and answered commands → the position of their page in `WatchRun.pages`."""
    answered: list[str] = Field(default_factory=list)
    fetches: int = Field(0, alias="looks")
    """Number of fetch rounds that were started."""
    again: list[int] = Field(default_factory=list)
    """Pages that must be fetched once more."""


class RunEntry(Frozen):
    """A run in the archive."""

    id: str
    """The id of its job."""
    watch: str
    slot_ms: int
    state: RunState
    created_ms: int = 0
    ended_ms: int = 0
    note: str = ""
    is_manual: bool = False


class Identity(Frozen):
    """What identifies a product from one fetch to the next."""

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
    """What one fetch said about one product, if anything."""

    id: str
    """uuid5 of command and ordinal, so that the same event gives the same readings."""
    target: int
    at_ms: int
    state: ObservationState
    identity: Identity
    price: Amount | None = None
    currency: str = ""
    availability: Availability = "unknown"
    page_sha: str = ""
    reason: Why = NO_REASON
    sources: list[str] = Field(default_factory=list, alias="rungs")
    """The ways in which the price was read; two or more agree."""
    doubtful: bool = False
    """The page contradicts itself, so this reading neither starts nor confirms a change."""
    fetch_attempt: int = Field(1, alias="look")
    """Number of the fetch in its run, from 1."""


class ObservedState(Frozen):
    """The state of an offer: it has a price while it can be bought, and none otherwise."""

    price: Amount | None = None
    currency: str = ""
    buyable: bool = True


class Tracked(Frozen):
    """A product of a watch: its confirmed state, and a change that waits for a second fetch."""

    key: str
    identity: Identity
    confirmed: ObservedState | None = Field(None, alias="standing")
    """None until the first confirmation."""
    since_ms: int = 0
    pending: ObservedState | None = None
    pending_at_ms: int = 0
    pending_reading: str = ""
    pending_run: str = ""
    pending_target: int = 0
    changes: int = 0
    """Number of confirmed changes so far. It is part of an alert's key."""
    reference: Amount | None = None
    """Reference of a price drop: the highest price since the last reported drop."""
    limit: Amount | None = None
    """The limit with which its confirmed price was last compared."""


class Change(Frozen):
    """A confirmed change of a product."""

    watch: str
    product: str
    number: int
    at_ms: int
    before: ObservedState | None
    after: ObservedState
    reference: Amount | None = None
    confirmed_by: Literal["fetch", "extractor"] = "fetch"
    identity: Identity
    page_sha: str = ""

    @property
    def key(self) -> str:
        """The idempotency key: one alert per change, however often the change is found."""
        return str(uuid5(WATCH_SPACE, f"{self.watch}:{self.product}:{self.number}"))


class Alert(Frozen):
    """A change for which the rule sends an alert."""

    key: str
    watch: str
    watch_name: str
    change: Change
    reasons: list[AlertReason]
    title: str
    text: str

    def document(self) -> dict[str, Any]:
        """The body of a webhook."""
        return {
            "id": self.key,
            "watch": {"id": self.watch, "name": self.watch_name},
            "title": self.title,
            "text": self.text,
            "reasons": self.reasons,
            "change": self.change.model_dump(mode="json"),
        }


class Delivery(Frozen):
    """An alert or a notice to send to one destination, claimed by this process."""

    alert: Alert | Notice
    destination: int
    """Its number among those of the watch or job."""
    url: str
    attempt: int


class Observation(Frozen):
    """A stored reading, as the price history shows and exports it."""

    id: str
    watch: str
    run: str
    product: str
    at_ms: int
    state: ObservationState
    price: Amount | None = None
    currency: str = ""
    availability: Availability = "unknown"
    condition: Condition = "unknown"
    vendor: str = ""
    name: str = ""
    variant: str = ""
    url: str = ""
    page_sha: str = ""
    fetch_attempt: int = Field(1, alias="look")
    confirmed: bool = False
    """A second fetch (or a second extractor) gave the same, or it equals the confirmed state."""
    proves: bool = False
    """It started or confirmed a change, so its page is kept as long as the reading."""
    reason: Why = NO_REASON
