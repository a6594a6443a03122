"""The ports of watches: their schedule, their alerts, and who delivers them."""

from collections.abc import Callable, Collection, Sequence
from typing import Protocol

from research_crawler.core.models.watches.watch import (
    Delivery,
    Reading,
    RunEntry,
    RunState,
    Watch,
    WatchEntry,
)

FaultOf = Callable[[str], str]
"""Says why this process cannot send to a URL; "" if it can."""


class WatchStore(Protocol):
    """The store of watches in the archive, as the planner uses it. Every method is one transaction."""

    async def due(self, now_ms: int, limit: int = 500) -> list[WatchEntry]:
        """Active watches that are due, the longest due first."""
        ...

    async def dated_after(self, now_ms: int) -> list[WatchEntry]:
        """Active watches that were made, or whose last slot is, later than this time."""
        ...

    async def replace_if_unchanged(
        self, entry: WatchEntry, watch: Watch, *, last_slot_ms: int, next_due_ms: int | None
    ) -> bool:
        """Replace a watch with its slots, unless another process was first."""
        ...

    async def claim(self, claims: Sequence[tuple[WatchEntry, RunEntry | None, int | None]]) -> int:
        """Move watches to their next due time; returns how many claims succeeded.

        A claim is the watch as it was read, its new run or None, and its next due time.
        """
        ...

    async def runs_in(
        self, state: RunState, *, before_ms: int | None = None, limit: int = 500
    ) -> list[tuple[RunEntry, Watch]]:
        """Runs in this state with their watches, oldest first."""
        ...

    async def count_runs(self, state: RunState) -> int:
        """How many runs are in this state."""
        ...

    async def mark_runs(
        self, runs: Collection[str], state: RunState, *, now_ms: int = 0, note: str = ""
    ) -> None:
        """Set the state of open runs; a run that has ended stays as it is."""
        ...

    async def settle(self, watch: str, run: str, readings: Sequence[Reading]) -> list[int]:
        """Store readings once, with what they confirm; returns the pages that need a second fetch."""
        ...


class AlertBox(Protocol):
    """The deliveries of alerts. A delivery is claimed before it is sent, so it is never sent twice."""

    async def claim_deliveries(self, now_ms: int, fault_of: FaultOf, limit: int = 20) -> list[Delivery]:
        """Claim the deliveries that are due, and those that failed and may be tried again, which `fault_of` lets pass.

        One that has a fault stays for another process, with the fault as its note, and fails after a week.
        """
        ...

    async def end_delivery(
        self, delivery: Delivery, state: str, *, next_ms: int = 0, note: str = "", attempts: int = 0
    ) -> None:
        """Record the outcome of a claimed delivery: sent, due again, failed or unknown.

        `attempts`: how many count as made; 0: those that were.
        """
        ...

    async def give_up_deliveries(self, claimed_before_ms: int) -> int:
        """End the claims of processes that died; their state becomes unknown, and they are not sent again."""
        ...


class Notifier(Protocol):
    """Sends an alert to one place."""

    def fault_of(self, url: str) -> str:
        """What this process lacks to send to a URL, in one line for people; "" if nothing."""
        ...

    async def send(self, delivery: Delivery) -> None:
        """Send one alert. Raises NotDelivered, which says whether it may have arrived."""
        ...
