"""Says how long a running batch still takes, by the pace at which its rows end."""

import time
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from research_crawler.adapters.sql.stores.batch_store import SqlBatches
from research_crawler.core.models.jobs.batches import BatchEntry
from research_crawler.runtime.runtime import Runtime
from research_crawler.services.submission.usual_jobs import usual_job

PACE_ROWS: Final = 20
"""The rows that ended last, whose pace counts: the rows of an input are often sorted, and later ones unlike
the first."""
BATCH_PAUSE_MS: Final = 30 * 60_000
"""A longer time without an end of a row is a pause, and no pace."""


async def batch_seconds_left(runtime: Runtime, entry: BatchEntry) -> float | None:
    """How long a batch is likely to run on; None: it does not run, or nobody can tell yet."""
    if entry.state != "running":
        return None
    ends_ms = await SqlBatches(runtime.container.archive).last_ends_ms(entry.batch.id, PACE_ROWS)
    places = max(1, min(runtime.config.batch_places, entry.batch.rows))
    return left_at_pace(entry, ends_ms, places=places, now_ms=int(time.time() * 1000))


def left_at_pace(entry: BatchEntry, ends_ms: Sequence[int], *, places: int, now_ms: int) -> float | None:
    """The same, from what is known. Pure.

    The pace is the work done since the last pause, by the time since then. An ended row is a whole piece of work, and
    a row that runs counts as half done: until the first rows end, nothing else tells of the pace. Before that the
    time is at least that of typical jobs.

    Args:
        entry: a batch that runs.
        ends_ms: when its last rows ended, the newest first, at most `PACE_ROWS`.
        places: how many rows run at once.
        now_ms: the time.
    """
    has_all_ends = len(ends_ms) < PACE_ROWS
    known_ms = [now_ms, *ends_ms, *([entry.batch.created_ms] if has_all_ends else [])]
    stretch_ms = _since_pause(known_ms)
    ended = max(
        0, len(stretch_ms) - 2
    )  # its first moment is now, and what ended at its last one was done before
    is_from_start = has_all_ends and len(stretch_ms) == len(known_ms)
    half_done = entry.counts.get("running", 0) / 2
    done = ended + (half_done if is_from_start else 0)
    if not done:
        return None
    passed_s = (now_ms - stretch_ms[-1]) / 1000
    left_s = (entry.counts.get("waiting", 0) + half_done) * passed_s / done
    if ended:
        return left_s
    typical_s = usual_job([], entry.batch.inputs.depth, entry.batch.brain).seconds
    return max(left_s, entry.batch.rows * typical_s / places - passed_s)


def _since_pause(moments_ms: Sequence[int]) -> Sequence[int]:
    """Of moments, the newest first, those that no pause parts from the newest."""
    gaps = [later - earlier for later, earlier in pairwise(moments_ms)]
    pause = next((n for n, gap in enumerate(gaps) if gap > BATCH_PAUSE_MS), len(gaps))
    return moments_ms[: pause + 1]
