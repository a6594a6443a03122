"""Confirm what is true of a product: a first reading opens a change, a second one confirms it. Pure.

A page can be wrong for one fetch (a cache, an experiment, a price without its options), and the code that reads a
page can make a mistake. So a reading with something new only opens a change. A later fetch with the same result
confirms it, in the same run or, if that fetch failed, in the next one. Blocked and failed pages change nothing.
"""

from dataclasses import dataclass

from research_crawler.core.models.watches.watch import AlertRule, Change, ObservedState, Reading, Tracked

LEAST_BETWEEN_MS = 10
"""Least time between two readings that confirm each other. Readings of two overlapping runs at the same moment count
as one; within a run, `confirm_ms` lies between two fetches."""


@dataclass(frozen=True)
class ReadingOutcome:
    """A product after a reading."""

    product: Tracked
    change: Change | None = None
    """The change that this reading confirms, if any; also the first confirmation of a new product."""
    agrees: bool = False
    """Whether the reading agrees with the confirmed state."""
    confirms: str = ""
    """Id of the earlier reading that this one confirms."""


def observe(product: Tracked, reading: Reading, *, watch: str, run: str, rule: AlertRule) -> ReadingOutcome:
    """Apply one reading to a product."""
    seen = observed_state(reading, product.confirmed)
    if seen is None:
        return ReadingOutcome(product)
    if seen == product.confirmed:
        return ReadingOutcome(_without_pending(product, reading), agrees=True)
    if reading.doubtful:
        return ReadingOutcome(product)
    other_currency = changes_currency(product, reading)
    if other_currency and product.pending == seen and product.pending_run == run:
        return ReadingOutcome(product)
    if _is_second_look(product, reading, seen):
        return _confirmed(product, reading, seen, watch, "fetch")
    if rule.agreement_confirms and _agree(reading) and not other_currency:
        return _confirmed(product, reading, seen, watch, "extractor")
    if product.pending_at_ms >= reading.at_ms and product.pending is not None:
        return ReadingOutcome(product)  # an older reading that arrives late
    opened = product.changed(
        pending=seen,
        pending_at_ms=reading.at_ms,
        pending_reading=reading.id,
        pending_run=run,
        pending_target=reading.target,
    )
    return ReadingOutcome(opened)


def observed_state(reading: Reading, confirmed: ObservedState | None) -> ObservedState | None:
    """The state of an offer by a reading; None if the reading does not show it."""
    if reading.state == "out_of_stock":
        return ObservedState(buyable=False)
    if reading.state != "offer" or reading.price is None:
        return None
    currency = reading.currency
    if not currency and confirmed is not None and confirmed.currency:
        # An amount without a currency is compared with one that has a currency only if both are equal.
        if reading.price != confirmed.price:
            return None
        currency = confirmed.currency
    return ObservedState(price=reading.price, currency=currency)


def changes_currency(product: Tracked, reading: Reading) -> bool:
    """Whether a reading has another currency than the confirmed one.

    A shop that takes the reader for a buyer of another country shows it twice within a minute too, so that only a later
    run confirms it.
    """
    known = product.confirmed.currency if product.confirmed else ""
    return bool(known and reading.currency) and reading.currency != known


def _agree(reading: Reading) -> bool:
    """Whether a page's structured data and its visible text state the same price.

    Two kinds of structured data do not count, because they have the same source.
    """
    return "dom" in reading.sources and len(set(reading.sources)) > 1


def _is_second_look(product: Tracked, reading: Reading, seen: ObservedState) -> bool:
    return product.pending == seen and reading.at_ms - product.pending_at_ms >= LEAST_BETWEEN_MS


def _confirmed(
    product: Tracked, reading: Reading, seen: ObservedState, watch: str, by: str
) -> ReadingOutcome:
    change = Change.model_validate(
        {
            "watch": watch,
            "product": product.key,
            "number": product.changes + 1,
            "at_ms": reading.at_ms,
            "before": product.confirmed,
            "after": seen,
            "reference": product.reference,
            "confirmed_by": by,
            "identity": product.identity,
            "page_sha": reading.page_sha,
        }
    )
    confirms = product.pending_reading if product.pending == seen else ""
    cleared = _without_pending(product, reading)
    settled = cleared.changed(confirmed=seen, since_ms=reading.at_ms, changes=change.number)
    return ReadingOutcome(settled, change=change, agrees=True, confirms=confirms)


def _without_pending(product: Tracked, reading: Reading) -> Tracked:
    if product.pending is None or product.pending_at_ms > reading.at_ms:
        return product
    return product.changed(
        pending=None, pending_at_ms=0, pending_reading="", pending_run="", pending_target=0
    )
