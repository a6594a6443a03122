"""How the parts of a process are opened in order and closed in the opposite one."""

from abc import ABC, abstractmethod
from contextlib import AsyncExitStack


class OpenedParts(ABC):
    """Parts that are opened together; what `closed_at_end` holds is closed at `close`, the last one first."""

    def __init__(self) -> None:
        self.closed_at_end = AsyncExitStack()

    async def open(self) -> None:
        """Connect and start everything. On an error or a cancellation, close everything again.

        Raises:
            NotStarted, StorageFull: the message is one line that says what to do.
        """
        try:
            await self._open()
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        """Close everything that is open."""
        await self.closed_at_end.aclose()

    @abstractmethod
    async def _open(self) -> None:
        """Open the parts, and tell `closed_at_end` how each is closed."""
