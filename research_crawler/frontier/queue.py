"""The local buffer between prefetcher and engine: a queue class of scrapy-redis that holds leased requests."""

from collections import deque
from collections.abc import Iterator
from typing import Any

from scrapy import Request, Spider
from scrapy_redis.queue import Base

from research_crawler.core.errors import BadMessage
from research_crawler.frontier.requests import JsonRequests


class LocalBuffer(Base):  # type: ignore[misc]  # scrapy-redis has no types
    """SCHEDULER_QUEUE_CLASS: requests of leased commands. The frontier itself is in Redis, behind the leases.

    What goes into the frontier is encoded by scrapy-redis' own code, with a serializer that pickles nothing.
    """

    def __init__(
        self, server: Any = None, spider: Spider | None = None, key: str = "", serializer: Any = None
    ) -> None:
        super().__init__(server, spider, key, serializer or JsonRequests)
        self._requests: deque[Request] = deque()

    def encode(self, request: Request) -> str:
        """A request of the spider as JSON; its callbacks by name.

        Raises:
            BadMessage: it cannot be written as JSON, or a callback is no method of the spider.
        """
        try:
            text: str = self._encode_request(request)
        except ValueError as error:  # Scrapy's: a callback is a function or a lambda
            raise BadMessage(f"the request of {request.url} cannot be queued: {error}") from error
        return text

    def decode(self, text: str) -> Request:
        """The request that `encode` wrote.

        Raises:
            BadMessage: it is malformed, or the spider has no such method.
        """
        try:
            request: Request = self._decode_request(text)
        except (ValueError, TypeError) as error:
            raise BadMessage(f"a queued request cannot be made: {error}") from error
        for method in (request.callback, request.errback):
            if method is not None and not callable(method):
                raise BadMessage(f"a queued request of {request.url} names {method!r}, which is no method")
        return request

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
