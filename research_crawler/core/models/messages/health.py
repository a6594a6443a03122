"""The health record of a search provider, which all nodes share."""

from typing import TypedDict

from research_crawler.core.models.base import Wire


class HealthChanges(TypedDict, total=False):
    """What may change of a provider's record."""

    failures: int
    trips: int
    open_until_ms: int
    trial_until_ms: int
    why: str
    latencies_ms: tuple[int, ...]
    day: str
    day_calls: int
    month: str
    month_calls: int
    month_usd: float


class Health(Wire):
    """The health of one provider, as `engines.health` computes it."""

    failures: int = 0
    """Failures in a row."""
    trips: int = 0
    """How often the circuit opened since the last success."""
    open_until_ms: int = 0
    """0: the circuit is closed."""
    trial_until_ms: int = 0
    why: str = ""
    """The last failure, as in the report of a search."""
    latencies_ms: tuple[int, ...] = ()
    """Latencies of the last answers, oldest first."""
    day: str = ""
    day_calls: int = 0
    month: str = ""
    month_calls: int = 0
    month_usd: float = 0.0
