"""The pages of the memory, the machines and their settings, the walls, and the chart of what was spent."""

from itertools import pairwise

from planner.job.factory import make_job
from research_crawler.core.models.jobs.job import JobInputs
from research_crawler.core.models.jobs.job_limits import Limits
from research_crawler.core.models.jobs.records import VisitRecord
from research_crawler.frontier.command_locations import CommandLocation
from research_crawler.interfaces.dashboard.charts import LABEL_ROOM, bars_of
from research_crawler.services.jobs.machines import failures_of, waiting_hosts
from tests.interfaces.dashboard.test_pages import check_tags
from tests.interfaces.http.conftest import TOKEN
from tests.interfaces.http.test_interventions import put_wall


def location(host: str, *, leased: bool = False, for_ms: int = 1_000) -> CommandLocation:
    return CommandLocation(command="j:1", kind="visit", leased=leased, queue="page", slot=host, for_ms=for_ms,
                           free_in_ms=0, before=0)  # fmt: skip


def test_hosts_that_wait_are_counted_and_those_that_are_read_are_not():
    locations = [location("a.example"), location("b.example"), location("b.example", for_ms=9_000), location("_"),
              location("c.example", leased=True)]  # fmt: skip
    assert [(host.host, host.commands, host.longest_s) for host in waiting_hosts(locations)] == [
        ("b.example", 2, 9.0), ("a.example", 1, 1.0),
    ]  # fmt: skip


def test_failures_are_counted_by_reason_the_most_frequent_first():
    job = make_job(JobInputs(goal="how deep is it"), Limits())
    outcomes = ["ok", "refused", "refused", "failed", ""]
    visits = [
        VisitRecord(n=n, command=f"j:{n}", url="https://a.example/", round=1, outcome=what)
        for n, what in enumerate(outcomes)
    ]
    assert failures_of([job.changed(visits=visits)]) == [("refused", 2), ("failed", 1)]


def test_a_bar_is_as_high_as_its_values_which_stand_upon_each_other_and_no_money_has_no_chart():
    bars = bars_of([("2026-01-01", {"a": 1.0}), ("2026-01-02", {"a": 1.0, "b": 3.0}), ("2026-01-03", {})])
    assert bars.names == ["b", "a"]
    (first,), (most, upper), none = (bar.parts for bar in bars.bars)
    assert abs(most.height / first.height - 3) < 0.05 and upper.height == first.height and none == []
    assert most.y + most.height == bars.floor and upper.y + upper.height == most.y
    assert bars_of([("2026-01-01", {"a": 0.0})]) is None


def test_days_without_spending_have_their_room_and_the_newest_day_is_named_at_every_width():
    days = [("2026-01-30", {"a": 2.0}), ("2026-02-02", {"a": 1.0}), ("2026-03-20", {"a": 1.0})]
    for is_narrow in (False, True):
        bars = bars_of(days, is_narrow=is_narrow)
        assert [bar.day for bar in bars.bars][:4] == ["2026-01-30", "2026-01-31", "2026-02-01", "2026-02-02"]
        assert len(bars.bars) == 50 and bars.bars[-1].is_named and not bars.are_told
        named = [bar.middle for bar in bars.bars if bar.is_named]
        assert all(later - earlier > 2 * LABEL_ROOM for earlier, later in pairwise(named))
    single = bars_of(days[:1])
    assert single.are_told and [bar.value for bar in single.bars] == [2.0] and single.bars[0].is_named


async def test_the_system_page_says_who_works_and_shows_settings_without_secrets(visitor):
    job = (await visitor.served.post("/jobs", {"goal": "How do <b>heat pumps</b> work?"}))["task_id"]
    await visitor.served.step(job, "the first look")
    page = await visitor.page("/system")
    check_tags(page)
    assert "Nothing is worked on as long as" in page
    assert "How do &lt;b&gt;heat pumps&lt;/b&gt; work?" in page
    assert "RESEARCH_SERVE_TOKEN" in page and TOKEN not in page


async def test_the_memory_is_narrowed_by_host_kind_and_day_and_says_what_is_wrong(visitor):
    page = await visitor.page("/memory?q=heat+pumps&kind=key_fact&since=2026-01-01&host=docs.example.org")
    check_tags(page)
    assert "Nothing was found" in page
    assert "is not a host name" in await visitor.page("/memory?q=heat&host=%3Cb%3E")
    assert "Nothing was found" in await visitor.page("/memory?q=heat&kind=nonsense")


async def test_a_wall_is_a_card_with_one_button(visitor):
    wall = await put_wall(visitor.served)
    page = await visitor.page("/interventions")
    check_tags(page)
    assert f'src="/ui/interventions/{wall}/picture"' in page or "<img" in page
    await visitor.send(f"/interventions/{wall if isinstance(wall, str) else wall.id}/done")
    assert "waits for you" not in await visitor.page("/interventions")
