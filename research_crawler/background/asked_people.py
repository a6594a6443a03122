"""Ends interventions that nobody answered in time, or for which no job waits any longer."""

from typing import Final

from research_crawler.core.log import get_log
from research_crawler.core.tasks.every import every
from research_crawler.frontier.person_queue import PersonQueue

_EVERY_S: Final = 1.0

log = get_log(__name__)


class AskedPeopleClock:
    """The loop of a process that plans. Any number of processes may run it."""

    def __init__(self, people: PersonQueue, *, every_s: float = _EVERY_S) -> None:
        self._people, self._every_s = people, every_s

    async def run(self) -> None:
        """Sweep until cancelled. A failure is logged once, and each second is a new try."""
        await every(self._every_s, self._people.sweep, "the sweep of what persons are asked")
