"""Watches, runs and prices as documents that every interface shows alike; keys in notification URLs are masked."""

from collections.abc import Sequence
from typing import Any

from pydantic import ConfigDict, Field

from planner.watches.followed import followed_condition, is_followed
from planner.watches.new_watch import WatchRequest
from planner.watches.price_alerts import drop_of
from planner.watches.price_tables import Series, iso, series_of
from planner.watches.schedule import schedule_text
from planner.watches.settlement import warnings_of
from research_crawler.core.models.base import CallerInput, Frozen
from research_crawler.core.models.offers.products import Condition
from research_crawler.core.models.watches.watch import (
    Alert,
    AlertReason,
    Change,
    FollowedCondition,
    Observation,
    ObservedState,
    RunEntry,
    RunState,
    WatchEntry,
    WatchState,
)
from research_crawler.runtime.runtime import Runtime
from research_crawler.services.watch_control import MOST_SEEN_PRICES, RunResult, WatchView, observations_of


class NewWatch(CallerInput):
    """What a caller asks of a new watch: the body of `POST /watches`."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    query: str = ""
    """What to look for at shops; or give `urls`."""
    urls: list[str] = Field(default_factory=list)
    """Pages of products."""
    vendors: list[str] = Field(default_factory=list)
    """Shops where the query is searched, or their number; empty: 3."""
    every: str = ""
    """Time between runs: 30m, 6h, 1d …; empty: 6h, or `cron`."""
    cron: str = ""
    """Schedule of five fields instead of `every`."""
    timezone: str = ""
    """Time zone of `cron`; empty: UTC."""
    jitter: str = ""
    """Longest random shift of a run, either way; empty: 10 % of the interval, at most 15m."""
    below: str = ""
    """Alert when a price falls below this, e.g. 900 or "EUR 900"."""
    currency: str = ""
    """Currency of `below`, if the shops use several."""
    drop: str = ""
    """Alert when a price drops by a share, e.g. 10%."""
    back_in_stock: bool = False
    """Alert when a product is in stock again."""
    any_change: bool = False
    """Alert on every confirmed change."""
    agreement_confirms: bool = Field(False, alias="by_extractor")
    """Also let structured data and text of one page that agree confirm a change, not only a second fetch."""
    condition: str = ""
    """Which offers of a search it follows: new, used, refurbished, open_box or any; empty: what the query names,
    else new."""
    notify: list[str] = Field(default_factory=list)
    """Where alerts are sent: https webhooks and apprise URLs."""
    region: str = ""
    """Country whose shops are asked, e.g. DE."""
    name: str = ""
    """Name of the watch; empty: the query, or the first URL."""

    def to_request(self) -> WatchRequest:
        """The request as the planner checks it."""
        fields = self.model_dump(exclude={"query", "timezone"}, by_alias=False)
        return WatchRequest(what=(self.query,) if self.query else (), zone=self.timezone, **fields)


class WatchDocument(Frozen):
    """A watch."""

    id: str
    name: str
    state: WatchState
    query: str
    urls: list[str]
    vendors: list[str]
    schedule: str
    next: str | None
    """When its next run is due, in ISO 8601; null while it is paused."""
    rule: dict[str, Any]
    condition: FollowedCondition
    """Which offers count for alerts; one that names no condition does."""
    notify: list[str]
    """Where alerts are sent, without keys."""


class TrackedDocument(Frozen):
    """A product of a watch."""

    product: str
    name: str
    vendor: str
    url: str
    condition: Condition
    followed: bool
    """Whether it counts for alerts; false where it is of another condition than the watch follows."""
    confirmed: ObservedState | None = Field(alias="standing")
    """Its confirmed state."""
    since: str | None
    unconfirmed: ObservedState | None
    """A change that was seen once."""


class RunDocument(Frozen):
    """A run of a watch; `job` is its id."""

    job: str
    slot: str
    state: RunState


class DeliveryDocument(Frozen):
    """What became of an alert at one place."""

    place: str
    """Where it is sent, without keys."""
    state: str
    """due, sending, sent, failed (tried again for a week), or unknown: it may have arrived, and is not sent again."""
    note: str
    """Why it is not sent."""


class AlertDocument(Frozen):
    """An alert that was sent, or is due."""

    id: str
    at: str
    title: str
    reasons: list[AlertReason]
    deliveries: list[DeliveryDocument]


class WatchDetails(WatchDocument):
    """A watch with its products, last runs and alerts."""

    warnings: list[str]
    products: list[TrackedDocument]
    runs: list[RunDocument]
    alerts: list[AlertDocument]


class RunResultDocument(Frozen):
    """The observations and alerts of one run; `task_id` is its id."""

    job: str
    task_id: str
    watch: str
    state: RunState
    observations: list[Observation]
    alerts: list[Alert]


class PriceSeries(Frozen):
    """The prices of one product in one currency, in the order of time."""

    product: str
    name: str
    vendor: str
    condition: Condition = "unknown"
    followed: bool = True
    """Whether it counts for alerts; false where it is of another condition than its watch follows."""
    currency: str
    lowest: float | None
    highest: float | None
    last: Observation
    observations: list[Observation]


def watch_document(entry: WatchEntry) -> WatchDocument:
    """A watch as a document."""
    return WatchDocument(**_fields_of(entry))


def watch_details(view: WatchView) -> WatchDetails:
    """A watch with its products, runs and alerts as a document."""
    return WatchDetails(
        **_fields_of(view.entry),
        warnings=list(warnings_of(view.entry.watch.rule, view.products)),
        products=[
            TrackedDocument(
                product=product.key,
                name=product.identity.name,
                vendor=product.identity.vendor,
                url=product.identity.url or product.identity.asked,
                condition=product.identity.condition,
                followed=is_followed(view.entry.watch, product.identity.condition),
                confirmed=product.confirmed,
                since=iso(product.since_ms) if product.since_ms else None,
                unconfirmed=product.pending,
            )
            for product in view.products
        ],
        runs=[run_document(run) for run in view.runs],
        alerts=[_alert_document(alert, view) for alert in view.alerts],
    )


def warning_texts(view: WatchView) -> list[str]:
    """What is wrong with a watch, in words that an interface can say in another language."""
    return warnings_of(view.entry.watch.rule, view.products)


def dropped_share(change: Change) -> float:
    """How far a price is below the one that its drop is measured from, from 0 to 1."""
    return drop_of(change) / 100


def run_document(run: RunEntry) -> RunDocument:
    """A run of a watch as a document."""
    return RunDocument(job=run.id, slot=iso(run.slot_ms), state=run.state)


def run_result_document(result: RunResult) -> RunResultDocument:
    """The outcome of a run as a document."""
    return RunResultDocument(
        job=result.run.id,
        task_id=result.run.id,
        watch=result.run.watch,
        state=result.run.state,
        observations=result.observations,
        alerts=result.alerts,
    )


def price_series(series: Series, *, rows: int | None = None) -> PriceSeries:
    """A product's prices as a document, with its newest `rows` observations; None: all."""
    prices = series.prices
    newest = list(series.observations) if rows is None else list(series.observations[-rows:] if rows else ())
    return PriceSeries(
        product=series.product,
        name=series.name,
        vendor=series.vendor,
        condition=series.condition,
        currency=series.currency,
        lowest=float(min(prices)) if prices else None,
        highest=float(max(prices)) if prices else None,
        last=series.last,
        observations=newest,
    )


async def prices_of_watch(
    runtime: Runtime, entry: WatchEntry, *, rows: int | None = None, most: int = MOST_SEEN_PRICES
) -> list[PriceSeries]:
    """The prices of each product and currency of a watch, with the newest `rows` observations; None: all.

    Only the newest `most` observations of the watch are read.
    """
    return series_of_watch(entry, await observations_of(runtime, entry, most=most), rows=rows)


def series_of_watch(
    entry: WatchEntry, seen: Sequence[Observation], *, rows: int | None = None
) -> list[PriceSeries]:
    """The same, of observations that were read already."""
    dropped = entry.watch.dropped
    shown = [price_series(one, rows=rows) for one in series_of(seen) if one.product not in dropped]
    return [one.changed(followed=is_followed(entry.watch, one.condition)) for one in shown]


def _fields_of(entry: WatchEntry) -> dict[str, Any]:
    from research_crawler.adapters.notifications import shown_destination

    watch = entry.watch
    return {
        "id": watch.id,
        "name": watch.name,
        "state": entry.state,
        "query": watch.query,
        "urls": watch.urls,
        "vendors": watch.vendors,
        "schedule": schedule_text(watch.schedule),
        "next": None if entry.next_due_ms is None else iso(entry.next_due_ms),
        "condition": followed_condition(watch),
        "rule": watch.rule.model_dump(mode="json", exclude_defaults=True),
        "notify": [shown_destination(place) for place in watch.notify],
    }


def shown_of(view: WatchView, place: int) -> str:
    """Where the watch sends its alerts, by number, without keys."""
    from research_crawler.adapters.notifications import shown_destination

    places = view.entry.watch.notify
    return shown_destination(places[place]) if place < len(places) else ""


def _alert_document(alert: Alert, view: WatchView) -> AlertDocument:
    return AlertDocument(
        id=alert.key,
        at=iso(alert.change.at_ms),
        title=alert.title,
        reasons=alert.reasons,
        deliveries=[
            DeliveryDocument(place=shown_of(view, place), state=state, note=note)
            for key, place, state, note in view.deliveries
            if key == alert.key
        ],
    )
