"""Sends alerts: claimed in the archive before they go out, so that nobody is told twice (decision 006)."""

import asyncio
import time
from collections.abc import Callable

import structlog

from research_crawler.core.errors import NotDelivered
from research_crawler.core.models.watches import Delivery
from research_crawler.core.ports import AlertBox, Notifier

_EVERY_S = 2.0
CLAIMED_MS = 10 * 60_000
"""So long after a claim nobody can still be sending."""
RETRY_MS = (60_000, 300_000, 1_800_000, 7_200_000)
"""Waits after tries that surely did not arrive."""

log = structlog.get_logger(__name__)


class AlertDelivery:
    """Any number of processes may run one."""

    def __init__(
        self, box: AlertBox, notifier: Notifier, *, clock_ms: Callable[[], int] | None = None
    ) -> None:
        """`clock_ms` replaces the time of day in tests and simulations."""
        self._box, self._notifier = box, notifier
        self._clock_ms = clock_ms or _now_ms

    async def run(self) -> None:
        """Send until cancelled; a fault is logged and tried again."""
        while True:
            try:
                await self.tick()
            except Exception:
                log.exception("alerts could not be sent; trying again")
            await asyncio.sleep(_EVERY_S)

    async def tick(self) -> int:
        """Send what is due; how many places were told."""
        now_ms = self._clock_ms()
        await self._box.give_up_deliveries(now_ms - CLAIMED_MS)
        told = 0
        while claimed := await self._box.claim_deliveries(now_ms):
            told += sum(await asyncio.gather(*(self._send(delivery, now_ms) for delivery in claimed)))
        return told

    async def _send(self, delivery: Delivery, now_ms: int) -> bool:
        try:
            await self._notifier.send(delivery)
        except NotDelivered as error:
            await self._failed(delivery, error, now_ms)
            return False
        await self._box.end_delivery(delivery, "sent", next_ms=now_ms)
        return True

    async def _failed(self, delivery: Delivery, error: NotDelivered, now_ms: int) -> None:
        again = error.retry and not error.maybe and delivery.attempt <= len(RETRY_MS)
        if again:
            wait_ms = RETRY_MS[delivery.attempt - 1]
            await self._box.end_delivery(delivery, "due", next_ms=now_ms + wait_ms, note=str(error))
            return
        state = "unknown" if error.maybe else "failed"
        log.warning("an alert did not go out", alert=delivery.alert.key, state=state, reason=str(error))
        await self._box.end_delivery(delivery, state, next_ms=now_ms, note=str(error))


def _now_ms() -> int:
    return int(time.time() * 1000)
