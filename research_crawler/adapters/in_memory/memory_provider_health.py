"""The health of search providers in the memory of one process, for tests; the real one is in Redis."""

import time
from collections.abc import Callable, Sequence

from research_crawler.core.models.messages.health import Health
from research_crawler.core.ports.crawler import StepAnswer


class MemoryHealth:
    """The port `HealthBook` in a dictionary. `change` is atomic, as it never awaits between read and
    write."""

    def __init__(self, *, clock: Callable[[], int] = lambda: int(time.time() * 1000)) -> None:
        """`clock` returns milliseconds."""
        self._clock = clock
        self._records: dict[str, Health] = {}

    async def read(self, accounts: Sequence[str]) -> list[Health]:
        """The records of these accounts."""
        return [self._records.get(account, Health()) for account in accounts]

    async def change(
        self, account: str, step: Callable[[Health, int], tuple[Health, StepAnswer]]
    ) -> StepAnswer:
        """Replace a record by what `step(record, now_ms)` returns."""
        self._records[account], answer = step(self._records.get(account, Health()), self._clock())
        return answer

    async def now_ms(self) -> int:
        """The clock's time."""
        return self._clock()
