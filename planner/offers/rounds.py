"""Phase 2: decide what to ask which vendors next, until enough of them have answered. Pure."""

from collections.abc import Sequence

from planner.goal.regions import goal_language
from planner.job.clock import NO_LOOK, ROUND_S, add_work, running_ms, seconds_left
from planner.job.commands import Planned
from planner.job.draft import Draft
from planner.job.limits import LEAST_LEFT_S
from planner.job.progress import SYNTHESIZING
from planner.job.recall import prior_intelligence_for
from planner.offers.candidates import hinted_vendors, is_page_of, known_vendors
from planner.offers.collection import is_incomplete, priced
from planner.offers.commands import Commands
from planner.offers.events import (
    NO_PRICE,
    NO_PRODUCTS,
    TIMEOUT,
    add_vendors,
    expire,
    phase2_of,
    replace_vendor,
    set_phase2,
)
from planner.offers.search_terms import vendor_terms
from research_crawler.core.models.findings import Finding
from research_crawler.core.models.in_flight import Look
from research_crawler.core.models.jobs import Job
from research_crawler.core.models.phase2 import Lookup, VendorStage, VendorTry
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.why import NO_REASON
from research_crawler.core.vendors import Catalogue
from research_crawler.core.web.urls import page_key

MAX_LOOKUPS = 2
"""Most unknown vendor names that are looked up; further ones are usually not vendors."""
TERMS_OF_A_VENDOR = 2
"""Most queries to one vendor."""
MAPS_OF_A_VENDOR = 3
"""Most files read to find a sitemap's pages: robots.txt, an index, a sitemap."""
LEAST_THINGS = 2
"""A vendor that shows fewer products is also searched for the kind of product, so that products can be compared."""
PAGES_OF_A_VENDOR = 2
"""Most product pages read if rows lack price, stock, condition or specs; each one waits for the host's delay."""
_BUY = {
    "en": "buy",
    "de": "kaufen",
    "fr": "acheter",
    "es": "comprar",
    "it": "acquistare",
    "nl": "kopen",
    "pl": "kup",
}
_SHOP = {"en": "online shop", "de": "Online-Shop", "fr": "boutique en ligne", "es": "tienda online",
        "it": "negozio online", "nl": "webwinkel"}  # fmt: skip
DOWN = frozenset(
    {Reason.TIMEOUT, Reason.VENDOR_BUSY, Reason.DNS, Reason.CONNECTION, Reason.CONNECTION_REFUSED}
)
"""Reasons that hold for all pages of a host, as do the statuses 429 and 5xx."""
ENDINGS = {
    "enough": "enough vendors have answered",
    "candidates": "no further vendor is known",
    "timeout": "the time limit of phase 2 is reached",
    "waiting": "phase 2 has waited too long for hosts or providers",
}
ACTIVE: frozenset[VendorStage] = frozenset({"search_page", "site_search", "sitemap", "product_pages"})


def next_commands(
    job: Job, findings: Sequence[Finding], now_ms: int, catalogue: Catalogue, look: Look = NO_LOOK
) -> Planned:
    """The job with its next commands; if no vendor is left to ask, the job goes on to the report.

    `look` tells where its open commands are; it is needed if a timer was due.
    """
    return _VendorRound(Draft(job, now_ms), findings, catalogue, look).run()


def is_down(vendor: VendorTry) -> bool:
    """Whether the host is down, so that there is no use in fetching its product pages."""
    status = vendor.reason.status or 0
    return vendor.reason.kind in DOWN or status == 429 or 500 <= status < 600


class _VendorRound:
    def __init__(self, draft: Draft, findings: Sequence[Finding], catalogue: Catalogue, look: Look) -> None:
        self.draft, self.findings, self.catalogue, self.look = draft, findings, catalogue, look
        self.commands = Commands(draft.job, draft.now_ms, catalogue)

    def run(self) -> Planned:
        if not phase2_of(self.draft.job).terms:
            self._begin()
        expire(self.draft, self.look)
        running = running_ms(self.draft.job, self.look, self.draft.now_ms)
        if seconds_left(self.draft.job) - running / 1000 < LEAST_LEFT_S:
            add_work(self.draft, running, self.draft.now_ms)
            return self._end("timeout")
        if self.draft.now_ms >= self.draft.job.plan.deadline_ms:
            return self._end("waiting")
        self._continue_vendors()
        self._start_vendors()
        if not self._open():
            answered = sum(one.stage == "answered" for one in phase2_of(self.draft.job).vendors)
            return self._end("enough" if answered >= self.draft.job.inputs.vendors else "candidates")
        return self._sent()

    def _begin(self) -> None:
        job = self.draft.job
        from_caller = prior_intelligence_for(job)
        vendors, unmatched = hinted_vendors(job, self.findings, self.catalogue, from_caller.vendors)
        terms = vendor_terms(job, self.findings, from_caller.products)
        set_phase2(self.draft, terms=terms, unmatched=unmatched[:MAX_LOOKUPS])
        add_vendors(self.draft, vendors)

    def _continue_vendors(self) -> None:
        """Start the next step of every vendor that has no open commands."""
        for vendor in phase2_of(self.draft.job).vendors:
            if vendor.stage in ACTIVE and not vendor.open:
                self._continue(vendor)

    def _continue(self, vendor: VendorTry) -> None:
        if vendor.stage == "search_page":
            self._after_results(vendor)
        elif vendor.stage in ("site_search", "sitemap"):
            self._after_addresses(vendor)
        elif vendor.found:
            self._close(vendor, "answered")
        elif not vendor.site_searched and vendor.origin != "search":
            self._search_site(vendor)
        else:
            self._close(vendor, "failed")

    def _after_addresses(self, vendor: VendorTry) -> None:
        """Read the vendor's pages that were found; if there are none, look for a sitemap in robots.txt."""
        if any(page_key(url) not in vendor.asked for url in vendor.pages):
            self._read_pages(vendor, vendor.pages, else_stage="failed")
        elif vendor.maps_read == 0 and vendor.url and vendor.reason != TIMEOUT:
            self._read_map(vendor, f"{vendor.url.split('/', 3)[0]}//{vendor.url.split('/', 3)[2]}/robots.txt")
        elif vendor.maps and vendor.maps_read < MAPS_OF_A_VENDOR:
            self._read_map(vendor, vendor.maps[0])
        else:
            self._close(vendor, "failed")

    def _read_map(self, vendor: VendorTry, url: str) -> None:
        command = self.commands.sitemap(vendor.host, url, phase2_of(self.draft.job).terms[vendor.term])
        vendor = vendor.changed(maps=vendor.maps[1:], maps_read=vendor.maps_read + 1)
        self._opened(vendor, "sitemap", {command.id: command.h}, "its sitemap")

    def _after_results(self, vendor: VendorTry) -> None:
        phase2 = phase2_of(self.draft.job)
        own = [product for product in phase2.products if product.vendor == vendor.host]
        terms = min(TERMS_OF_A_VENDOR, len(phase2.terms))
        if own and vendor.term == 0 and terms > 1 and len({product.name for product in own}) < LEAST_THINGS:
            self._ask_vendor(vendor.changed(term=len(phase2.terms) - 1))
        elif own:
            lacking = [p.url for p in own[:PAGES_OF_A_VENDOR] if is_incomplete(p) and p.url != vendor.url]
            pages = [url for url in lacking if url and is_page_of(url, vendor.host)]
            self._read_pages(vendor, pages, else_stage="answered" if priced(own) else "failed")
        elif vendor.reason == NO_PRODUCTS and vendor.term + 1 < terms:
            last = len(phase2.terms) - 1 if vendor.term + 2 == terms else vendor.term + 1
            self._ask_vendor(vendor.changed(term=last, reason=NO_REASON))
        elif not (vendor.site_searched or is_down(vendor)):
            self._search_site(vendor)
        else:
            self._close(vendor, "failed")

    def _start_vendors(self) -> None:
        """Start as many vendors at once as still have to answer."""
        while True:
            phase2 = phase2_of(self.draft.job)
            busy = sum(one.stage in ACTIVE or one.stage == "answered" for one in phase2.vendors)
            waiting = [one for one in phase2.vendors if one.stage == "waiting"]
            missing = self.draft.job.inputs.vendors - busy
            if missing > len(waiting):
                self._find_more(missing)
                if len(waiting) == sum(one.stage == "waiting" for one in phase2_of(self.draft.job).vendors):
                    missing = len(waiting)
                else:
                    continue
            for vendor in waiting[: max(0, missing)]:
                self._start(vendor)
            return

    def _find_more(self, missing: int) -> None:
        """Look for vendors on the web once; after that, add those of the catalogue for the buyer's country."""
        phase2 = phase2_of(self.draft.job)
        if not phase2.looked_up:
            self._look_up()
        elif all(one.what for one in phase2.lookups) and not phase2.known_added:
            set_phase2(self.draft, known_added=True)
            add_vendors(self.draft, known_vendors(self.draft.job, self.catalogue))

    def _look_up(self) -> None:
        job, phase2 = self.draft.job, phase2_of(self.draft.job)
        language = goal_language(job.inputs.goal, job.inputs.language)
        queries: list[tuple[str, str]] = [("", f"{phase2.terms[0]} {_BUY.get(language, _BUY['en'])}")]
        queries += [(hint, f"{hint} {_SHOP.get(language, _SHOP['en'])}") for hint in phase2.unmatched]
        until_ms = self.draft.now_ms + int(ROUND_S["search"] * 1000)
        lookups = [
            Lookup(
                kind="hint" if hint else "buy",
                command=self.commands.search(query).id,
                query=query,
                hint=hint,
                until_ms=until_ms,
            )
            for hint, query in queries
        ]
        set_phase2(self.draft, lookups=lookups, looked_up=True, searches=phase2.searches + len(lookups))
        self.draft.note("lookup", "; ".join(one.query for one in lookups))

    def _start(self, vendor: VendorTry) -> None:
        if vendor.is_known:
            self._ask_vendor(vendor)
        elif vendor.pages:
            self._read_pages(vendor, vendor.pages, else_stage="failed")
        else:
            self._search_site(vendor)

    def _ask_vendor(self, vendor: VendorTry) -> None:
        term = phase2_of(self.draft.job).terms[vendor.term]
        known = self.catalogue.match(vendor.host)
        url = known.search_url(term) if known else ""
        if not url:
            self._search_site(vendor)
            return
        command = self.commands.results(vendor.host, url, term)
        vendor = vendor.changed(url=url)
        self._opened(vendor, "search_page", {command.id: command.h}, f"“{term}”")

    def _search_site(self, vendor: VendorTry) -> None:
        phase2 = phase2_of(self.draft.job)
        command = self.commands.search(f"site:{vendor.host} {phase2.terms[vendor.term]}", results=5)
        set_phase2(self.draft, searches=phase2.searches + 1)
        vendor = vendor.changed(site_searched=True)
        text = f"its pages by a web search{f', for {vendor.reason}' if vendor.reason else ''}"
        self._opened(vendor, "site_search", {command.id: ""}, text)

    def _read_pages(self, vendor: VendorTry, pages: Sequence[str], *, else_stage: VendorStage) -> None:
        fresh = [url for url in dict.fromkeys(pages) if page_key(url) not in vendor.asked]
        if not fresh:
            self._close(vendor, else_stage)
            return
        query = phase2_of(self.draft.job).terms[vendor.term]
        made = [self.commands.product(vendor.host, url, query) for url in fresh]
        opened = {command.id: command.h for command in made}
        vendor = vendor.changed(asked=[*vendor.asked, *opened.values()])
        text = f"{len(fresh)} product page{'s' * (len(fresh) > 1)}"
        self._opened(vendor, "product_pages", opened, text)

    def _opened(self, vendor: VendorTry, stage: VendorStage, opened: dict[str, str], text: str) -> None:
        """Record a vendor's open commands (page key by command id), with `text` for the timeline."""
        seconds = ROUND_S["search"] if stage == "site_search" else ROUND_S["visit"]
        until_ms = self.draft.now_ms + int(seconds * 1000)
        replace_vendor(self.draft, vendor.changed(stage=stage, open=opened, until_ms=until_ms))
        self.draft.note("vendor", f"{vendor.host} – {text}")

    def _close(self, vendor: VendorTry, stage: VendorStage) -> None:
        if stage == "answered":
            closed = vendor.changed(stage=stage, reason=NO_REASON, pages=[])
        else:
            own = [p for p in phase2_of(self.draft.job).products if p.vendor == vendor.host]
            reason = vendor.reason or (NO_PRICE if own else NO_PRODUCTS)
            closed = vendor.changed(stage="failed", reason=reason, pages=[])
        replace_vendor(self.draft, closed)

    def _open(self) -> list[int]:
        """The times when the open commands are looked at next."""
        phase2 = phase2_of(self.draft.job)
        return [one.until_ms for one in phase2.lookups if not one.what] + [
            one.until_ms for one in phase2.vendors if one.open
        ]

    def _over_ms(self) -> int:
        """The earliest time at which the work or the waiting of phase 2 can be over."""
        left_ms = max(LEAST_LEFT_S, seconds_left(self.draft.job)) * 1000
        return min(self.draft.job.plan.deadline_ms, self.draft.now_ms + int(left_ms))

    def _sent(self) -> Planned:
        phase2 = phase2_of(self.draft.job)
        if self.commands.made:
            set_phase2(self.draft, round=phase2.round + 1)
        ids = [id_ for one in phase2.vendors for id_ in one.open]
        ids += [one.command for one in phase2.lookups if not one.what]
        self.draft.plan(
            next_command=self.commands.next_command,
            open=ids,
            round_until_ms=min(self._over_ms(), *self._open()),
        )
        hosts = [one.host for one in phase2_of(self.draft.job).vendors if one.open]
        action = f"Asking vendors: {', '.join(hosts)}" if hosts else "Looking for vendors"
        return Planned(self.draft.closed(action), tuple(self.commands.made))

    def _end(self, why: str) -> Planned:
        """End phase 2; vendors that have given no offer yet count as failed, or as not asked."""
        for vendor in phase2_of(self.draft.job).vendors:
            if vendor.stage == "waiting":
                replace_vendor(self.draft, vendor.changed(stage="not_asked", pages=[]))
            elif vendor.stage in ACTIVE:
                own = [p for p in phase2_of(self.draft.job).products if p.vendor == vendor.host]
                self._close(
                    vendor.changed(open={}, reason=vendor.reason or TIMEOUT),
                    "answered" if priced(own) else "failed",
                )
        set_phase2(self.draft, finished_ms=self.draft.now_ms, ended=why)
        phase2 = phase2_of(self.draft.job)
        answered = sum(one.stage == "answered" for one in phase2.vendors)
        text = f"{len(priced(phase2.products))} offers of {answered} vendors – {ENDINGS[why]}"
        self.draft.note("vendors_done", text)
        self.draft.plan(open=[], round_until_ms=0)
        self.draft.enter("synthesizing")
        self._warn(answered)
        return Planned(self.draft.closed(SYNTHESIZING))

    def _warn(self, answered: int) -> None:
        wanted = self.draft.job.inputs.vendors
        if answered < wanted:
            failed = [one for one in phase2_of(self.draft.job).vendors if one.stage == "failed"]
            reasons = "; ".join(f"{one.host}: {one.reason}" for one in failed[:5])
            detail = f" ({reasons})" if reasons else ""
            self.draft.warn(
                self.draft.say("vendors_answered", answered=answered, wanted=wanted, detail=detail)
            )
