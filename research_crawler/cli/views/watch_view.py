"""Prints watches and their runs as text and as JSON."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from planner.watches.followed import followed_condition, is_followed
from planner.watches.price_alerts import amount, plain_line, state_text
from planner.watches.schedule import schedule_text as described_schedule
from planner.watches.settlement import warnings_of
from research_crawler.cli.session import echo, echo_err
from research_crawler.core.text.counting import count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from research_crawler.core.models.watches.watch import (
        AlertRule,
        Observation,
        Tracked,
        Watch,
        WatchEntry,
        WatchTerms,
    )
    from research_crawler.services.watch_control import RunResult, WatchView


def watch_line(entry: "WatchEntry") -> str:
    """A watch in one line: its name, schedule, pages and next run."""
    next_run = f"next {time_text(entry.next_due_ms)}" if entry.state == "active" else entry.state
    pages = len(entry.watch.pages)
    schedule = described_schedule(entry.watch.schedule)
    return f"{entry.watch.name}  ({schedule}, {count(pages, 'page')}, {next_run})"


def time_text(at_ms: int | None) -> str:
    """A time as text for the user, in UTC."""
    if at_ms is None:
        return "never"
    return datetime.fromtimestamp(at_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")


def print_edit(old: "Watch", new: "Watch") -> None:
    """Print what a person has changed of a watch, each term before and after."""
    from research_crawler.core.models.watches.watch import WatchTerms

    lines = _changed_lines(WatchTerms.of(old), WatchTerms.of(new))
    if not lines and old.notify != new.notify:
        lines = ["places that are told: changed"]
    for line in lines or ["nothing is changed"]:
        echo(f"  {line}")


def _changed_lines(before: "WatchTerms", after: "WatchTerms") -> list[str]:
    one, other = _words_of(before), _words_of(after)
    return [f"{name}: {one[name]} → {other[name]}" for name in one if one[name] != other[name]]


def _words_of(terms: "WatchTerms") -> dict[str, str]:
    """What a person may change of a watch, by what it is called."""
    return {
        "name": plain_line(terms.name),
        "schedule": described_schedule(terms.schedule),
        **_words_of_rule(terms.rule),
        "condition": (terms.condition or "as the query says, else new").replace("_", " "),
        "places that are told": str(terms.destinations),
    }


def _words_of_rule(rule: "AlertRule") -> dict[str, str]:
    return {
        "below": "none" if rule.below is None else amount(rule.below, rule.currency),
        "drop": f"{rule.drop_percent:g} %" if rule.drop_percent else "none",
        "back in stock": "yes" if rule.back_in_stock else "no",
        "any change": "yes" if rule.any_change else "no",
    }


def print_view(view: "WatchView") -> None:
    """Print a watch with its products, runs and alerts for a terminal."""
    from research_crawler.services.watch_documents import shown_of

    echo(f"{view.entry.watch.id}  {watch_line(view.entry)}")
    watch = view.entry.watch
    rules = [
        f"{name} {value}" for name, value in _words_of_rule(watch.rule).items() if value not in ("none", "no")
    ]
    if rules:
        echo(f"  tells when: {', '.join(rules).replace(' yes', '')}")
    followed, others = (
        [product for product in view.products if is_followed(watch, product.identity.condition) is counts]
        for counts in (True, False)
    )
    for product in followed:
        echo(_product_line(product))
    if others:
        wanted = followed_condition(watch).replace("_", " ")
        echo(f"  the watch follows {wanted} offers; these count for no alert:")
    for product in others:
        echo(f"  {_product_line(product)}")
    for warning in warnings_of(view.entry.watch.rule, view.products):
        echo(f"  ! {warning}")
    _print_history(view)
    for alert in view.alerts[:10]:
        states = (
            ", ".join(state for key, _, state, _ in view.deliveries if key == alert.key)
            or "not sent anywhere"
        )
        echo(f"  alert {time_text(alert.change.at_ms)}  {alert.title}  [{states}]")
        for key, place, state, note in view.deliveries:
            if key == alert.key and note and state != "sent":
                echo(f"    ! {state}: {shown_of(view, place)}: {plain_line(note)}")


def _print_history(view: "WatchView") -> None:
    for edit in view.edits[:5]:
        changes = "; ".join(_changed_lines(edit.before, edit.after)) or "places that are told"
        echo(f"  changed {time_text(edit.at_ms)}  {changes}")
    for run in view.runs[:5]:
        echo(f"  run {run.id}  {time_text(run.slot_ms)}  {run.state} {plain_line(run.note)}".rstrip())


def _product_line(product: "Tracked") -> str:
    """A product with its condition, where that is not new, and its confirmed state."""
    known = product.identity
    condition = "" if known.condition in ("new", "unknown") else f" ({known.condition.replace('_', ' ')})"
    confirmed = state_text(product.confirmed) if product.confirmed else "not confirmed yet"
    unconfirmed = f"  (seen once: {state_text(product.pending)})" if product.pending else ""
    return f"  {plain_line(known.name)}{condition}  {known.vendor}  {confirmed}{unconfirmed}"


def print_result(result: "RunResult") -> None:
    """Print the observations and alerts of one run for a terminal.

    A change is fetched twice in a run. If both fetches give the same, they are one line.
    """
    agreeing = _agreeing(result.observations)
    for observation in result.observations:
        if observation.fetch_attempt > 1 or observation.product not in agreeing:
            echo(observation_line(observation, confirms=observation.product in agreeing))
    for alert in result.alerts:
        echo(f"! {alert.title}")
    if not result.observations:
        echo_err(f"no prices were seen; run {result.run.id} is {result.run.state} {result.run.note}".rstrip())


def _agreeing(observations: "Sequence[Observation]") -> set[str]:
    """The products that were fetched twice with the same result."""
    first, second = (
        {
            one.product: (one.state, one.price, one.currency)
            for one in observations
            if (one.fetch_attempt > 1) is again
        }
        for again in (False, True)
    )
    return {product for product in first.keys() & second.keys() if first[product] == second[product]}


def observation_line(observation: "Observation", *, confirms: bool = False) -> str:
    """One observation in a line.

    Args:
        confirms: whether it is the second of two fetches that gave the same.
    """
    if observation.state == "offer":
        price = amount(observation.price, observation.currency)
        state = price + ("" if observation.confirmed else " (not confirmed)")
    else:
        reason = f": {plain_line(observation.reason.text)}" if observation.reason else ""
        state = observation.state.replace("_", " ") + reason
    if observation.fetch_attempt > 1:
        state += " (confirmed by a second fetch)" if confirms and observation.confirmed else " (second fetch)"
    return f"{observation.vendor:<24} {state:<28} {plain_line(observation.name or observation.url)}"
