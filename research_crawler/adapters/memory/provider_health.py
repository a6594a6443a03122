"""The health of search providers in this process alone: the twin of the book in Redis, for tests."""

import time
from collections.abc import Callable, Sequence

from research_crawler.core.crawl_ports import Given
from research_crawler.core.models.health import Health


class MemoryHealth:
    """The port `HealthBook` in a dictionary. There is no await between reading and writing: `change` is atomic."""

    def __init__(self, *, clock: Callable[[], int] = lambda: int(time.time() * 1000)) -> None:
        """`clock` answers milliseconds."""
        self._clock = clock
        self._records: dict[str, Health] = {}

    async def read(self, accounts: Sequence[str]) -> list[Health]:
        """The records of these accounts."""
        return [self._records.get(account, Health()) for account in accounts]

    async def change(self, account: str, step: Callable[[Health, int], tuple[Health, Given]]) -> Given:
        """Replace a record."""
        self._records[account], given = step(self._records.get(account, Health()), self._clock())
        return given

    async def now_ms(self) -> int:
        """The clock."""
        return self._clock()
