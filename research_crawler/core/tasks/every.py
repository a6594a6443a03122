"""The loop of all work that is done again and again beside jobs: it outlives each fault, and tells of it once."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Final, NoReturn

from research_crawler.core.log import get_log

SLOWEST: Final = 5
"""While a loop fails, its pauses grow to at most so many times the usual one."""
failures: Final[Counter[str]] = Counter()
"""How often each loop of this process has failed, by what it does."""

log = get_log(__name__)


async def every(
    seconds: float,
    tick: Callable[[], Awaitable[object]],
    doing: str,
    *,
    longest_s: float | None = None,
    pause: Callable[[float], Awaitable[object]] = asyncio.sleep,
) -> NoReturn:
    """Call `tick` now and after each pause, until cancelled.

    Args:
        seconds: the pause. It doubles with each failure, and is as before after the first success.
        tick: what is done. An error of it is counted, and logged once until another kind of error or a success comes.
        doing: what it does, as a noun phrase: "the deletion of old pages".
        longest_s: the longest pause; None: `SLOWEST` times the usual one.
        pause: waits so many seconds, or less if there is something to do earlier.
    """
    most_s = SLOWEST * seconds if longest_s is None else longest_s
    pause_s, fault = seconds, ""
    while True:
        try:
            await tick()
        except Exception as error:
            failures[doing] += 1
            if fault != type(error).__name__:
                log.exception(f"{doing} failed; trying again")
            pause_s, fault = min(2 * pause_s, max(most_s, seconds)), type(error).__name__
        else:
            if fault:
                log.info(f"{doing} works again", after=fault)
            pause_s, fault = seconds, ""
        await pause(pause_s)
