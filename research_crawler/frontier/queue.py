"""The local buffer between prefetcher and engine: a scrapy-redis queue class that holds leased requests."""

from collections import deque
from collections.abc import Iterator
from typing import Any

from scrapy import Request, Spider
from scrapy_redis.queue import Base

from research_crawler.core.errors import BadMessage
from research_crawler.frontier.spider_requests import JsonRequests


class LocalBuffer(Base):  # type: ignore[misc]  # scrapy-redis has no types
    """The SCHEDULER_QUEUE_CLASS, which holds the requests of leased commands in memory; the frontier is in Redis.

    scrapy-redis' own code encodes the requests that go into the frontier, with a serializer that never pickles.
    """

    def __init__(
        self, server: Any = None, spider: Spider | None = None, key: str = "", serializer: Any = None
    ) -> None:
        super().__init__(server, spider, key, serializer or JsonRequests)
        self._requests: deque[Request] = deque()

    def encode(self, request: Request) -> str:
        """A request of the spider as JSON, with its callbacks as names of methods.

        Raises:
            BadMessage: the request cannot be written as JSON, or a callback is not a method of the spider.
        """
        try:
            text: str = self._encode_request(request)
        except ValueError as error:  # Scrapy's: a callback is a function or a lambda
            raise BadMessage(f"the request of {request.url} cannot be queued: {error}") from error
        return text

    def decode(self, text: str) -> Request:
        """The request that `encode` wrote.

        Raises:
            BadMessage: the text is malformed, or the spider does not have the method that it names.
        """
        try:
            request: Request = self._decode_request(text)
        except (ValueError, TypeError) as error:
            raise BadMessage(f"a queued request cannot be decoded: {error}") from error
        for method in (request.callback, request.errback):
            if method is not None and not callable(method):
                raise BadMessage(f"a queued request of {request.url} names {method!r}, which is not a method")
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
        """Drop all requests; the node that owns their leases gives them back."""
        self._requests.clear()

    def __iter__(self) -> Iterator[Request]:
        return iter(list(self._requests))
