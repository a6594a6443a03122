"""Ends interventions that nobody answered in time, or for which no job waits any longer."""

import asyncio
from typing import Final

from research_crawler.core.log import get_log
from research_crawler.frontier.people import PersonQueue

_EVERY_S: Final = 1.0

log = get_log(__name__)


class AskedPeopleClock:
    """The loop of a process that plans. Any number of processes may run it."""

    def __init__(self, people: PersonQueue, *, every_s: float = _EVERY_S) -> None:
        self._people, self._every_s, self._is_failing = people, every_s, False

    async def run(self) -> None:
        """Sweep until cancelled. A failure is logged once, and each second is a new try."""
        while True:
            try:
                await self._people.sweep()
                self._is_failing = False
            except Exception:
                if not self._is_failing:
                    log.exception("what persons are asked cannot be swept; trying again")
                self._is_failing = True
            await asyncio.sleep(self._every_s)
