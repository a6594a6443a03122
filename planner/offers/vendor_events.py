"""Apply the outcomes of phase 2's commands to the job. Pure."""

import re
from collections.abc import Mapping
from typing import assert_never

from planner.job.allowances import is_in_phase2
from planner.job.clock import ROUND_S, is_host_away
from planner.job.job_editor import JobEditor
from planner.offers.collection import MAX_OFFER_URL, compact, fitting_products, priced, with_page, with_rows
from planner.offers.search_terms import wanted_by
from planner.offers.vendor_candidates import (
    MAX_VENDORS,
    PAGES_OF_A_SEARCH,
    found_vendors,
    is_page_of,
    vendor_of_hint,
)
from research_crawler.core.models.base import replaced
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.messages.events import CommandDone
from research_crawler.core.models.messages.in_flight import InFlight, InFlightSnapshot
from research_crawler.core.models.offers.phase2 import Lookup, Phase2, VendorTry
from research_crawler.core.models.offers.products import Product
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.why import NO_REASON, Why
from research_crawler.core.vendors import Catalogue
from research_crawler.core.web.urls import canonical_url, page_key

MAX_VENDOR_REASON, MAPS_KEPT = 60, 2
"""Longest reason of a vendor in characters, and most sitemaps that are kept of one."""
_SOON_MS = 1_000
"""A vendor whose command ended is looked at again after this time."""
_MAP = re.compile(r"\.xml(?:\.gz)?$|/sitemap[^/]*$", re.I)
NO_PRODUCTS, NO_PRICE, TIMEOUT = Why(Reason.NO_PRODUCTS), Why(Reason.NO_PRICE), Why(Reason.TIMEOUT)


def phase2_of(job: Job) -> Phase2:
    """The record of phase 2 of a job that has started it."""
    if job.phase2 is None:
        raise RuntimeError("phase 2 has not started")
    return job.phase2


def apply_outcome(editor: JobEditor, event: CommandDone, catalogue: Catalogue) -> bool:
    """Apply the outcome of a command of phase 2; False if the job no longer waits for this command."""
    job = editor.job
    if not is_in_phase2(job):
        return False
    phase2 = phase2_of(job)
    lookup = next((one for one in phase2.lookups if one.command == event.command and not one.outcome), None)
    if lookup:
        _looked_up(editor, lookup, event, catalogue)
        return True
    vendor = next((one for one in phase2.vendors if event.command in one.open), None)
    if vendor is None:
        return False
    key = vendor.open[event.command]
    vendor = vendor.changed(open={id_: at for id_, at in vendor.open.items() if id_ != event.command})
    match vendor.stage:
        case "search_page":
            _results_read(editor, vendor, event)
        case "site_search":
            _site_searched(editor, vendor, event)
        case "sitemap":
            _sitemap_read(editor, vendor, event)
        case "product_pages" | "waiting" | "answered" | "failed" | "not_asked":
            _product_read(editor, vendor, key, event)
        case unknown:
            assert_never(unknown)
    return True


def expire(editor: JobEditor, snapshot: InFlightSnapshot) -> None:
    """Give up commands that have used up their time, and set when to look at the others again."""
    seen, now_ms = {one.command: one for one in snapshot.commands}, editor.now_ms
    for lookup in phase2_of(editor.job).lookups:
        if lookup.outcome or not snapshot.commands or lookup.until_ms > now_ms:
            continue
        left_ms = _left_ms(seen.get(lookup.command), ROUND_S["search"])
        if left_ms <= 0:
            _replace_lookup(editor, lookup.changed(outcome="failed", reason=TIMEOUT))
        else:
            _replace_lookup(editor, lookup.changed(until_ms=now_ms + left_ms))
    for vendor in phase2_of(editor.job).vendors:
        if vendor.open and snapshot.commands and vendor.until_ms <= now_ms:
            replace_vendor(editor, _looked_at(vendor, seen, now_ms))


def _looked_at(vendor: VendorTry, seen: Mapping[str, InFlight], now_ms: int) -> VendorTry:
    """A vendor without the commands that have used up their time or whose host is away."""
    longest_s = ROUND_S["search" if vendor.stage == "site_search" else "visit"]
    left_ms = {id_: _left_ms(seen.get(id_), longest_s) for id_ in vendor.open}
    kept = {id_: page for id_, page in vendor.open.items() if left_ms[id_] > 0}
    reason = vendor.reason
    if len(kept) < len(vendor.open):
        is_away = any(id_ in seen and is_host_away(seen[id_]) for id_ in vendor.open if id_ not in kept)
        reason = reason or (Why(Reason.VENDOR_BUSY, "a long time") if is_away else TIMEOUT)
    until_ms = now_ms + min((left_ms[id_] for id_ in kept), default=0)
    return vendor.changed(open=kept, until_ms=until_ms, reason=reason)


def _left_ms(command: InFlight | None, longest_s: float) -> int:
    """What is left of a command's time; all of it while it waits, unless its host is away."""
    if command is None:  # its event is on the way
        return _SOON_MS
    if is_host_away(command):
        return 0
    left_ms = int(longest_s * 1000) - command.worked_ms
    return max(_SOON_MS, left_ms) if left_ms > 0 else 0


def postpone(editor: JobEditor, late_ms: int) -> None:
    """Give all open commands more time: that for which no process worked on the job."""
    phase2 = phase2_of(editor.job)
    set_phase2(
        editor,
        started_ms=phase2.started_ms + late_ms,
        lookups=[one.changed(until_ms=one.until_ms + late_ms) for one in phase2.lookups],
        vendors=[one.changed(until_ms=one.until_ms + late_ms) for one in phase2.vendors],
    )


def set_phase2(editor: JobEditor, **changes: object) -> None:
    """Replace fields of the record of phase 2."""
    editor.set(phase2=replaced(phase2_of(editor.job), **changes))


def replace_vendor(editor: JobEditor, vendor: VendorTry) -> None:
    """Replace the record of a vendor by a changed one."""
    vendors = phase2_of(editor.job).vendors
    set_phase2(editor, vendors=[vendor if one.host == vendor.host else one for one in vendors])


def add_vendors(editor: JobEditor, new: list[VendorTry], *, after: str = "") -> None:
    """Add the vendors that are not in the list yet, at its end or after those of the origin `after`."""
    vendors = phase2_of(editor.job).vendors
    fresh = [vendor for vendor in new if all(vendor.host != known.host for known in vendors)]
    index = sum(known.origin == "hint" for known in vendors) if after == "hint" else len(vendors)
    set_phase2(editor, vendors=[*vendors[:index], *fresh, *vendors[index:]][:MAX_VENDORS])


def reason_of(event: CommandDone) -> Why:
    """Why a page gave nothing, in a word or two: robots, blocked, timeout, http 503."""
    reason = event.reason.on_one_line()
    if event.outcome == "blocked":
        reason = Why(Reason.BLOCKED, reason.text)
    elif event.outcome == "busy":
        reason = Why(Reason.VENDOR_BUSY, f"{event.wait_s:.0f} s")
    return (reason or Why(Reason(event.outcome))).cut(MAX_VENDOR_REASON)


def _looked_up(editor: JobEditor, lookup: Lookup, event: CommandDone, catalogue: Catalogue) -> None:
    done = lookup.changed(
        outcome=event.outcome, reason=event.reason.cut(MAX_VENDOR_REASON), results=len(event.results)
    )
    _replace_lookup(editor, done)
    if lookup.kind == "hint":
        add_vendors(editor, vendor_of_hint(editor.job, lookup.hint, event.results), after="hint")
    else:
        add_vendors(editor, found_vendors(editor.job, event.results, catalogue))


def _replace_lookup(editor: JobEditor, lookup: Lookup) -> None:
    lookups = phase2_of(editor.job).lookups
    set_phase2(editor, lookups=[lookup if one.command == lookup.command else one for one in lookups])


def _results_read(editor: JobEditor, vendor: VendorTry, event: CommandDone) -> None:
    if event.outcome != "ok":
        replace_vendor(editor, vendor.changed(reason=vendor.reason or reason_of(event)))
        return
    _add_rows(editor, vendor, event.products)


def _site_searched(editor: JobEditor, vendor: VendorTry, event: CommandDone) -> None:
    replace_vendor(editor, vendor.changed(pages=_own_pages(vendor, event)[:PAGES_OF_A_SEARCH]))


def _sitemap_read(editor: JobEditor, vendor: VendorTry, event: CommandDone) -> None:
    """Keep the sitemaps that robots.txt names, or the pages and further sitemaps that a sitemap names."""
    urls = _own_pages(vendor, event)
    maps = [url for url in urls if vendor.maps_read == 1 or _MAP.search(url)]
    pages = [url for url in urls if url not in maps]
    replace_vendor(editor, vendor.changed(maps=maps[:MAPS_KEPT], pages=pages[:PAGES_OF_A_SEARCH]))


def _own_pages(vendor: VendorTry, event: CommandDone) -> list[str]:
    """The vendor's URLs among the results that the job has not fetched yet."""
    urls = dict.fromkeys(url for r in event.results if (url := canonical_url(r.url)))
    pages = [url for url in urls if is_page_of(url, vendor.host) and page_key(url) not in vendor.asked]
    return [url for url in pages if url != vendor.url and len(url) <= MAX_OFFER_URL]


def _product_read(editor: JobEditor, vendor: VendorTry, key: str, event: CommandDone) -> None:
    if event.outcome != "ok":
        replace_vendor(editor, vendor.changed(reason=vendor.reason or reason_of(event)))
        return
    phase2 = phase2_of(editor.job)
    known = any(page_key(product.url) == key for product in phase2.products if product.vendor == vendor.host)
    rows = [product for product in event.products if product.name.strip()]
    if known and rows:
        _note_recheck(editor, vendor.host, key, rows[0])
        set_phase2(editor, products=with_page(phase2.products, rows[0], vendor.host, key))
        _count(editor, vendor)
    elif not known:
        url = next((page for page in vendor.pages if page_key(page) == key), "")
        own = fitting_products([compact(row, vendor.host, url) for row in rows], wanted_by(editor.job))
        _add_rows(editor, vendor.changed(sells_another=bool(rows) and not own), own)
    else:
        replace_vendor(editor, vendor)


def _note_recheck(editor: JobEditor, host: str, key: str, page: Product) -> None:
    """Note whether the second fetch of an offer whose price is hard to believe shows the same price.

    A page that contradicts itself about its price confirms none: its data may say 99 twice beside 1,149 in its text.
    """
    phase2 = phase2_of(editor.job)
    if key in phase2.rechecks:
        before = [one for one in phase2.products if one.vendor == host and page_key(one.url) == key]
        is_denied = any(gap.field == "price" and gap.reason == "contradictory" for gap in page.gaps)
        stands = not is_denied and any(_have_one_price(page, one) for one in before)
        set_phase2(editor, rechecks={**phase2.rechecks, key: stands})


def _have_one_price(page: Product, row: Product) -> bool:
    """Whether two readings of an offer have the same price, and no two currencies."""
    currencies = {one.currency for one in (page, row) if one.currency}
    return page.price_numeric == row.price_numeric and len(currencies) <= 1


def _add_rows(editor: JobEditor, vendor: VendorTry, rows: list[Product]) -> None:
    phase2 = phase2_of(editor.job)
    set_phase2(editor, products=with_rows(phase2.products, rows, vendor.host, wanted_by(editor.job)))
    _count(editor, vendor)


def _count(editor: JobEditor, vendor: VendorTry) -> None:
    """Record how many offers a vendor has given, and the reason if there are none."""
    own = [product for product in phase2_of(editor.job).products if product.vendor == vendor.host]
    offers = len(priced(own))
    lack = NO_REASON if offers else (NO_PRICE if own else NO_PRODUCTS)
    replace_vendor(editor, vendor.changed(found=offers, reason=vendor.reason or lack))
