import asyncio
import logging

import pytest

from research_crawler.core.tasks.every import SLOWEST, every, failures


class Script:
    """A tick that raises what its script says, and then ends the test."""

    def __init__(self, *steps: type[Exception] | None) -> None:
        self.steps, self.pauses = list(steps), list[float]()

    async def pause(self, seconds: float) -> None:
        self.pauses.append(seconds)

    async def tick(self) -> None:
        if not self.steps:
            raise asyncio.CancelledError
        if (step := self.steps.pop(0)) is not None:
            raise step("no answer")


async def run(script: Script, doing: str, **more: float) -> None:
    with pytest.raises(asyncio.CancelledError):
        await every(1.0, script.tick, doing, pause=script.pause, **more)


async def test_a_fault_is_told_once_and_counted_each_time(caplog):
    caplog.set_level(logging.INFO)
    await run(Script(OSError, OSError, OSError, None, OSError), "the test of faults")
    lines = [record.getMessage() for record in caplog.records]
    told = "the test of faults failed; trying again"
    assert lines == [told, "the test of faults works again (after=OSError)", told]
    assert failures["the test of faults"] == 4


async def test_another_kind_of_fault_is_told_too(caplog):
    await run(Script(OSError, ValueError, ValueError), "the test of kinds")
    assert [record.exc_info[0] for record in caplog.records] == [OSError, ValueError]


async def test_pauses_grow_while_it_fails_and_are_as_before_after_a_success() -> None:
    script = Script(None, OSError, OSError, OSError, OSError, None)
    await run(script, "the test of pauses")
    assert script.pauses == [1, 2, 4, SLOWEST, SLOWEST, 1]


async def test_a_loop_that_must_not_slow_down_keeps_its_pause() -> None:
    script = Script(OSError, OSError)
    await run(script, "the test of haste", longest_s=1.0)
    assert script.pauses == [1, 1]
