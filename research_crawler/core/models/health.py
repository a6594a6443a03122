"""The record that all nodes share of how a search provider is doing."""

from typing import Self, TypedDict, Unpack

from research_crawler.core.models.base import Wire, replaced


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
    """One provider's record, shared by all nodes."""

    failures: int = 0
    """In a row."""
    trips: int = 0
    """Times the circuit opened without a success in between."""
    open_until_ms: int = 0
    """0: closed."""
    trial_until_ms: int = 0
    why: str = ""
    """The last failure, as the report of a search says it."""
    latencies_ms: tuple[int, ...] = ()
    """Of the last answers, oldest first."""
    day: str = ""
    day_calls: int = 0
    month: str = ""
    month_calls: int = 0
    month_usd: float = 0.0

    def changed(self, **changes: Unpack[HealthChanges]) -> Self:
        """A copy with other values of the given fields."""
        return replaced(self, **changes)
