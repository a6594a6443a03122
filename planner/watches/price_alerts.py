"""Decide which confirmed changes become alerts, and write their text. Pure."""

from decimal import Decimal

from research_crawler.core.models.watches.watch import (
    Alert,
    AlertReason,
    AlertRule,
    Change,
    ObservedState,
    Tracked,
    Watch,
)

_MAX_NAME = 120
"""Longest name of a product in an alert."""


def alert_reasons(rule: AlertRule, change: Change) -> list[AlertReason]:
    """Why this change is an alert; empty if it is none."""
    reasons: list[AlertReason] = []
    if _is_below(rule, change):
        reasons.append("below")
    if rule.drop_percent and drop_of(change) >= rule.drop_percent:
        reasons.append("drop")
    before, after = change.before, change.after
    if rule.back_in_stock and before is not None and not before.buyable and after.buyable:
        reasons.append("back_in_stock")
    if rule.any_change and before is not None:
        reasons.append("change")
    return reasons


def is_newly_below(rule: AlertRule, product: Tracked) -> bool:
    """Whether the confirmed price is below the limit and was not below the one it was last compared with."""
    state, old = product.confirmed, product.limit
    if rule.below is None or old is None or state is None or state.price is None:
        return False
    has_currency = not rule.currency or state.currency == rule.currency
    return has_currency and old <= state.price < rule.below


def with_reference(product: Tracked, change: Change, reasons: list[AlertReason]) -> Tracked:
    """The product with the price that its next drop is measured from: the highest since the last alert for a drop.

    So many small steps down also lead to an alert.
    """
    price, old = change.after.price, product.reference
    if price is None:
        return product
    has_new_currency = change.before is not None and change.before.currency not in ("", change.after.currency)
    if old is None or price > old or "drop" in reasons or has_new_currency:
        return product.changed(reference=price)
    return product


def drop_of(change: Change) -> float:
    """How many per cent the price is below the reference; 0 if they cannot be compared."""
    price, reference = change.after.price, change.reference
    if price is None or not reference or price >= reference:
        return 0.0
    if (
        change.before is not None
        and change.before.currency
        and change.before.currency != change.after.currency
    ):
        return 0.0
    return float((reference - price) / reference * 100)


def alert_of(watch: Watch, change: Change, reasons: list[AlertReason]) -> Alert:
    """The alert for a change. Names come from pages, so they are cut to one line of plain text."""
    name = plain_line(change.identity.name) or change.identity.url or change.identity.asked
    details = [part for part in (change.identity.variant, _condition(change)) if part]
    name += f" ({plain_line(', '.join(details))})" if details else ""
    now, before = (
        state_text(change.after),
        state_text(change.before) if change.before else "not seen before",
    )
    url = change.identity.url or change.identity.asked
    words = {
        "below": f"below {amount(watch.rule.below, change.after.currency)}" if watch.rule.below else "below",
        "drop": f"{drop_of(change):.0f} % down",
        "back_in_stock": "back in stock",
        "change": "changed",
    }
    title = f"{name}: {now} ({', '.join(words[reason] for reason in reasons)})"
    text = f"{change.identity.vendor}: {now}, before: {before}\n{url}"
    return Alert(
        key=change.key,
        watch=watch.id,
        watch_name=watch.name,
        change=change,
        reasons=reasons,
        title=title,
        text=text,
    )


def state_text(state: ObservedState) -> str:
    """A state as text: its price, or "out of stock"."""
    return amount(state.price, state.currency) if state.buyable else "out of stock"


def amount(price: Decimal | None, currency: str) -> str:
    """A price with its currency ("EUR 799.00"); "?" without a price."""
    return "?" if price is None else f"{currency} {price:,.2f}".strip()


def plain_line(text: str) -> str:
    """Text of a page as one printable line of limited length."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())[:_MAX_NAME]


def _condition(change: Change) -> str:
    """The condition, if the product is not new: a used one below the limit means something else."""
    condition = change.identity.condition
    return "" if condition in ("new", "unknown") else condition.replace("_", " ")


def _is_below(rule: AlertRule, change: Change) -> bool:
    """Whether a price fell below the limit or further below it; one that rises below the limit is no alert."""
    price, before = change.after.price, change.before
    if rule.below is None or price is None or price >= rule.below:
        return False
    if rule.currency and change.after.currency != rule.currency:
        return False
    if before is None or before.price is None or before.currency != change.after.currency:
        return True
    return price < before.price
