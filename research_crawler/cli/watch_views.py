"""Watches and their runs as text and as JSON."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from planner.watches.alerts import amount, plain_line, told
from planner.watches.price_history import iso
from planner.watches.schedule import described as described_schedule
from planner.watches.settlement import warnings_of
from research_crawler.cli.session import say, tell

if TYPE_CHECKING:
    from research_crawler.core.models.watches import Observation, WatchEntry
    from research_crawler.services.watches import RunResult, WatchView


def described(entry: "WatchEntry") -> str:
    """One line: name, schedule, pages, next look."""
    following = f"next {told_time(entry.next_due_ms)}" if entry.state == "active" else entry.state
    pages = len(entry.watch.pages)
    when = described_schedule(entry.watch.schedule)
    return f"{entry.watch.name}  ({when}, {pages} page{'s' * (pages > 1)}, {following})"


def told_time(at_ms: int | None) -> str:
    """A moment for a person."""
    if at_ms is None:
        return "never"
    return datetime.fromtimestamp(at_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")


def entry_json(entry: "WatchEntry") -> dict[str, Any]:
    """A watch, places without their keys."""
    from research_crawler.adapters.notifications import shown_place

    known = entry.watch
    return {
        "id": known.id,
        "name": known.name,
        "state": entry.state,
        "query": known.query,
        "urls": known.urls,
        "vendors": known.vendors,
        "schedule": described_schedule(known.schedule),
        "next": None if entry.next_due_ms is None else iso(entry.next_due_ms),
        "rule": known.rule.model_dump(mode="json", exclude_defaults=True),
        "notify": [shown_place(place) for place in known.notify],
    }


def view_json(view: "WatchView") -> dict[str, Any]:
    """A watch with what it knows."""
    states = {(key, place): {"state": state, "note": note} for key, place, state, note in view.deliveries}
    return entry_json(view.entry) | {
        "warnings": warnings_of(view.entry.watch.rule, view.products),
        "products": [
            {
                "product": one.key,
                "name": one.identity.name,
                "vendor": one.identity.vendor,
                "url": one.identity.url or one.identity.asked,
                "standing": one.standing.model_dump(mode="json") if one.standing else None,
                "since": iso(one.since_ms) if one.since_ms else None,
                "unconfirmed": one.pending.model_dump(mode="json") if one.pending else None,
            }
            for one in view.products
        ],
        "runs": [{"job": run.id, "slot": iso(run.slot_ms), "state": run.state} for run in view.runs],
        "alerts": [
            {"id": one.key, "at": iso(one.change.at_ms), "title": one.title, "reasons": one.reasons}
            | {"deliveries": [state for (key, _), state in states.items() if key == one.key]}
            for one in view.alerts
        ],
    }


def print_view(view: "WatchView") -> None:
    """The same for a terminal."""
    say(f"{view.entry.watch.id}  {described(view.entry)}")
    for one in view.products:
        standing = told(one.standing) if one.standing else "not confirmed yet"
        waiting = f"  (seen once: {told(one.pending)})" if one.pending else ""
        say(f"  {plain_line(one.identity.name)}  {one.identity.vendor}  {standing}{waiting}")
    for warning in warnings_of(view.entry.watch.rule, view.products):
        say(f"  ! {warning}")
    for run in view.runs[:5]:
        say(f"  run {run.id}  {told_time(run.slot_ms)}  {run.state} {plain_line(run.note)}".rstrip())
    for alert in view.alerts[:10]:
        states = (
            ", ".join(state for key, _, state, _ in view.deliveries if key == alert.key) or "kept here only"
        )
        say(f"  alert {told_time(alert.change.at_ms)}  {alert.title}  [{states}]")


def result_json(result: "RunResult") -> dict[str, Any]:
    """What one run saw."""
    return {
        "job": result.run.id,
        "watch": result.run.watch,
        "state": result.run.state,
        "observations": [one.model_dump(mode="json") for one in result.observations],
        "alerts": [one.model_dump(mode="json") for one in result.alerts],
    }


def print_result(result: "RunResult") -> None:
    """The same for a terminal."""
    for one in result.observations:
        say(line_of(one))
    for alert in result.alerts:
        say(f"! {alert.title}")
    if not result.observations:
        tell(f"nothing was seen; run {result.run.id} is {result.run.state} {result.run.note}".rstrip())


def line_of(one: "Observation") -> str:
    """One observation in a line."""
    if one.state == "offer":
        what = amount(one.price, one.currency) + ("" if one.confirmed else " (not confirmed)")
    else:
        what = one.state.replace("_", " ") + (f": {plain_line(one.reason.text)}" if one.reason else "")
    return f"{one.vendor:<24} {what:<28} {plain_line(one.name or one.url)}"
