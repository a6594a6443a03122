"""Token budgets and permits of model endpoints in Redis, shared by all workers and nodes."""

import asyncio
import contextlib
import math
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, get_args
from urllib.parse import quote, unquote

from redis.asyncio import Redis

from research_crawler.adapters.redis.expiring_sets import current_members
from research_crawler.core.brain_errors import BudgetExhausted
from research_crawler.core.errors import LeaseLost
from research_crawler.core.models.messages.events import Spent
from research_crawler.core.models.reasons import CeilingOwner
from research_crawler.core.ports.models import MOST_MODEL_NAME
from research_crawler.frontier.keys import Keys
from research_crawler.frontier.scripts import ScriptPipe, as_text

if TYPE_CHECKING:  # models of annotations are not loaded by who only talks to Redis
    from research_crawler.core.models.jobs.job_limits import Limits

LONGEST_SLEEP_S: Final = 0.25
"""Who waits for a permit of a model looks again after this time at the latest."""
PERMIT_SPARE_S: Final = 5.0
"""A permit lasts this much longer than its call's deadline, so that a late answer does not overlap the next
call."""
LONGEST_CALL_S: Final = 300.0
"""How long a permit of a model is kept for a call whose length is unknown."""
MICRO_USD: Final = 1_000_000
"""Money is kept in so many parts of a dollar."""
_OWNERS: Final[Mapping[str, CeilingOwner]] = {owner: owner for owner in get_args(CeilingOwner)}
"""Whose ceiling a refusal names, by the word of the script."""
_DAY_MS: Final = 86_400_000
"""A day, in milliseconds."""
_REMEMBERED: Final = 10_000
"""Most reservations whose duration a process remembers."""
MODELS_TOLD: Final = 20
"""Most models by which what was spent is told: a system calls two, and others while they are tried."""


class RedisBudget:
    """Books tokens: `reserve` before a model call, `spend` after it."""

    def __init__(
        self,
        redis: Redis,
        *,
        prefix: str = "research:",
        day_max_tokens: int | None = None,
        day_max_usd: float | None = None,
        clock: Callable[[], int] | None = None,
    ) -> None:
        """Make a budget.

        Args:
            redis: where it is booked.
            prefix: of all keys.
            day_max_tokens: most tokens of a day (UTC), over all jobs; None: no limit.
            day_max_usd: most money of a day.
            clock: returns ms and replaces the server's clock in tests and simulations.
        """
        self.keys = Keys(prefix)
        self._day = (
            -1 if day_max_tokens is None else day_max_tokens,
            -1 if day_max_usd is None else _micro_usd(day_max_usd),
        )
        self._redis, self._clock = redis, clock
        self._pipe = ScriptPipe(redis, prefix)
        self._durations_s: dict[str, float] = {}
        self._returned: dict[str, asyncio.Event] = {}

    async def close(self) -> None:
        """Return the connection to the pool."""
        await self._pipe.close()

    async def reserve(
        self,
        *,
        job: str,
        call: str,
        token: str,
        bound_tokens: int,
        deadline_s: float,
        bound_usd: float = 0.0,
        model: str = "",
    ) -> str:
        """Book an upper bound of tokens and money, and return the id of the reservation.

        Args:
            job: whose budget; "" or "-" for a command without a job, which has no budget.
            call: `version:role:ordinal`, or `command:role:ordinal`.
            token: of the take, or of the command's lease.
            bound_tokens: upper bound of the call's cost.
            deadline_s: seconds from now; a reservation that is not spent by then counts in full.
            bound_usd: upper bound of its price.
            model: which is called; "": not told.

        Raises:
            BudgetExhausted: the ceiling of the job, of its batch, or of the day does not allow it.
            LeaseLost: the token is no longer current.
        """
        lasts_ms = int(deadline_s * 1000)
        money = _micro_usd(bound_usd)
        answer, reservation = await self._call(
            "reserve", job, call, token, bound_tokens, lasts_ms, money, *self._day, _account_name(model)
        )
        if answer == b"lost":
            raise LeaseLost(f"{call} of {job}: another worker or node has the job or command now")
        if answer == b"no":
            owner, unit = as_text(reservation).split()
            wanted = f"{bound_tokens:,} tokens" if unit == "tokens" else f"${bound_usd:.4f}"
            named = "token" if unit == "tokens" else "money"
            whose = _OWNERS[owner]
            raise BudgetExhausted(
                f"the {named} ceiling of the {whose} does not allow another {wanted}", whose
            )
        name = as_text(reservation)
        if len(self._durations_s) >= _REMEMBERED:
            self._durations_s.clear()
        self._durations_s[name] = deadline_s
        return name

    async def spend(
        self,
        reservation: str,
        *,
        job: str,
        call: str,
        token: str,
        tokens: int,
        answer: str,
        usd: float = 0.0,
    ) -> None:
        """Book the tokens really used and, if the token is still current, store the answer under `call`."""
        self._durations_s.pop(reservation, None)
        await self._call("spend", job, call, token, reservation, tokens, answer, _micro_usd(usd))

    async def kept_answer(self, *, job: str, call: str) -> str | None:
        """The answer that an earlier take or lease stored for this call."""
        text = await _awaited(self._redis.hget(self.keys.answers(job), call))
        return None if text is None else as_text(text)

    async def booked(self, job: str) -> tuple[int, int]:
        """(spent, reserved) tokens of a job."""
        sums = await _awaited(self._redis.hmget(self.keys.budget(job), ["spent", "reserved"]))
        return int(sums[0] or 0), int(sums[1] or 0)

    async def account(self, account: str) -> tuple[int, float]:
        """Tokens and US dollars that a batch (`batch.<id>`) or a day (`day.<n>`) has spent or reserved."""
        (booked,) = await self._accounts([account])
        return booked

    async def models(self) -> list[str]:
        """The models that were called in the last 90 days, those of the last call first."""
        names = await _awaited(self._redis.zrevrange(self.keys.models, 0, MODELS_TOLD - 1))
        return [as_text(name) for name in names]

    async def days(self, days: Sequence[int], models: Sequence[str]) -> "list[SpanBooked]":
        """What was spent or reserved on each of these days, in all and by these models.

        Args:
            days: days since 1970.
            models: of `models`.
        """
        return [SpanBooked(*one) for one in await self._spans("day", days, models)]

    async def hours(self, hours: Sequence[int], models: Sequence[str]) -> "list[SpanBooked]":
        """The same of hours since 1970, of those in which anything was spent; the last 16 days have them."""
        whole = await self._spans("hour", hours, ())
        spent = [hour for hour, (tokens, usd), _ in whole if tokens or usd]
        return [SpanBooked(*one) for one in await self._spans("hour", spent, models)]

    async def _spans(
        self, kind: str, spans: Sequence[int], models: Sequence[str]
    ) -> list[tuple[int, tuple[int, float], dict[str, tuple[int, float]]]]:
        names = [
            f"{kind}.{span}{part}" for span in spans for part in ("", *(f"|{model}" for model in models))
        ]
        found = iter(await self._accounts(names))
        return [(span, next(found), {unquote(model): next(found) for model in models}) for span in spans]

    async def _accounts(self, names: Sequence[str]) -> list[tuple[int, float]]:
        """Tokens and US dollars of each account, read at once."""
        async with self._redis.pipeline(transaction=False) as pipe:
            for name in names:
                pipe.hmget(self.keys.ledger(name), ["spent", "reserved", "spent$", "reserved$"])
            answers = await pipe.execute()
        booked = [[int(value or 0) for value in sums] for sums in answers]
        return [
            (tokens + held, (money + held_money) / MICRO_USD) for tokens, held, money, held_money in booked
        ]

    async def shared_spent(self, limits: "Limits", batch: str) -> Spent:
        """The ceiling of the day, or of the batch with this id, that is nearer to its end."""
        now_ms = self._clock() if self._clock else await self._now_ms()
        tokens, micro_usd = self._day
        day = (tokens if tokens >= 0 else None, micro_usd / MICRO_USD if micro_usd >= 0 else None)
        shares = [Spent(share=await self._share(f"day.{now_ms // _DAY_MS}", *day), of="day")]
        if batch:
            used = await self._share(f"batch.{batch}", limits.batch_max_tokens, limits.batch_max_usd)
            shares.append(Spent(share=used, of="batch"))
        return max(shares, key=lambda spent: spent.share)

    async def _share(self, account: str, most_tokens: int | None, most_usd: float | None) -> float:
        if not (most_tokens or most_usd):
            return 0.0
        tokens, usd = await self.account(account)
        shares = [tokens / most_tokens] if most_tokens else []
        shares += [usd / most_usd] if most_usd else []
        return min(1.0, max(shares))

    async def _now_ms(self) -> int:
        seconds, micros = await self._redis.time()
        return int(seconds) * 1000 + int(micros) // 1000

    async def waiting_calls(self, origin: str) -> Counter[str]:
        """Job → how many of its calls wait for a slot of the endpoint now; calls of batches are not counted."""
        names = await current_members(self._redis, self.keys.asking(f"model:{origin}"))
        return Counter(name.partition(":")[0] for name in names)

    @contextlib.asynccontextmanager
    async def model_permit(
        self, origin: str, reservation: str, *, batch: bool = False
    ) -> AsyncIterator[None]:
        """Hold one of the endpoint's permits for the time of the block; wait while it is full or blocked."""
        lasts_s = self._durations_s.get(reservation, LONGEST_CALL_S) + PERMIT_SPARE_S
        try:
            while wait_ms := await self._permit(origin, reservation, "take", batch, lasts_s):
                await self._wait_for_return(origin, wait_ms / 1000)
            yield
        finally:
            # Also after a cancelled `take`, whose reply may have been a permit.
            await asyncio.shield(self._permit(origin, reservation, "return", batch, 0))
            self._signal_return(origin)

    async def block_model(self, origin: str, retry_after_ms: int) -> None:
        """Block the endpoint for all workers and nodes, after a 429 or Retry-After."""
        await self._permit(origin, "", "block", False, retry_after_ms / 1000)

    async def _permit(self, origin: str, name: str, action: str, batch: bool, lasts_s: float) -> int:
        return int(await self._call("model_permit", origin, name, action, int(batch), int(lasts_s * 1000)))

    async def _wait_for_return(self, origin: str, most_s: float) -> None:
        """Wait until this process returns a permit, or 0.25 s: permits of other processes are seen by asking
        again."""
        returned = self._returned.setdefault(origin, asyncio.Event())
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(min(most_s, LONGEST_SLEEP_S)):
                await returned.wait()

    def _signal_return(self, origin: str) -> None:
        returned = self._returned.pop(origin, None)
        if returned:
            returned.set()

    def _call(self, name: str, *arguments: str | bytes | int | float) -> Any:
        return self._pipe.call(name, *arguments, self._clock() if self._clock else 0)


@dataclass(frozen=True)
class SpanBooked:
    """Tokens and US dollars of a day (UTC) or an hour, in all and by model."""

    at: int
    """Days or hours since 1970."""
    whole: tuple[int, float]
    models: Mapping[str, tuple[int, float]]


def _account_name(model: str) -> str:
    """A model as part of an account's name, which has no white space."""
    return quote(model[:MOST_MODEL_NAME], safe="/:@")


def _micro_usd(usd: float) -> int:
    """Money in millionths of a US dollar, rounded up, so that no ceiling is passed by a fraction."""
    return math.ceil(round(usd * MICRO_USD, 3))


async def _awaited(reply: Any) -> Any:
    """Await a reply: redis-py's types say that hash commands may return it directly."""
    return await reply
