"""How long a running batch still takes is told by the pace of its rows, and by no pause."""

import pytest

from research_crawler.core.models.jobs.batches import Batch, BatchEntry
from research_crawler.core.models.jobs.job import JobInputs
from research_crawler.services.batches.time_left import BATCH_PAUSE_MS, PACE_ROWS, left_at_pace

MINUTE = 60_000


def batch(waiting: int, running: int, ended: int) -> BatchEntry:
    rows = waiting + running + ended
    made = Batch(id="b", template="{x}", inputs=JobInputs(goal="{x}", depth="quick"), rows=rows)
    return BatchEntry(batch=made, counts={"waiting": waiting, "running": running, "done": ended})


def test_before_a_row_has_ended_a_typical_job_is_the_least():
    assert left_at_pace(batch(24, 16, 0), [], places=16, now_ms=1_000) > 30
    late = left_at_pace(batch(24, 16, 0), [], places=16, now_ms=4 * MINUTE)
    assert late >= 4 * 60  # rows that took four minutes already do not all end in one


def test_rows_that_end_set_the_pace_and_those_that_run_count_as_half_done():
    left = left_at_pace(
        batch(20, 0, 20), [n * MINUTE for n in range(20, 0, -1)], places=4, now_ms=20 * MINUTE
    )
    assert left == pytest.approx(20 * 60)
    first = left_at_pace(batch(24, 15, 1), [MINUTE], places=16, now_ms=MINUTE)
    assert 120 <= first <= 300  # two and a half more minutes, and not 39


def test_the_last_rows_count_and_not_the_first():
    slow = [(100 + 10 * n) * MINUTE for n in range(PACE_ROWS, 0, -1)]
    left = left_at_pace(batch(6, 0, 300), slow, places=4, now_ms=slow[0])
    assert left == pytest.approx(3_600, rel=0.1)


def test_a_pause_is_no_pace():
    resumed_ms = 10 * BATCH_PAUSE_MS
    ends = [resumed_ms + MINUTE, resumed_ms, 2 * MINUTE, MINUTE]
    left = left_at_pace(batch(10, 0, 4), ends, places=4, now_ms=resumed_ms + MINUTE)
    assert left == pytest.approx(600)
    assert left_at_pace(batch(10, 0, 2), ends[2:], places=4, now_ms=resumed_ms) is None
