"""Sends alerts of watches and notices of jobs and batches, and again where that failed.

Each delivery is claimed in the archive before it is sent, so that none is sent twice.

docs/decisions/006-watches-confirm-then-tell-once.md gives the reasons.
"""

import asyncio
import time
from collections.abc import Callable

from research_crawler.core.errors import NotDelivered
from research_crawler.core.log import get_log
from research_crawler.core.models.watches.watch import Delivery
from research_crawler.core.ports.watching import AlertBox, Notifier
from research_crawler.core.tasks.every import every

_EVERY_S = 2.0
"""How often messages that wait are looked for; those of jobs and batches by `job_notices.py`."""
CLAIMED_MS = 10 * 60_000
"""After this time no process can still be sending a delivery that it claimed."""
RETRY_WAITS_MS = (60_000, 300_000, 1_800_000, 7_200_000)
"""The wait before each further attempt, if the one before certainly did not arrive."""
FAILED_MS, FAILED_DAYS = 86_400_000, 7
"""A delivery that failed is tried again once a day for a week: by then its receiver, or the settings, may be right.
The archive hands out no older one (`GIVEN_UP_MS`)."""
NEVER_MS = 2**53
"""When a delivery is due that nobody tries again."""

log = get_log(__name__)


class NoticeDelivery:
    """Sends what is due of one box: the alerts of watches, or the notices of jobs and batches.

    Any number of processes may run it.
    """

    def __init__(
        self, box: AlertBox, notifier: Notifier, *, clock_ms: Callable[[], int] | None = None
    ) -> None:
        """`clock_ms` replaces the clock in tests and simulations."""
        self._box, self._notifier = box, notifier
        self._clock_ms = clock_ms or _now_ms

    async def run(self) -> None:
        """Send until cancelled. An error is logged, and the loop goes on."""
        await every(_EVERY_S, self.tick, "the delivery of alerts")

    async def tick(self) -> int:
        """Send all deliveries that are due, and return how many arrived."""
        now_ms = self._clock_ms()
        await self._box.give_up_deliveries(now_ms - CLAIMED_MS)
        sent = 0
        while claimed := await self._box.claim_deliveries(now_ms, self._notifier.fault_of):
            sent += sum(await asyncio.gather(*(self._send(delivery, now_ms) for delivery in claimed)))
        return sent

    async def _send(self, delivery: Delivery, now_ms: int) -> bool:
        try:
            await self._notifier.send(delivery)
        except NotDelivered as error:
            await self._end_failed(delivery, error, now_ms)
            return False
        await self._box.end_delivery(delivery, "sent", next_ms=now_ms)
        return True

    async def _end_failed(self, delivery: Delivery, error: NotDelivered, now_ms: int) -> None:
        can_retry = error.retry and not error.maybe and delivery.attempt <= len(RETRY_WAITS_MS)
        if can_retry:
            wait_ms = RETRY_WAITS_MS[delivery.attempt - 1]
            await self._box.end_delivery(delivery, "due", next_ms=now_ms + wait_ms, note=str(error))
            return
        state = "unknown" if error.maybe else "failed"
        log.warning("an alert was not delivered", alert=delivery.alert.key, state=state, reason=str(error))
        # What cannot be helped by waiting leaves the short waits out: its days are counted from here as well.
        tried = max(delivery.attempt, len(RETRY_WAITS_MS) + 1)
        is_last = tried > len(RETRY_WAITS_MS) + FAILED_DAYS
        next_ms = NEVER_MS if is_last else now_ms + FAILED_MS
        await self._box.end_delivery(delivery, state, next_ms=next_ms, note=str(error), attempts=tried)


def _now_ms() -> int:
    return int(time.time() * 1000)
