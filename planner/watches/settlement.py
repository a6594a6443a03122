"""Apply the readings of a run to a watch: observations, products, confirmed changes and alerts. Pure."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from planner.watches.confirmation import changes_currency, observe, observed_state
from planner.watches.followed import is_followed
from planner.watches.matching import match, merged_identity, product_key
from planner.watches.price_alerts import alert_of, alert_reasons, is_newly_below, with_reference
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.watches.watch import (
    Alert,
    AlertRule,
    Change,
    Observation,
    Reading,
    Tracked,
    Watch,
)
from research_crawler.core.models.why import Why
from research_crawler.core.text.translatable import translatable

MAX_PRODUCTS = 200
"""Most products that one watch tracks."""


@dataclass
class RunChanges:
    """The result of applying readings; all of it is written in one transaction."""

    products: dict[str, Tracked] = field(default_factory=dict)
    """New and changed ones, by key."""
    observations: list[Observation] = field(default_factory=list)
    confirms: list[str] = field(default_factory=list)
    """Ids of earlier observations that are confirmed now."""
    changes: list[Change] = field(default_factory=list)
    alerts: list[Alert] = field(default_factory=list)
    pages_again: list[int] = field(default_factory=list)
    """Numbers of the run's pages with something new that is not confirmed: they are fetched again."""


def settle_readings(
    watch: Watch,
    known: Sequence[Tracked],
    readings: Sequence[Reading],
    *,
    run: str,
    done: Collection[str] = (),
) -> RunChanges:
    """Apply readings to a watch, in their order.

    Args:
        known: the watch's products as they are stored.
        done: ids of readings that an earlier try has applied already; they count once.
    """
    work = _Settling(watch, known, run)
    for reading in readings:
        if reading.id not in done:
            work.apply(reading)
    settled = work.settled
    waiting = {
        product.pending_target
        for product in work.products.values()
        if product.pending and product.pending_run == run
    }
    settled.pages_again = sorted(waiting)
    return settled


def effective_rule(rule: AlertRule, products: Collection[Tracked]) -> AlertRule:
    """The rule with its currency; without the limit if prices have several currencies and the user named none."""
    if rule.below is None or rule.currency:
        return rule
    currencies = {
        product.confirmed.currency
        for product in products
        if product.confirmed and product.confirmed.price is not None
    }
    currencies |= {
        product.pending.currency
        for product in products
        if product.pending and product.pending.price is not None
    }
    if len(currencies) == 1:
        return rule.changed(currency=currencies.pop())
    return rule.changed(below=None) if currencies else rule


def warnings_of(rule: AlertRule, products: Collection[Tracked]) -> list[str]:
    """Warnings for the user about a rule that cannot be checked, or is none."""
    if rule.is_empty:
        return [translatable("the watch has no rule, so nobody is told of any change; edit it to say when")]
    if rule.below is not None and effective_rule(rule, products).below is None:
        return [
            translatable("prices have several currencies, so the limit is not used; give it a currency too")
        ]
    return []


class _Settling:
    """The state of one call of `settle_readings`."""

    def __init__(self, watch: Watch, known: Sequence[Tracked], run: str) -> None:
        self.watch, self.run = watch, run
        self.products = {product.key: product for product in known}
        self.settled = RunChanges()
        self._taken: dict[tuple[int, int], set[str]] = {}

    def apply(self, reading: Reading) -> None:
        product = self._product_of(reading)
        if product is not None and product.key in self.watch.dropped:
            return
        if product is None:
            self._record_observation(reading, "")
            return
        if changes_currency(product, reading):
            reading = reading.changed(reason=Why(Reason.OTHER_CURRENCY))
        rule = self.watch.rule
        outcome = observe(product, reading, watch=self.watch.id, run=self.run, rule=rule)
        self._save_product(outcome.product)
        if outcome.change:
            self._record_change(outcome.product, outcome.change)
        elif outcome.agrees:
            self._compare_with_new_limit(outcome.product, reading)
        if outcome.confirms:
            self.settled.confirms.append(outcome.confirms)
        opened = outcome.product.pending_reading == reading.id
        self._record_observation(
            reading, product.key, agrees=outcome.agrees, proves=opened or outcome.change is not None
        )

    def _product_of(self, reading: Reading) -> Tracked | None:
        """The tracked product of a reading, a new one if needed; None for a page without a product."""
        seen, on_page = reading.identity, (reading.target, reading.fetch_attempt)
        taken = self._taken.setdefault(on_page, set())
        product = match(list(self.products.values()), seen, taken=taken)
        if product is None:
            if observed_state(reading, None) is None or len(self.products) >= MAX_PRODUCTS:
                return None
            product = Tracked(key=product_key(self.watch.id, seen), identity=seen)
            if product.key in self.products:  # the same key, though `match` did not recognise it
                product = self.products[product.key]
        taken.add(product.key)
        return product.changed(identity=merged_identity(product.identity, seen))

    def _save_product(self, product: Tracked) -> None:
        if self.products.get(product.key) != product:
            self.products[product.key] = self.settled.products[product.key] = product

    def _record_change(self, product: Tracked, change: Change) -> None:
        self.settled.changes.append(change)
        counts = is_followed(self.watch, change.identity.condition)
        rule = self._rule()
        reasons = alert_reasons(rule, change) if counts else []
        self._save_product(with_reference(product, change, reasons).changed(limit=rule.below))
        if reasons:
            self.settled.alerts.append(alert_of(self.watch, change, reasons))

    def _compare_with_new_limit(self, product: Tracked, reading: Reading) -> None:
        """Alert for a price that has not moved where a person has raised the limit above it."""
        rule, state = self._rule(), product.confirmed
        if product.limit == rule.below or state is None:
            return
        if is_newly_below(rule, product) and is_followed(self.watch, product.identity.condition):
            change = Change(
                watch=self.watch.id,
                product=product.key,
                number=product.changes + 1,
                at_ms=reading.at_ms,
                before=state,
                after=state,
                reference=product.reference,
                identity=product.identity,
                page_sha=reading.page_sha,
            )
            product = product.changed(changes=change.number)
            self.settled.alerts.append(alert_of(self.watch, change, ["below"]))
        self._save_product(product.changed(limit=rule.below))

    def _rule(self) -> AlertRule:
        wanted = [one for one in self.products.values() if one.key not in self.watch.dropped]
        return effective_rule(self.watch.rule, wanted)

    def _record_observation(
        self, reading: Reading, product: str, *, agrees: bool = False, proves: bool = False
    ) -> None:
        seen = reading.identity
        known = self.products[product].identity if product else seen
        self.settled.observations.append(
            Observation(
                id=reading.id,
                watch=self.watch.id,
                run=self.run,
                product=product,
                at_ms=reading.at_ms,
                state=reading.state,
                price=reading.price,
                currency=reading.currency,
                availability=reading.availability,
                condition=seen.condition,
                vendor=seen.vendor,
                name=seen.name or known.name,
                variant=seen.variant,
                url=seen.url or known.url or seen.asked,
                page_sha=reading.page_sha,
                fetch_attempt=reading.fetch_attempt,
                confirmed=agrees,
                proves=proves,
                reason=reading.reason,
            )
        )
