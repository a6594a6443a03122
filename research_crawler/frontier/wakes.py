"""Wake-ups by pub/sub: messages that arrive together make one wake-up, and a message may contain a delay."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from typing import Any

from redis.asyncio import Redis
from redis.exceptions import RedisError

from research_crawler.core.errors import RedisUnusable
from research_crawler.frontier.scripts import as_text

RETRY_S = 0.5
"""Pause before a broken subscription is tried again; the waiter is woken each time and can check by itself."""


class Wakes:
    """A subscription that wakes one waiter."""

    def __init__(self, *, timed: bool) -> None:
        self._flag = asyncio.Event()
        self._timed, self._texts = timed, list[str]()
        self._alarm: asyncio.TimerHandle | None = None

    @classmethod
    @contextlib.asynccontextmanager
    async def open(
        cls, redis: Redis, channels: Sequence[str], *, timed: bool = True
    ) -> AsyncIterator["Wakes"]:
        """Subscribe while the block runs; if `timed`, a message contains the ms until the wake-up is due."""
        wakes = cls(timed=timed)
        pubsub = redis.pubsub(ignore_subscribe_messages=True)
        await pubsub.subscribe(*channels)
        reader = asyncio.create_task(wakes._read(pubsub))
        try:
            yield wakes
        finally:
            reader.cancel()
            await asyncio.wait([reader])
            wakes._forget_alarm()
            await pubsub.aclose()  # type: ignore[no-untyped-call]  # redis-py has no annotation there

    async def wait(self, timeout_s: float) -> bool:
        """Wait for a wake-up; True if there was one, False after the timeout."""
        try:
            async with asyncio.timeout(timeout_s):
                await self._flag.wait()
        except TimeoutError:
            return False
        self._flag.clear()
        return True

    def take_texts(self) -> list[str]:
        """The messages since the last call, for subscriptions that are not timed."""
        texts, self._texts = self._texts, []
        return texts

    def wake(self) -> None:
        """Wake the waiter, as a message would."""
        self._forget_alarm()
        self._flag.set()

    def __aiter__(self) -> "Wakes":
        return self

    async def __anext__(self) -> None:
        await self._flag.wait()
        self._flag.clear()

    async def _read(self, pubsub: Any) -> None:
        """Receive until cancelled. No `every`: reading waits by itself, so that there is a pause only after a fault."""
        while True:
            try:
                message = await pubsub.get_message(ignore_subscribe_messages=True, timeout=None)
            except (RedisError, RedisUnusable, OSError):
                await asyncio.sleep(RETRY_S)
                self.wake()
                continue
            if message and message["type"] == "message":
                self._receive(as_text(message["data"]))

    def _receive(self, text: str) -> None:
        if not self._timed:
            self._texts.append(text)
            self.wake()
        elif not text.isdigit() or int(text) == 0:
            self.wake()
        else:
            self._set_alarm(int(text) / 1000)

    def _set_alarm(self, in_s: float) -> None:
        loop = asyncio.get_running_loop()
        at = loop.time() + in_s
        if self._alarm is None or at < self._alarm.when():
            self._forget_alarm()
            self._alarm = loop.call_later(in_s, self.wake)

    def _forget_alarm(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
