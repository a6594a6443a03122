import asyncio

from research_crawler.core.tasks.work_time import MOST_STEP_S, ActiveClock, Stopwatch, in_queue, measured_by


class Turned:
    """A monotonic clock that the test turns."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


def test_the_clock_of_a_process_stands_still_while_the_process_does():
    turned = Turned()
    clock = ActiveClock(turned)
    for step_s in (1.0, 2.0, 600.0, 2.0):  # the third: it was stopped
        turned.now_s += step_s
        clock.read()
    assert clock.read() == 5.0
    assert MOST_STEP_S < 10.0, "a node counts as dead after 10 s"


def test_a_stopwatch_counts_work_without_waits():
    clock = Turned()
    watch = Stopwatch(clock)
    clock.now_s += 3
    with watch.waiting():
        clock.now_s += 40
        assert (watch.worked_s, watch.waited_s) == (3, 40)
    clock.now_s += 1
    assert (watch.worked_s, watch.waited_s) == (4, 40)


def test_waits_at_the_same_time_count_once():
    clock = Turned()
    watch = Stopwatch(clock)
    with watch.waiting():
        clock.now_s += 5
        with watch.waiting():
            clock.now_s += 5
        clock.now_s += 5
    assert (watch.worked_s, watch.waited_s) == (0, 15)


async def test_a_task_that_is_queued_at_a_shared_worker_is_not_measured():
    turned = Turned()
    clock = ActiveClock(turned)
    watch = Stopwatch(clock.read)

    async def works_and_waits() -> None:
        turned.now_s += 1.0
        with in_queue():
            turned.now_s += 3.0
        turned.now_s += 2.0

    with measured_by(watch):
        task = asyncio.ensure_future(works_and_waits())
    with in_queue():  # nothing is measured here
        turned.now_s += 0.5
    await task
    assert watch.waited_s == 3.0
    assert watch.worked_s == 3.5
