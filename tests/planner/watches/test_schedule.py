from datetime import UTC, datetime
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.watches.schedule import (
    MOST_JITTER_MS,
    due_ms,
    newest_due,
    next_due_ms,
    next_slot,
    previous_slot,
    read_schedule,
    run_id,
    schedule_text,
)
from research_crawler.core.errors import UsageError
from tests.cases import each_case

HOUR, DAY = 3_600_000, 86_400_000
CRONS = [
    "0 9 * * *",
    "*/10 * * * *",
    "30 2 * * *",
    "15,45 2 * * 0",
    "0 0 1 * *",
    "0 */6 * * *",
    "5 3,4 29 2 *",
]
ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe"]


def ms(text: str, zone: str = "UTC") -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp() * 1000)


def local(slot: int, zone: str) -> str:
    return datetime.fromtimestamp(slot / 1000, UTC).astimezone(ZoneInfo(zone)).isoformat()


def slots(schedule, count: int, after: int) -> list[int]:
    found: list[int] = []
    while len(found) < count and (after := next_slot(schedule, after)) is not None:
        found.append(after)
    return found


def slots_until(schedule, after: int, end: int) -> list[int]:
    found: list[int] = []
    while (slot := next_slot(schedule, found[-1] if found else after)) is not None and slot <= end:
        found.append(slot)
    return found


some_schedules = st.one_of(
    st.builds(
        lambda number, unit, start: read_schedule(every=f"{number}{unit}", now_ms=start),
        st.integers(5, 60),
        st.sampled_from("mhd"),
        st.integers(1_600_000_000_000, 1_900_000_000_000),
    ),
    st.builds(
        lambda cron, zone, start: read_schedule(cron=cron, zone=zone, now_ms=start),
        st.sampled_from(CRONS),
        st.sampled_from(ZONES),
        st.integers(1_600_000_000_000, 1_900_000_000_000),
    ),
)


@given(some_schedules)
def test_slots_are_the_same_forwards_and_backwards(schedule):
    forwards = slots(schedule, 12, schedule.anchor_ms)
    assert all(later > earlier for earlier, later in pairwise(forwards))
    backwards, before = [], forwards[-1] + 1
    while (before := previous_slot(schedule, before)) is not None and before > schedule.anchor_ms:
        backwards.append(before)
    assert backwards[::-1] == forwards


@given(some_schedules, st.sampled_from(["", "0", "5m", "3h"]))
def test_jitter_is_bounded_and_never_changes_the_order_of_slots(schedule, jitter):
    if jitter:
        given_ms = {"0": 0, "5m": 300_000, "3h": 3 * HOUR}[jitter]
        schedule = schedule.model_copy(update={"jitter_ms": given_ms})
    found = slots(schedule, 12, schedule.anchor_ms)
    dues = [due_ms(schedule, "watch", slot) for slot in found]
    assert dues == [due_ms(schedule, "watch", slot) for slot in found]
    assert all(later > earlier for earlier, later in pairwise(dues))
    most = MOST_JITTER_MS if not jitter else schedule.jitter_ms
    assert all(abs(due - slot) <= most for due, slot in zip(dues, found, strict=True))


@given(some_schedules, st.lists(st.integers(1, 5 * HOUR), min_size=1, max_size=8))
def test_no_due_slot_is_left_over_and_none_runs_twice(schedule, pauses):
    now = last = schedule.anchor_ms
    run: list[int] = []
    for pause in pauses:
        now += pause
        expected = [
            slot
            for slot in slots_until(schedule, last, now + MOST_JITTER_MS)
            if due_ms(schedule, "w", slot) <= now
        ]
        slot = newest_due(schedule, "w", now, after_ms=last)
        assert slot == (expected[-1] if expected else None)
        if slot is not None:
            run.append(slot)
            last = slot
        due = next_due_ms(schedule, "w", last)
        assert due is None or due > now
    assert run == sorted(set(run))


def test_the_first_slot_of_an_interval_is_due_at_once():
    schedule = read_schedule(every="6h", now_ms=1_000)
    assert newest_due(schedule, "w", 1_000, after_ms=-1) == 1_000
    assert next_slot(schedule, 1_000) == 1_000 + 6 * HOUR


def test_slots_missed_in_a_pause_run_once_as_the_newest():
    schedule = read_schedule(every="1h", now_ms=0)
    slot = newest_due(schedule, "w", 100 * HOUR + HOUR // 2, after_ms=3 * HOUR)
    assert slot == 100 * HOUR
    assert newest_due(schedule, "w", 100 * HOUR + HOUR // 2, after_ms=slot) is None


def test_a_time_that_a_clock_change_leaves_out_runs_once_after_it():
    zone = "Europe/Berlin"
    schedule = read_schedule(cron="30 2 * * *", zone=zone, now_ms=ms("2026-03-28T12:00", zone))
    assert [local(slot, zone) for slot in slots(schedule, 2, schedule.anchor_ms)] == [
        "2026-03-29T03:00:00+02:00",
        "2026-03-30T02:30:00+02:00",
    ]


def test_a_time_that_a_clock_change_repeats_runs_once():
    zone = "Europe/Berlin"
    schedule = read_schedule(cron="30 2 * * *", zone=zone, now_ms=ms("2026-10-24T12:00", zone))
    assert [local(slot, zone) for slot in slots(schedule, 2, schedule.anchor_ms)] == [
        "2026-10-25T02:30:00+02:00",
        "2026-10-26T02:30:00+01:00",
    ]


def test_a_step_of_minutes_goes_on_through_both_hours_of_a_repeated_one():
    zone = "America/New_York"
    schedule = read_schedule(cron="*/30 * * * *", zone=zone, now_ms=ms("2026-11-01T00:45", zone))
    found = slots(schedule, 5, schedule.anchor_ms)
    assert {later - earlier for earlier, later in pairwise(found)} == {HOUR // 2}


def test_nine_in_the_morning_is_nine_in_summer_and_in_winter():
    schedule = read_schedule(cron="0 9 * * *", zone="Europe/Berlin", now_ms=ms("2026-10-24T12:00"))
    assert [local(slot, "UTC")[11:16] for slot in slots(schedule, 2, schedule.anchor_ms)] == [
        "08:00",
        "08:00",
    ]
    schedule = read_schedule(cron="0 9 * * *", zone="Europe/Berlin", now_ms=ms("2026-10-23T12:00"))
    assert local(slots(schedule, 1, schedule.anchor_ms)[0], "UTC")[11:16] == "07:00"


def test_the_id_of_a_run_is_that_of_its_slot():
    assert run_id("abc", 1) == run_id("abc", 1)
    assert len({run_id("abc", slot) for slot in range(1_000)}) == 1_000
    assert len(run_id("abc", 1)) == 12
    assert run_id("abc", 1).isalnum()


@each_case(
    ("given_options", "words"),
    [
        ({"cron": "30 2 31 2 *"}, "never fires"),
        ({"cron": "0 0 30 2 *"}, "never fires"),
        ({"cron": "0," * 500 + "0 * * * *"}, "more than 200 characters"),
        ({"cron": "0 9 * * *", "zone": "localtime"}, "not a time zone"),
        ({"cron": "0 9 * * *", "zone": "../../etc/localtime"}, "not a time zone"),
        ({"cron": "0 9 * *"}, "five fields"),
        ({"cron": "0 0 9 * * *"}, "five fields"),
        ({"cron": "61 * * * *"}, "bad minute"),
        ({"cron": "* * * * *"}, "more often"),
        ({"every": "6 hours"}, "not an interval"),
        ({"every": "1m"}, "out of range"),
        ({"every": "999999w"}, "out of range"),
        ({"every": "6h", "cron": "0 9 * * *"}, "either an interval"),
        ({}, "either an interval"),
        ({"every": "6h", "zone": "Europe/Atlantis"}, "time zone"),
        ({"every": "6h", "zone": "../../etc/passwd"}, "time zone"),
        ({"every": "6h", "jitter": "often"}, "not an interval"),
    ],
)
def test_a_wrong_schedule_is_refused_in_one_clear_line(given_options, words):
    with pytest.raises(UsageError, match=words) as refused:
        read_schedule(now_ms=1_766_000_000_000, **given_options)
    assert "\n" not in str(refused.value)


def test_a_schedule_is_shown_as_it_is_written():
    assert schedule_text(read_schedule(every="6h", now_ms=0)) == "every 6h"
    assert schedule_text(read_schedule(every="90m", now_ms=0)) == "every 90m"
    cron = read_schedule(cron=" 0  9 * * 1-5", zone="Europe/Berlin", now_ms=0)
    assert schedule_text(cron) == "0 9 * * 1-5 Europe/Berlin"
