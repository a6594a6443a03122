"""The watches as cards, the prices of one as charts with what happened, and the forms that add and change one."""

import asyncio
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import chain
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from research_crawler.core.errors import ConfigError, UsageError
from research_crawler.core.models.watches.watch import (
    DEFAULT_EVERY,
    FOLLOWED_CONDITIONS,
    Alert,
    AlertRule,
    Tracked,
    Watch,
    WatchEntry,
)
from research_crawler.core.web.urls import host_of
from research_crawler.interfaces.dashboard.chart_gaps import gaps_of
from research_crawler.interfaces.dashboard.charts import Chart, change_of, chart_of, sparkline_of
from research_crawler.interfaces.dashboard.forms import INTERVALS, NO_FAULTS, Form, FormOf, faults_of
from research_crawler.interfaces.dashboard.page_templates import page, see, shown_error
from research_crawler.interfaces.http.state import RuntimeOf
from research_crawler.runtime.runtime import Runtime
from research_crawler.services import watch_control
from research_crawler.services.jobs.job_lifecycle import missing_process
from research_crawler.services.shop_names import shop_names
from research_crawler.services.watch_control import WatchView
from research_crawler.services.watch_documents import (
    NewWatch,
    PriceSeries,
    WatchDocument,
    dropped_share,
    prices_of_watch,
    series_of_watch,
    warning_texts,
    watch_details,
    watch_document,
)

router = APIRouter(prefix="/watches")
LATE_RUN_MS = 60_000
"""So late a run is overdue: a planner begins one within seconds."""
MOST_POINTS = 500
"""Points of a line, at most."""
CARDS, CARD_OBSERVATIONS = 24, 60
"""Cards on a page, and the newest observations of each watch that its card is drawn from."""
CHANGED: Final = (
    "name", "every", "cron", "zone", "below", "currency", "drop", "back_in_stock", "any_change", "condition",
)  # fmt: skip
"""What the form changes of a watch, beside its places."""
LOOKED_AT_TOGETHER: Final[Mapping[str, Sequence[str]]] = {
    **{
        name: [name]
        for name in ("what", "every", "below", "currency", "drop", "notify", "name", "vendors", "region")
    },
    "cron": ["cron", "timezone"],
}
"""The field of the form that is marked → the fields that are wrong only together."""
OFFERS_SHOWN = 4
"""Products of a watch on a page, each with its chart."""


@router.get("")
async def watch_list(
    request: Request, runtime: RuntimeOf, after: Annotated[int, Query(ge=0)] = 0
) -> Response:
    """A page of watches, each with its last price and a small line."""
    entries = await watch_control.all_watches(runtime)
    shown = entries[after : after + CARDS]
    seen = await watch_control.newest_observations(runtime, shown, CARD_OBSERVATIONS)
    alerts = await watch_control.last_alerts(runtime, shown)
    documents = await asyncio.to_thread(lambda: [watch_document(entry) for entry in shown])
    series = [series_of_watch(entry, seen[entry.watch.id]) for entry in shown]
    shops = await _shops(runtime, chain.from_iterable(series))
    return page(
        request,
        "watches.html",
        {
            "watches": [
                _card(watch, prices, shops, entry.watch, alerts.get(entry.watch.id))
                for watch, prices, entry in zip(documents, series, shown, strict=True)
            ],
            "unattended": await _unattended(runtime, entries),
            "after": after,
            "next": after + CARDS if len(entries) > after + CARDS else 0,
        },
    )


def _card(
    document: WatchDocument,
    series: list[PriceSeries],
    shops: Mapping[str, str],
    watch: Watch,
    alert: Alert | None,
) -> dict[str, Any]:
    """A watch with the followed offer that is cheapest now, or that was seen last, and the cheapest of the others."""
    followed = [one for one in series if one.followed]
    best = _cheapest(followed) or (followed[0] if followed else None)
    return {
        "watch": document,
        "name": watch_heading(watch, series),
        "schedule": watch.schedule,
        "rule": watch.rule,
        "alert": alert,
        "other": _cheapest([one for one in series if not one.followed]),
        "best": best,
        "title": watched_product_title(best, shops) if best else "",
        "host": _shop_host(best) if best and _shop_host(best) in shops else "",
        "more": len(followed) - 1,
        "spark": sparkline_of(best) if best else None,
        "change": change_of(best) if best else None,
    }


def _cheapest(series: Sequence[PriceSeries]) -> PriceSeries | None:
    """The offer with the lowest last price; None if none has one."""
    priced = [one for one in series if one.last.price is not None]
    return min(priced, key=lambda one: one.last.price or 0, default=None)


def watched_product_title(series: PriceSeries, shops: Mapping[str, str]) -> str:
    """What a product is called: its name with its shop, or the shop alone where the page has no title."""
    host = _shop_host(series)
    shop = shops.get(host, host)
    return f"{series.name} – {shop}" if series.name and series.name not in (host, shop) else shop


def watch_heading(watch: Watch, series: Sequence[PriceSeries]) -> str:
    """What a watch is called: its name, or, where that is the address of a page, the product that was seen there."""
    if watch.name not in watch.urls:
        return watch.name
    return next((one.name for one in series if one.name), watch.name)


async def _unattended(runtime: Runtime, entries: Sequence[WatchEntry]) -> bool:
    """Whether a watch is overdue because no process runs watches."""
    late_ms = watch_control.now_ms() - LATE_RUN_MS
    is_late = any(entry.next_due_ms is not None and entry.next_due_ms < late_ms for entry in entries)
    return is_late and bool(await missing_process(runtime))


def _shop_host(series: PriceSeries) -> str:
    return series.vendor or host_of(series.last.url)


async def _shops(runtime: Runtime, series: Iterable[PriceSeries]) -> dict[str, str]:
    return await shop_names(runtime, map(_shop_host, series))


@router.get("/new")
async def new_watch(request: Request) -> Response:
    """The form for a watch."""
    return _form(request)


@router.post("/new")
async def add_watch(request: Request, runtime: RuntimeOf, form: FormOf) -> Response:
    """Add a watch; what is wrong is told above the form, which keeps what was typed."""
    try:
        watch = await asyncio.to_thread(
            watch_control.checked_watch, runtime.config, _asked(form).to_request()
        )
    except (UsageError, ConfigError) as error:
        return _form(request, values=form, faults=await _faults(request, runtime, form, error))
    await watch_control.add_watch(runtime, watch)
    return see(f"/watches/{watch.id}")


@router.get("/{name}")
async def watch_page(
    request: Request,
    name: str,
    runtime: RuntimeOf,
    after: Annotated[int, Query(ge=0)] = 0,
    *,
    saved: bool = False,
) -> Response:
    """A watch with a page of its products, their prices, its runs and alerts."""
    entry = await watch_control.find_watch(runtime, name, removed=True)
    view = await watch_control.watch_view(runtime, entry)
    series = await prices_of_watch(runtime, entry, rows=MOST_POINTS)
    series.sort(key=lambda one: not one.followed)
    shown = series[after : after + OFFERS_SHOWN]
    shops = await _shops(runtime, shown)
    rules = watch_control.rules_of(view)
    checked_ms = [seen.at_ms for one in series for seen in one.observations]
    alerted: dict[str, list[int]] = {}
    for alert in view.alerts:
        alerted.setdefault(alert.change.product, []).append(alert.change.at_ms)
    return page(
        request,
        "watch.html",
        {
            "watch": await asyncio.to_thread(watch_details, view),
            "series": [
                (one, watched_product_title(one, shops), *_charts(view, one, alerted.get(one.product, ())))
                for one in shown
            ],
            "gaps": [gaps_of(one.observations, checked_ms, entry.watch.schedule.every_ms) for one in shown],
            "heading": watch_heading(entry.watch, series),
            "schedule": entry.watch.schedule,
            "rule": entry.watch.rule,
            "only_currency": _only({one.currency for one in series}),
            "after": after,
            "saved": saved,
            "below_already": _below_already(entry, series),
            "newly_below": view.newly_below,
            "warnings": warning_texts(view),
            "alerts": {alert.key: alert for alert in view.alerts},
            "limits": {alert.key: _limit_at(rules, alert.change.at_ms) for alert in view.alerts},
            "unattended": await _unattended(runtime, [entry]),
            "edits": view.edits,
            "described": watch_control.schedule_of,
            "drop_of": dropped_share,
            "next": after + OFFERS_SHOWN if len(series) > after + OFFERS_SHOWN else 0,
        },
    )


def _charts(
    view: WatchView, series: PriceSeries, alerted_ms: Collection[int]
) -> tuple[Chart | None, Chart | None]:
    """The chart of an offer for wide and for narrow pages, with the limit if it is in the offer's currency."""
    edited_ms = [edit.at_ms for edit in view.edits]
    limits = [
        (at_ms, rule.below if rule.currency in ("", series.currency) else None)
        for at_ms, rule in watch_control.rules_of(view)
    ]
    wide = chart_of(series, alerted_ms, edited_ms=edited_ms, limits=limits)
    return wide, chart_of(series, alerted_ms, edited_ms=edited_ms, limits=limits, is_narrow=True)


def _limit_at(rules: Sequence[tuple[int, AlertRule]], at_ms: int) -> Decimal | None:
    """The price below which a watch told at a time."""
    held = [rule for since_ms, rule in rules if since_ms <= at_ms]
    return (held or [rules[0][1]])[-1].below


def _only(values: set[str]) -> str:
    """The value if there is one alone."""
    return next(iter(values)) if len(values) == 1 else ""


def _below_already(entry: WatchEntry, series: Sequence[PriceSeries]) -> PriceSeries | None:
    """A followed offer whose last price is below the limit: only a fall is an alert, or a raised limit."""
    rule = entry.watch.rule
    if rule.below is None:
        return None
    low = (
        one for one in series if one.followed and one.last.price is not None and one.last.price < rule.below
    )
    return next((one for one in low if not rule.currency or one.currency == rule.currency), None)


@router.get("/{name}/seen")
async def seen_page(
    request: Request, name: str, runtime: RuntimeOf, *, product: str, currency: str = "", piece: bool = False
) -> Response:
    """What was seen of one product, as a table; `piece`: the table alone, where the watch's page opens it."""
    entry = await watch_control.find_watch(runtime, name, removed=True)
    series = await prices_of_watch(runtime, entry, rows=MOST_POINTS)
    series_shown = next(
        (
            series_shown
            for series_shown in series
            if (series_shown.product, series_shown.currency) == (product, currency)
        ),
        None,
    )
    if series_shown is None:
        raise HTTPException(404)
    template = "watch_seen_piece.html" if piece else "watch_seen.html"
    title = watched_product_title(series_shown, await _shops(runtime, [series_shown]))
    return page(request, template, {"watch": entry.watch, "one": series_shown, "title": title})


@router.get("/{name}/edit")
async def edit_watch(request: Request, name: str, runtime: RuntimeOf) -> Response:
    """The form with what the watch has."""
    entry = await watch_control.find_watch(runtime, name)
    document = await asyncio.to_thread(watch_document, entry)
    view = await watch_control.watch_view(runtime, entry)
    offers = await _offers(runtime, view)
    return _form(request, entry=entry, document=document, values=Form(_values_of(entry)), offers=offers)


@router.post("/{name}/edit")
async def change_watch(request: Request, name: str, runtime: RuntimeOf, form: FormOf) -> Response:
    """Change the name, schedule, rule, places and offers of a watch; what it looks at stays."""
    entry = await watch_control.find_watch(runtime, name)
    view = await watch_control.watch_view(runtime, entry)
    known = {product.key for product in (*view.products, *view.dropped)}
    dropped = [key for key in form.all("drop_offer") if key in known] if form.one("offers") else None
    kept = [place for n, place in enumerate(entry.watch.notify) if str(n) not in form.all("drop_place")]
    asked = _asked(form).to_request()
    changed = {name: getattr(asked, name) for name in CHANGED}
    wanted = replace(watch_control.watch_request(entry.watch), **changed, notify=[*kept, *asked.notify])
    try:
        await watch_control.change_watch(runtime, entry, wanted, dropped=dropped)
    except (UsageError, ConfigError) as error:
        document = await asyncio.to_thread(watch_document, entry)
        faults = await _faults(request, runtime, form, error)
        offers = await _offers(runtime, view)
        return _form(request, entry=entry, document=document, values=form, faults=faults, offers=offers)
    return see(f"/watches/{entry.watch.id}?saved=true")


def _form(
    request: Request,
    *,
    values: Form | None = None,
    entry: WatchEntry | None = None,
    document: WatchDocument | None = None,
    faults: Mapping[str, str] = NO_FAULTS,
    offers: Sequence[tuple[Tracked, str]] = (),
) -> Response:
    return page(
        request,
        "watch_form.html",
        {
            "values": values or Form({"every": [DEFAULT_EVERY], "rule": ["any_change"]}),
            "entry": entry,
            "watch": document,
            "faults": faults,
            "offers": offers,
            "intervals": INTERVALS,
            "conditions": FOLLOWED_CONDITIONS,
        },
        code=422 if faults else 200,
    )


async def _offers(runtime: Runtime, view: WatchView) -> list[tuple[Tracked, str]]:
    """The products that a watch has seen, each with the name of its shop; those that it leaves out come last."""
    products = [*view.products, *view.dropped]
    shops = await shop_names(runtime, (product.identity.vendor for product in products))
    return [(one, shops.get(one.identity.vendor, one.identity.vendor)) for one in products]


async def _faults(request: Request, runtime: Runtime, form: Form, error: Exception) -> dict[str, str]:
    """What is wrong with each field; under "" what is wrong with none of them alone."""

    def check(one: Form) -> str:
        try:
            watch_control.checked_watch(runtime.config, _asked(one).to_request())
        except (UsageError, ConfigError) as fault:
            return shown_error(request, fault)
        return ""

    usual = {"what": "thing", "every": DEFAULT_EVERY, "rule": "any_change"}
    found = await asyncio.to_thread(faults_of, form, LOOKED_AT_TOGETHER, check, usual)
    return found or {"": shown_error(request, error)}


def _asked(form: Form) -> NewWatch:
    """What the form asks for."""
    lines = [line.strip() for line in form.one("what").splitlines() if line.strip()]
    are_urls = any("://" in line for line in lines)
    cron, below = form.one("cron").strip(), form.one("below").strip()
    return NewWatch(
        query="" if are_urls else " ".join(lines),
        urls=lines if are_urls else [],
        vendors=form.one("vendors").replace(",", " ").split(),
        every="" if cron else form.one("every").strip(),
        cron=cron,
        timezone=form.one("timezone").strip() if cron else "",
        below=below,
        currency=form.one("currency").strip(),
        drop=form.one("drop").strip(),
        back_in_stock="back_in_stock" in form.all("rule"),
        any_change="any_change" in form.all("rule") or (not below and bool(form.one("else_any_change"))),
        condition=form.one("condition"),
        notify=form.one("notify").split(),
        region=form.one("region").strip(),
        name=form.one("name").strip(),
    )


def _values_of(entry: WatchEntry) -> Mapping[str, list[str]]:
    """What the form shows of a watch."""
    known = watch_control.watch_request(entry.watch)
    flags = [name for name in ("back_in_stock", "any_change") if getattr(known, name)]
    found = {
        name: getattr(known, name)
        for name in ("name", "every", "cron", "below", "currency", "condition", "drop")
    }
    found["timezone"] = known.zone
    shown = {name: [value] for name, value in found.items() if value}
    return shown | {"rule": flags, "drop_offer": entry.watch.dropped}


@router.post("/{name}/pause")
async def rest(name: str, runtime: RuntimeOf, _form: FormOf) -> Response:
    """Pause a watch."""
    entry = await watch_control.find_watch(runtime, name)
    await watch_control.pause(runtime, entry)
    return see(f"/watches/{entry.watch.id}")


@router.post("/{name}/resume")
async def wake(name: str, runtime: RuntimeOf, _form: FormOf) -> Response:
    """Resume a watch."""
    entry = await watch_control.find_watch(runtime, name)
    await watch_control.resume(runtime, entry)
    return see(f"/watches/{entry.watch.id}")


@router.post("/{name}/remove")
async def end_watch(name: str, runtime: RuntimeOf, _form: FormOf) -> Response:
    """End a watch; its prices stay."""
    entry = await watch_control.find_watch(runtime, name)
    await watch_control.remove(runtime, entry, with_prices=False)
    return see("/watches")


@router.post("/{name}/runs")
async def look_now(name: str, runtime: RuntimeOf, _form: FormOf) -> Response:
    """Check the prices of a watch now."""
    entry = await watch_control.find_watch(runtime, name)
    await watch_control.run_now(runtime, entry)
    return see(f"/watches/{entry.watch.id}")
