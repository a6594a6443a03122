"""Rewrites Redis' append-only file, so that the disk no longer holds what was deleted from Redis."""

import asyncio

from redis.exceptions import RedisError, ResponseError

from research_crawler.adapters.redis.connection import RedisClient

LONGEST_S = 120.0
"""How long Redis may take to rewrite its file."""
_POLL_S = 0.05
"""How often it is asked whether it is done."""
_PREAMBLE = "aof-use-rdb-preamble"


async def rewrite_append_only_file(redis: RedisClient) -> str:
    """Rewrite the file and wait until the old one is deleted; returns why that was not possible, "" if it was.

    A file with a binary preamble holds streams as they are in memory, with the bytes of deleted entries, so this
    rewrite goes without one.
    """
    try:
        if not (await redis.info("persistence")).get("aof_enabled"):
            return (
                "Redis has no append-only file; what is deleted stays in its last snapshot until the next one"
            )
        preamble = (await redis.config_get(_PREAMBLE)).get(_PREAMBLE) or "no"
        await redis.config_set(_PREAMBLE, "no")
        try:
            return await _rewrite(redis)
        finally:
            await redis.config_set(_PREAMBLE, preamble)
    except RedisError as error:  # managed servers forbid CONFIG and BGREWRITEAOF
        return f"Redis does not let its append-only file be rewritten ({error}); rewrite it with BGREWRITEAOF"


async def _rewrite(redis: RedisClient) -> str:
    loop = asyncio.get_running_loop()
    give_up_at = loop.time() + LONGEST_S
    if not await _is_idle(redis, give_up_at):  # one that runs already began before the deletion
        return f"Redis was still rewriting its append-only file after {LONGEST_S:.0f} s; repeat the command later"
    try:
        await redis.bgrewriteaof()
    except ResponseError as error:
        return f"Redis did not rewrite its append-only file ({error}); repeat the command later"
    if not await _is_idle(redis, give_up_at):
        return (
            f"Redis was still rewriting its append-only file after {LONGEST_S:.0f} s; the old one goes then"
        )
    if (await redis.info("persistence")).get("aof_last_bgrewrite_status") != "ok":
        return "Redis could not rewrite its append-only file; its log says why; repeat the command then"
    return ""


async def _is_idle(redis: RedisClient, give_up_at: float) -> bool:
    """Wait until no rewrite runs or is scheduled; False if it takes too long."""
    while True:
        state = await redis.info("persistence")
        if not state.get("aof_rewrite_in_progress") and not state.get("aof_rewrite_scheduled"):
            return True
        if asyncio.get_running_loop().time() > give_up_at:
            return False
        await asyncio.sleep(_POLL_S)
