"""What is true of a product: one look proposes, a second one confirms. Pure.

A page can be wrong for one fetch (a cache, an experiment, a price without its options), and a reader can be wrong
about a page. So a look that says something new only opens a change; a later fetch that says the same confirms it,
in the same run or, where that one failed, in the next. Blocked and failed pages say nothing.
"""

from dataclasses import dataclass

from research_crawler.core.models.watches import AlertRule, Change, Reading, Standing, Tracked

LEAST_BETWEEN_MS = 10
"""Looks at the same moment, of two runs that overlap, are one answer. Within a run `confirm_ms` is between two."""


@dataclass(frozen=True)
class Verdict:
    """A product after a reading."""

    product: Tracked
    change: Change | None = None
    """Confirmed by this reading; the first confirmation of all, too."""
    agrees: bool = False
    """Whether the reading says what is confirmed."""
    confirms: str = ""
    """Id of the earlier reading that this one confirms."""


def observe(product: Tracked, reading: Reading, *, watch: str, run: str, rule: AlertRule) -> Verdict:
    """Take one reading into a product."""
    seen = standing_of(reading, product.standing)
    if seen is None:
        return Verdict(product)
    if seen == product.standing:
        return Verdict(_without_pending(product, reading), agrees=True)
    if reading.doubtful:
        return Verdict(product)
    if _is_second_look(product, reading, seen):
        return _confirmed(product, reading, seen, watch, "fetch")
    if rule.by_extractor and _agree(reading):
        return _confirmed(product, reading, seen, watch, "extractor")
    if product.pending_at_ms >= reading.at_ms and product.pending is not None:
        return Verdict(product)  # an older look, delivered late
    opened = product.changed(
        pending=seen,
        pending_at_ms=reading.at_ms,
        pending_reading=reading.id,
        pending_run=run,
        pending_target=reading.target,
    )
    return Verdict(opened)


def standing_of(reading: Reading, confirmed: Standing | None) -> Standing | None:
    """What a reading says of the offer; None where it says nothing."""
    if reading.state == "out_of_stock":
        return Standing(buyable=False)
    if reading.state != "offer" or reading.price is None:
        return None
    currency = reading.currency
    if not currency and confirmed is not None and confirmed.currency:
        # An amount alone is not compared with one of a currency, unless it is plainly the same.
        if reading.price != confirmed.price:
            return None
        currency = confirmed.currency
    return Standing(price=reading.price, currency=currency)


def _agree(reading: Reading) -> bool:
    """Whether a page's data and what its readers see give the same price: two kinds of data have one source."""
    return "dom" in reading.rungs and len(set(reading.rungs)) > 1


def _is_second_look(product: Tracked, reading: Reading, seen: Standing) -> bool:
    return product.pending == seen and reading.at_ms - product.pending_at_ms >= LEAST_BETWEEN_MS


def _confirmed(product: Tracked, reading: Reading, seen: Standing, watch: str, by: str) -> Verdict:
    change = Change.model_validate(
        {
            "watch": watch,
            "product": product.key,
            "number": product.changes + 1,
            "at_ms": reading.at_ms,
            "before": product.standing,
            "after": seen,
            "reference": product.reference,
            "confirmed_by": by,
            "identity": product.identity,
            "page_sha": reading.page_sha,
        }
    )
    confirms = product.pending_reading if product.pending == seen else ""
    cleared = _without_pending(product, reading)
    settled = cleared.changed(standing=seen, since_ms=reading.at_ms, changes=change.number)
    return Verdict(settled, change=change, agrees=True, confirms=confirms)


def _without_pending(product: Tracked, reading: Reading) -> Tracked:
    if product.pending is None or product.pending_at_ms > reading.at_ms:
        return product
    return product.changed(
        pending=None, pending_at_ms=0, pending_reading="", pending_run="", pending_target=0
    )
