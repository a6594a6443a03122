"""The local buffer between prefetcher and engine, in the shape scrapy-redis asks of a queue class."""

from collections import deque
from collections.abc import Iterator
from typing import Any

from scrapy import Request, Spider


class LocalBuffer:
    """SCHEDULER_QUEUE_CLASS: requests of leased commands. The frontier itself is in Redis, behind the leases."""

    def __init__(
        self, server: Any = None, spider: Spider | None = None, key: str = "", serializer: Any = None
    ) -> None:
        self._requests: deque[Request] = deque()

    def __len__(self) -> int:
        return len(self._requests)

    def push(self, request: Request) -> None:
        """Append a request."""
        self._requests.append(request)

    def pop(self, timeout: int = 0) -> Request | None:
        """The oldest request, or None; never blocks."""
        return self._requests.popleft() if self._requests else None

    def clear(self) -> None:
        """Drop all requests; their leases are given back by whoever owns them."""
        self._requests.clear()

    def __iter__(self) -> Iterator[Request]:
        return iter(list(self._requests))
