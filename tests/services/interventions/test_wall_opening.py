"""A window for a person: what is said where none can be opened, and that nothing is lost by it."""

import pytest

from research_crawler.core.errors import InterventionOver, NoBrowser, UnknownIntervention
from research_crawler.services.interventions.intervention_answers import (
    end_intervention,
    view_of_intervention,
)
from research_crawler.services.interventions.wall_opening import open_window
from tests.interfaces.http.conftest import served
from tests.interfaces.http.test_interventions import put_wall

__all__ = ["served"]


async def test_without_a_screen_the_command_says_what_else_there_is_and_the_page_still_waits(
    served, monkeypatch
):
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    one = await put_wall(served)
    with pytest.raises(
        NoBrowser, match=f"no display.*desk.*--remote-debugging.*interventions done {one} --state"
    ):
        await open_window(served.runtime, one)
    assert (await view_of_intervention(served.runtime, one)).pages_waiting == 1
    await end_intervention(served.runtime, one, cancel=True)
    with pytest.raises(InterventionOver):
        await open_window(served.runtime, one)
    with pytest.raises(UnknownIntervention):
        await open_window(served.runtime, "ffff")


async def test_a_person_who_has_begun_gets_the_whole_time_again(served):
    one = await put_wall(served)
    people = served.runtime.container.people
    known = await people.get(one)
    assert await people.extend(known, known.until_ms + 60_000)
    assert (await people.get(one)).until_ms == known.until_ms + 60_000
    await people.end(known, "cancelled")
    assert not await people.extend(known, known.until_ms + 90_000)
    assert (await people.get(one)).state == "cancelled"
