"""Phase 2: decide which vendors are asked next, until enough of them have answered. Pure."""

from collections.abc import Sequence
from typing import Final, Literal

from planner.goal.regions import goal_language
from planner.job.allowances import LEAST_LEFT_S
from planner.job.clock import NO_SNAPSHOT, ROUND_S, add_work, running_ms, seconds_left
from planner.job.commands import RoundPlan
from planner.job.earlier.recall import prior_intelligence_for
from planner.job.job_editor import JobEditor
from planner.job.progress import SYNTHESIZING, reading, searching
from planner.money.market import Market
from planner.offers.collection import priced
from planner.offers.offer_ranking import expected_range
from planner.offers.price_outliers import far_offers
from planner.offers.search_terms import vendor_terms, wanted_by
from planner.offers.vendor_candidates import hinted_vendors, is_page_of, known_vendors
from planner.offers.vendor_commands import VendorCommandBuilder
from planner.offers.vendor_events import (
    TIMEOUT,
    add_vendors,
    expire,
    phase2_of,
    replace_vendor,
    set_phase2,
)
from planner.offers.vendor_steps import VendorSteps
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.messages.in_flight import InFlightSnapshot
from research_crawler.core.models.offers.phase2 import Lookup, VendorStage
from research_crawler.core.web.urls import page_key

MAX_LOOKUPS = 2
"""Most unknown vendor names that are looked up; further ones are usually not vendors."""
MOST_RECHECKS = 3
"""Most offers at once that are fetched again because their price is hard to believe; each waits for its host."""
_BUY: Final = {
    "en": "buy",
    "de": "kaufen",
    "fr": "acheter",
    "es": "comprar",
    "it": "acquistare",
    "nl": "kopen",
    "pl": "kup",
}
"""What a web search for shops adds to the product, by the language of the goal."""
_SHOP: Final = {"en": "online shop", "de": "Online-Shop", "fr": "boutique en ligne", "es": "tienda online",
        "it": "negozio online", "nl": "webwinkel"}  # fmt: skip
"""What a web search for an unknown vendor adds to its name."""
Ending = Literal["enough", "candidates", "timeout", "waiting"]
ENDINGS: Final[dict[Ending, str]] = {
    "enough": "enough vendors have answered",
    "candidates": "no further vendor is known",
    "timeout": "the time limit of phase 2 is reached",
    "waiting": "phase 2 has waited too long for hosts or providers",
}
"""Why phase 2 ends, as its line of the timeline says it."""
ACTIVE: frozenset[VendorStage] = frozenset({"search_page", "site_search", "sitemap", "product_pages"})


def next_commands(
    job: Job,
    findings: Sequence[Finding],
    now_ms: int,
    market: Market,
    snapshot: InFlightSnapshot = NO_SNAPSHOT,
) -> RoundPlan:
    """The job with its next commands; if no vendor is left to ask, the job goes on to the report.

    Args:
        job: a job in phase 2.
        findings: what phase 1 has found.
        now_ms: the time.
        market: vendors, and the rates by which prices are compared.
        snapshot: where its open commands are; needed if a timer was due.
    """
    return _VendorRound(JobEditor(job, now_ms), findings, market, snapshot).run()


class _VendorRound:
    def __init__(
        self, editor: JobEditor, findings: Sequence[Finding], market: Market, snapshot: InFlightSnapshot
    ) -> None:
        self.editor, self.findings, self.snapshot = editor, findings, snapshot
        self.catalogue, self.rates = market.catalogue, market.rates
        self.commands = VendorCommandBuilder(editor.job, editor.now_ms, self.catalogue)
        self.steps = VendorSteps(editor, self.catalogue, self.commands)

    def run(self) -> RoundPlan:
        if not phase2_of(self.editor.job).terms:
            self._begin()
        expire(self.editor, self.snapshot)
        running = running_ms(self.editor.job, self.snapshot, self.editor.now_ms)
        if seconds_left(self.editor.job) - running / 1000 < LEAST_LEFT_S:
            add_work(self.editor, running, self.editor.now_ms)
            return self._end("timeout")
        if self.editor.now_ms >= self.editor.job.plan.deadline_ms:
            return self._end("waiting")
        self._continue_vendors()
        self._start_vendors()
        if not self._open():
            self._recheck()
        if not self._open():
            answered = sum(vendor.stage == "answered" for vendor in phase2_of(self.editor.job).vendors)
            return self._end("enough" if answered >= self.editor.job.inputs.vendors else "candidates")
        return self._sent()

    def _begin(self) -> None:
        job = self.editor.job
        from_caller = prior_intelligence_for(job)
        vendors, unmatched = hinted_vendors(job, self.findings, self.catalogue, from_caller.vendors)
        terms = vendor_terms(job, self.findings, from_caller.products)
        set_phase2(self.editor, terms=terms, unmatched=unmatched[:MAX_LOOKUPS])
        add_vendors(self.editor, vendors)

    def _continue_vendors(self) -> None:
        """Start the next step of every vendor that has no open commands."""
        for vendor in phase2_of(self.editor.job).vendors:
            if vendor.stage in ACTIVE and not vendor.open:
                self.steps.go_on(vendor)

    def _start_vendors(self) -> None:
        """Start as many vendors at once as still have to answer."""
        while True:
            phase2 = phase2_of(self.editor.job)
            busy = sum(vendor.stage in ACTIVE or vendor.stage == "answered" for vendor in phase2.vendors)
            waiting = [vendor for vendor in phase2.vendors if vendor.stage == "waiting"]
            missing = self.editor.job.inputs.vendors - busy
            if missing > len(waiting):
                self._find_more(missing)
                if len(waiting) == sum(
                    vendor.stage == "waiting" for vendor in phase2_of(self.editor.job).vendors
                ):
                    missing = len(waiting)
                else:
                    continue
            for vendor in waiting[: max(0, missing)]:
                self.steps.start(vendor)
            return

    def _recheck(self) -> None:
        """Fetch again, once each, the offers whose price is hard to believe."""
        job, phase2 = self.editor.job, phase2_of(self.editor.job)
        wanted = wanted_by(job)
        offers = [product for product in priced(phase2.products) if not wanted.is_other(product)]
        expected, _ = expected_range(job, self.findings)
        far = far_offers(offers, expected, job.inputs.currency, self.rates)
        vendors = {vendor.host: vendor for vendor in phase2.vendors}
        fresh = [
            offer
            for offer in far
            if is_page_of(offer.url, offer.vendor)
            and page_key(offer.url) not in phase2.rechecks
            and offer.vendor in vendors
        ]
        by_vendor = {offer.vendor: offer for offer in reversed(fresh)}  # the first of each
        chosen = list(by_vendor.values())[:MOST_RECHECKS]
        set_phase2(self.editor, rechecks=phase2.rechecks | {page_key(offer.url): False for offer in chosen})
        for offer in chosen:
            self.steps.read_anew(vendors[offer.vendor], offer)

    def _find_more(self, missing: int) -> None:
        """Look for vendors on the web once; after that, add those of the catalogue for the buyer's country."""
        phase2 = phase2_of(self.editor.job)
        if not phase2.looked_up:
            self._look_up()
        elif all(lookup.outcome for lookup in phase2.lookups) and not phase2.known_added:
            set_phase2(self.editor, known_added=True)
            add_vendors(self.editor, known_vendors(self.editor.job, self.catalogue))

    def _look_up(self) -> None:
        job, phase2 = self.editor.job, phase2_of(self.editor.job)
        language = goal_language(job.inputs.goal, job.inputs.language)
        queries: list[tuple[str, str]] = [("", f"{phase2.terms[0]} {_BUY.get(language, _BUY['en'])}")]
        queries += [(hint, f"{hint} {_SHOP.get(language, _SHOP['en'])}") for hint in phase2.unmatched]
        until_ms = self.editor.now_ms + int(ROUND_S["search"] * 1000)
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
        set_phase2(self.editor, lookups=lookups, looked_up=True, searches=phase2.searches + len(lookups))
        self.editor.note("lookup", "; ".join(lookup.query for lookup in lookups))

    def _open(self) -> list[int]:
        """The times when the open commands are looked at next."""
        phase2 = phase2_of(self.editor.job)
        return [lookup.until_ms for lookup in phase2.lookups if not lookup.outcome] + [
            vendor.until_ms for vendor in phase2.vendors if vendor.open
        ]

    def _over_ms(self) -> int:
        """The earliest time at which the work or the waiting of phase 2 can be over."""
        left_ms = max(LEAST_LEFT_S, seconds_left(self.editor.job)) * 1000
        return min(self.editor.job.plan.deadline_ms, self.editor.now_ms + int(left_ms))

    def _sent(self) -> RoundPlan:
        phase2 = phase2_of(self.editor.job)
        if self.commands.made:
            set_phase2(self.editor, round=phase2.round + 1)
        ids = [id_ for vendor in phase2.vendors for id_ in vendor.open]
        ids += [lookup.command for lookup in phase2.lookups if not lookup.outcome]
        self.editor.plan(
            next_command=self.commands.next_command,
            open_commands=ids,
            round_until_ms=min(self._over_ms(), *self._open()),
        )
        phase2 = phase2_of(self.editor.job)
        hosts = [vendor.host for vendor in phase2.vendors if vendor.open]
        action = (
            reading(hosts)
            if hosts
            else searching([lookup.query for lookup in phase2.lookups if not lookup.outcome])
        )
        return RoundPlan(self.editor.finish_step(action), tuple(self.commands.made))

    def _end(self, why: Ending) -> RoundPlan:
        """End phase 2; vendors that have given no offer yet count as failed, or as not asked."""
        for vendor in phase2_of(self.editor.job).vendors:
            if vendor.stage == "waiting":
                replace_vendor(self.editor, vendor.changed(stage="not_asked", pages=[]))
            elif vendor.stage in ACTIVE:
                own = [p for p in phase2_of(self.editor.job).products if p.vendor == vendor.host]
                self.steps.close(
                    vendor.changed(open={}, reason=vendor.reason or TIMEOUT),
                    "answered" if priced(own) else "failed",
                )
        set_phase2(self.editor, finished_ms=self.editor.now_ms, ended=why)
        phase2 = phase2_of(self.editor.job)
        answered = sum(vendor.stage == "answered" for vendor in phase2.vendors)
        text = f"{len(priced(phase2.products))} offers of {answered} vendors – {ENDINGS[why]}"
        self.editor.note("vendors_done", text)
        self.editor.plan(open_commands=[], round_until_ms=0)
        self.editor.enter("synthesizing")
        self._warn(answered)
        return RoundPlan(self.editor.finish_step(SYNTHESIZING))

    def _warn(self, answered: int) -> None:
        wanted = self.editor.job.inputs.vendors
        if answered < wanted:
            failed = [vendor for vendor in phase2_of(self.editor.job).vendors if vendor.stage == "failed"]
            reasons = "; ".join(f"{vendor.host}: {vendor.reason}" for vendor in failed[:5])
            detail = f" ({reasons})" if reasons else ""
            self.editor.warn(
                self.editor.translate("vendors_answered", answered=answered, wanted=wanted, detail=detail)
            )
