"""Token budgets and model permits in Redis: they hold over all workers and nodes."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from typing import Any, Final

from redis.asyncio import Redis

from research_crawler.core.errors import BudgetExhausted, LeaseLost
from research_crawler.frontier.keys import Keys
from research_crawler.frontier.scripts import ScriptPipe, as_text

LONGEST_SLEEP_S: Final = 0.25
PERMIT_SPARE_S: Final = 5.0
"""A permit outlives its call's deadline by this, so that one that just made it does not overlap."""
LONGEST_CALL_S: Final = 300.0
_REMEMBERED: Final = 10_000


class RedisBudget:
    """Reserve before a model call, spend after it."""

    def __init__(
        self, redis: Redis, *, prefix: str = "research:", clock: Callable[[], int] | None = None
    ) -> None:
        """`clock` answers ms and replaces the server's clock in tests and simulations."""
        self.keys = Keys(prefix)
        self._redis, self._clock = redis, clock
        self._pipe = ScriptPipe(redis, prefix)
        self._durations_s: dict[str, float] = {}
        self._returned: dict[str, asyncio.Event] = {}

    async def close(self) -> None:
        """Give the connection back."""
        await self._pipe.close()

    async def reserve(self, *, job: str, call: str, token: str, bound_tokens: int, deadline_s: float) -> str:
        """Book an upper bound; answers the reservation's id.

        Args:
            job: whose budget; "" or "-" for a command without a job, which has none.
            call: `version:role:ordinal`, or `command:role:ordinal`.
            token: of the take, or of the command's lease.
            bound_tokens: most that the call can cost.
            deadline_s: seconds from now; an unspent reservation then counts in full.

        Raises:
            BudgetExhausted: the job's ceiling does not allow it.
            LeaseLost: the token is not current any more.
        """
        lasts_ms = int(deadline_s * 1000)
        answer, reservation = await self._call("reserve", job, call, token, bound_tokens, lasts_ms)
        if answer == b"lost":
            raise LeaseLost(f"{call} of {job}: the job or command is somebody else's now")
        if answer == b"no":
            raise BudgetExhausted(
                f"the token ceiling of {job} does not allow another {bound_tokens:,} tokens"
            )
        name = as_text(reservation)
        if len(self._durations_s) >= _REMEMBERED:
            self._durations_s.clear()
        self._durations_s[name] = deadline_s
        return name

    async def spend(
        self, reservation: str, *, job: str, call: str, token: str, tokens: int, answer: str
    ) -> None:
        """Set the true amount and, while the token is current, keep the answer under `call`."""
        self._durations_s.pop(reservation, None)
        await self._call("spend", job, call, token, reservation, tokens, answer)

    async def kept_answer(self, *, job: str, call: str) -> str | None:
        """The answer kept for this call by an earlier take or lease."""
        text = await _awaited(self._redis.hget(self.keys.answers(job), call))
        return None if text is None else as_text(text)

    async def booked(self, job: str) -> tuple[int, int]:
        """Tokens of a job that are (spent, reserved)."""
        sums = await _awaited(self._redis.hmget(self.keys.budget(job), ["spent", "reserved"]))
        return int(sums[0] or 0), int(sums[1] or 0)

    @contextlib.asynccontextmanager
    async def model_permit(
        self, origin: str, reservation: str, *, batch: bool = False
    ) -> AsyncIterator[None]:
        """Hold one of the endpoint's permits for the time of the block; waits while it is full or blocked."""
        lasts_s = self._durations_s.get(reservation, LONGEST_CALL_S) + PERMIT_SPARE_S
        try:
            while wait_ms := await self._permit(origin, reservation, "take", batch, lasts_s):
                await self._wait_for_return(origin, wait_ms / 1000)
            yield
        finally:
            # Also after a cancelled `take`, whose reply may have been a permit.
            await asyncio.shield(self._permit(origin, reservation, "return", batch, 0))
            self._tell_returned(origin)

    async def block_model(self, origin: str, retry_after_ms: int) -> None:
        """429 or Retry-After of the endpoint: everybody waits."""
        await self._permit(origin, "", "block", False, retry_after_ms / 1000)

    async def _permit(self, origin: str, name: str, what: str, batch: bool, lasts_s: float) -> int:
        return int(await self._call("model_permit", origin, name, what, int(batch), int(lasts_s * 1000)))

    async def _wait_for_return(self, origin: str, most_s: float) -> None:
        """Until a permit came back in this process, or for a moment: others' are seen by asking again."""
        returned = self._returned.setdefault(origin, asyncio.Event())
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(min(most_s, LONGEST_SLEEP_S)):
                await returned.wait()

    def _tell_returned(self, origin: str) -> None:
        returned = self._returned.pop(origin, None)
        if returned:
            returned.set()

    def _call(self, name: str, *arguments: str | bytes | int | float) -> Any:
        return self._pipe.call(name, *arguments, self._clock() if self._clock else 0)


async def _awaited(reply: Any) -> Any:
    """redis-py types its hash commands as maybe not awaitable."""
    return await reply
