"""The health of a provider: circuit breaker, latency, quota and cost. Pure functions; a health book stores
it.

The circuit is closed while the provider answers. It opens after several failures in a row, or at once where
another try cannot help. When its rest is over, it is half open: one trial call decides for all nodes. Each
further trip doubles the rest.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, Literal

from research_crawler.core.errors import SearchTrouble
from research_crawler.core.models.messages.health import Health, HealthChanges

State = Literal["closed", "open", "half_open"]

SECOND_MS: Final = 1000
"""A second, in milliseconds."""
FAILURES_TO_OPEN: Final[dict[SearchTrouble, int]] = {"key": 1, "quota": 1, "challenge": 2, "rate": 2}
"""Failures in a row that open the circuit, by kind: a wrong key or an empty quota stays one at the next call."""
USUAL_FAILURES_TO_OPEN: Final = 3
"""The same for all other kinds: one timeout or error of a server may be chance, three in a row hardly are."""
FIRST_REST_S: Final[dict[SearchTrouble, int]] = {"key": 300, "quota": 3600, "challenge": 120, "rate": 60}
"""First rest by kind of failure: a quota takes hours to come back, a limit of calls often counts by the minute."""
USUAL_FIRST_REST_S: Final = 30
"""First rest after all other kinds: about as long as a server needs to start again."""
MOST_DOUBLINGS: Final = 20
"""The rest is doubled so many times at most; by then it has long been LONGEST_REST_S, and the number stays small."""
MOST_REASON_CHARS: Final = 200
"""So much of a failure's text is kept: it stands in one line where the state of a provider is shown."""
LONGEST_REST_S: Final = 6 * 3600
"""Longest rest of a provider that keeps failing."""
NOT_COUNTED: Final = frozenset({"refused", "busy"})
"""Kinds that do not count as failures: robots.txt refused the call, or the permit came too late."""
TRIAL_MS: Final = 30 * SECOND_MS
"""How long a trial call blocks other trials. After that its caller is taken for dead."""
SAMPLES: Final = 20
"""Latest latencies by which a provider's patience is set."""
LEAST_SAMPLES: Final = 5
"""With fewer latencies, the usual patience holds."""
DEFAULT_PATIENCE_MS: Final = 2000
"""How long a provider is waited for before another is asked too, until its latency is known."""
PATIENCE_MS: Final = (500, 8000)
"""Least and most patience with a provider, by its latency."""


@dataclass(frozen=True)
class Allowance:
    """The operator's ceilings for one provider, and the price of a call."""

    usd_per_call: float = 0.0
    per_day: int = 0
    """0: no ceiling."""
    per_month: int = 0


def circuit_state(health: Health, now_ms: int) -> State:
    """The state of the circuit."""
    if health.open_until_ms == 0:
        return "closed"
    return "open" if now_ms < health.open_until_ms else "half_open"


def used_up(health: Health, allowance: Allowance, now_ms: int) -> str:
    """Says which of the operator's ceilings is reached; "" if none is."""
    day, month = calendar(now_ms)
    if 0 < allowance.per_day <= (health.day_calls if health.day == day else 0):
        return f"its {allowance.per_day} calls for today are used up"
    if 0 < allowance.per_month <= (health.month_calls if health.month == month else 0):
        return f"its {allowance.per_month} calls for this month are used up"
    return ""


def resting(health: Health, now_ms: int) -> str:
    """Why the provider must not be asked now, and for how long; "" if it may be asked."""
    state = circuit_state(health, now_ms)
    if state == "open":
        return f"resting for {(health.open_until_ms - now_ms) / SECOND_MS:.0f} s after: {health.why}"
    if state == "half_open" and now_ms < health.trial_until_ms:
        return f"being tried again after: {health.why}"
    return ""


def admit(health: Health, now_ms: int, *, allowance: Allowance, forced: bool = False) -> tuple[Health, str]:
    """Book a call before it is made.

    Args:
        health: the provider's record.
        now_ms: time on the book's clock.
        allowance: ceilings and price; a ceiling holds for forced calls too.
        forced: ask although the circuit is open, because no other provider is left.

    Returns:
        The new record, and the reason why the call must not be made ("" if it may).
    """
    if reason := used_up(health, allowance, now_ms) or ("" if forced else resting(health, now_ms)):
        return health, reason
    day, month = calendar(now_ms)
    same_month = health.month == month
    booked = health.changed(
        day=day,
        day_calls=(health.day_calls if health.day == day else 0) + 1,
        month=month,
        month_calls=(health.month_calls if same_month else 0) + 1,
        month_usd=(health.month_usd if same_month else 0.0) + allowance.usd_per_call,
    )
    if circuit_state(health, now_ms) != "closed":
        booked = booked.changed(trial_until_ms=now_ms + TRIAL_MS)
    return booked, ""


def succeeded(health: Health, now_ms: int, *, latency_ms: int) -> Health:
    """Record an answer, with or without results. It closes the circuit."""
    return health.changed(
        failures=0,
        trips=0,
        open_until_ms=0,
        trial_until_ms=0,
        why="",
        latencies_ms=(*health.latencies_ms, max(0, latency_ms))[-SAMPLES:],
    )


def failed(health: Health, now_ms: int, *, trouble: SearchTrouble, why: str, latency_ms: int = 0) -> Health:
    """Record a failed call. It opens the circuit if there were enough failures."""
    if trouble in NOT_COUNTED:
        return health.changed(trial_until_ms=0)
    changes: HealthChanges = {
        "failures": health.failures + 1,
        "why": why[:MOST_REASON_CHARS],
        "trial_until_ms": 0,
    }
    if trouble == "slow":
        changes["latencies_ms"] = (*health.latencies_ms, latency_ms)[-SAMPLES:]
    state = circuit_state(health, now_ms)
    if state == "half_open" or (
        state == "closed" and health.failures + 1 >= FAILURES_TO_OPEN.get(trouble, USUAL_FAILURES_TO_OPEN)
    ):
        rest_s = min(
            LONGEST_REST_S,
            FIRST_REST_S.get(trouble, USUAL_FIRST_REST_S) * 2 ** min(health.trips, MOST_DOUBLINGS),
        )
        changes["trips"] = health.trips + 1
        changes["open_until_ms"] = now_ms + rest_s * SECOND_MS
    return health.changed(**changes)


def not_sent(health: Health, now_ms: int, *, usd: float) -> Health:
    """Undo the booking of a call that was never sent."""
    day, month = calendar(now_ms)
    changes: HealthChanges = {"trial_until_ms": 0}
    if health.day == day:
        changes["day_calls"] = max(0, health.day_calls - 1)
    if health.month == month:
        changes["month_calls"] = max(0, health.month_calls - 1)
        changes["month_usd"] = max(0.0, health.month_usd - usd)
    return health.changed(**changes)


def patience_ms(health: Health) -> int:
    """How long to wait for its answer: the 95th percentile of its last answers, or 2 s with fewer than
    five."""
    if len(health.latencies_ms) < LEAST_SAMPLES:
        return DEFAULT_PATIENCE_MS
    ordered = sorted(health.latencies_ms)
    p95 = ordered[min(len(ordered) - 1, -(-len(ordered) * 95 // 100) - 1)]
    return min(max(p95, PATIENCE_MS[0]), PATIENCE_MS[1])


def calendar(now_ms: int) -> tuple[str, str]:
    """The day and the month that quotas count in (UTC)."""
    now = datetime.fromtimestamp(now_ms / SECOND_MS, UTC)
    return f"{now:%Y-%m-%d}", f"{now:%Y-%m}"
