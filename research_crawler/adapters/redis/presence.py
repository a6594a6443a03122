"""Announces which processes run (crawler, planner …), so that a command can warn a user if no one would do
the work."""

import asyncio
import platform
import secrets
import time
from functools import partial
from typing import Any, Final

from redis.asyncio import Redis
from redis.exceptions import RedisError

from research_crawler.adapters.redis.expiring_sets import current_members
from research_crawler.core.errors import ResearchError
from research_crawler.core.log import get_log
from research_crawler.core.tasks.every import every
from research_crawler.frontier.scripts import load_script

ALIVE_MS, _EVERY_S = 5_000, 1.0
"""How long a process counts as running without a sign of life, and how often it gives one."""
ANSWERS_S = 2.0
"""How long Redis may take to answer before it counts as not answering."""
CRAWLER: Final = "crawler"
"""The role under which a node announces that it fetches all kinds of commands."""
PLANNER: Final = "planner"
"""The role under which a process announces that it runs a planner worker."""
RENDERER: Final = "renderer"
"""The role under which a node announces that it has a browser."""

INDEX: Final = "index"
"""The role under which a process announces that it has the vector index open, and answers questions to the memory."""

log = get_log(__name__)


class Presence:
    """Announces roles of this process once a second, and counts the other processes that have a role."""

    def __init__(self, redis: "Redis", *, prefix: str) -> None:
        self._redis, self._prefix = redis, prefix
        self._machine = f"{platform.node()}/"
        self._name = self._machine + secrets.token_hex(6)
        self._fault: tuple[ResearchError, float] | None = None

    async def enter(self, role: str) -> None:
        """Announce the role once, so that others see it before this process says that it is up."""
        try:
            script = load_script("alive").source.decode()
            reply: Any = self._redis.eval(script, 1, self._prefix, role, self._name, ALIVE_MS, 0)
            await reply
        except ResearchError as error:
            self._fault = error, self._fault[1] if self._fault else time.monotonic()
        except (RedisError, OSError) as error:
            log.info("cannot announce this process", role=role, error=str(error))
        else:
            self._fault = None

    async def announce(self, role: str) -> None:
        """Announce the role until cancelled; then remove it at once."""
        try:
            await every(_EVERY_S, partial(self.enter, role), f"the announcement of this {role}")
        finally:
            await self._leave(role)

    def fault(self, *, lasting_s: float = 0.0) -> ResearchError | None:
        """The error with which Redis has refused all writes for `lasting_s` (a full disk, say), or None."""
        if self._fault is None or time.monotonic() - self._fault[1] < lasting_s:
            return None
        return self._fault[0]

    async def others(self, role: str) -> int:
        """How many other processes announced this role in the last five seconds."""
        return len(await self._names(role) - {self._name})

    async def renders_elsewhere(self) -> bool:
        """Whether another process has a browser."""
        return await self.others(RENDERER) > 0

    async def here(self, role: str) -> int:
        """How many processes of this machine, or of this container, announced this role in the last five seconds."""
        return sum(name.startswith(self._machine) for name in await self._names(role))

    async def _names(self, role: str) -> set[str]:
        return set(await current_members(self._redis, self._key(role)))

    async def answers(self) -> bool:
        """Whether Redis answers now."""
        try:
            async with asyncio.timeout(ANSWERS_S):
                await self._redis.time()
        except (RedisError, ResearchError, OSError, TimeoutError):
            return False
        return True

    async def _leave(self, role: str) -> None:
        try:
            await self._redis.zrem(self._key(role), self._name)
        except (RedisError, ResearchError, OSError) as error:
            log.info("cannot remove this process from its role", role=role, error=str(error))

    def _key(self, role: str) -> str:
        return f"{self._prefix}alive:{role}"
