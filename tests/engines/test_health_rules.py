import pytest
from hypothesis import given
from hypothesis import strategies as st

from research_crawler.core.models.messages.health import Health
from research_crawler.engines.health_rules import (
    Allowance,
    admit,
    circuit_state,
    failed,
    not_sent,
    patience_ms,
    resting,
    succeeded,
    used_up,
)
from tests.cases import each_case

NOW = 1_795_132_800_000  # 20 November 2026, 00:00 UTC
NO_LIMIT = Allowance()


def after(health, *troubles, now=NOW):
    for trouble in troubles:
        health = failed(health, now, trouble=trouble, why=f"it was {trouble}")
    return health


@each_case(
    ("trouble", "times", "rest_s"),
    [("server", 3, 30), ("slow", 3, 30), ("other", 3, 30), ("rate", 2, 60), ("challenge", 2, 120), ("key", 1, 300),
     ("quota", 1, 3600)],
)  # fmt: skip
def test_failures_in_a_row_open_the_circuit(trouble, times, rest_s):
    before = after(Health(), *[trouble] * (times - 1))
    assert circuit_state(before, NOW) == "closed" and not resting(before, NOW)
    health = after(before, trouble)
    assert circuit_state(health, NOW) == "open"
    assert resting(health, NOW) == f"resting for {rest_s} s after: it was {trouble}"
    assert circuit_state(health, NOW + rest_s * 1000) == "half_open"


def test_an_answer_in_between_starts_the_count_anew():
    health = succeeded(after(Health(), "server", "server"), NOW, latency_ms=5)
    assert circuit_state(after(health, "server", "server"), NOW) == "closed"


def test_robots_refusals_and_late_permits_do_not_count_as_failures():
    assert after(Health(), *["refused", "busy"] * 9) == Health()


def test_each_trip_rests_twice_as_long_up_to_a_ceiling():
    health, now, rests = Health(), NOW, []
    health = after(health, "server", "server")
    for _ in range(14):
        health = failed(health, now, trouble="server", why="x")
        rests.append((health.open_until_ms - now) // 1000)
        now = health.open_until_ms
    assert rests[:4] == [30, 60, 120, 240] and rests[-1] == 6 * 3600


def test_when_the_rest_is_over_one_trial_call_decides_for_all():
    health = after(Health(), "key")
    later = NOW + 300_000
    first, why = admit(health, later, allowance=NO_LIMIT)
    assert why == ""
    _, second = admit(first, later + 1, allowance=NO_LIMIT)
    assert second == "being tried again after: it was key"
    assert admit(first, later + 30_000, allowance=NO_LIMIT)[1] == ""  # the first caller died
    assert circuit_state(succeeded(first, later, latency_ms=9), later) == "closed"
    again = after(first, "server", now=later)
    assert circuit_state(again, later) == "open" and again.trips == 2


def test_a_forced_call_passes_an_open_circuit_but_not_a_ceiling():
    health = after(Health(), "key")
    assert admit(health, NOW, allowance=NO_LIMIT)[1].startswith("resting")
    assert admit(health, NOW, allowance=NO_LIMIT, forced=True)[1] == ""
    spent = admit(Health(), NOW, allowance=Allowance(per_month=1))[0]
    assert "month" in admit(spent, NOW, allowance=Allowance(per_month=1), forced=True)[1]


def test_a_forced_call_that_fails_does_not_prolong_the_rest():
    health = after(Health(), "key")
    assert failed(health, NOW + 1000, trouble="server", why="x").open_until_ms == health.open_until_ms


def test_quotas_count_by_day_and_month_and_start_anew():
    allowance = Allowance(usd_per_call=0.005, per_day=2, per_month=3)
    health = Health()
    for _ in range(2):
        health, why = admit(health, NOW, allowance=allowance)
        assert why == ""
    assert used_up(health, allowance, NOW) == "its 2 calls for today are used up"
    tomorrow = NOW + 86_400_000
    health, why = admit(health, tomorrow, allowance=allowance)
    assert (why, health.day_calls, health.month_calls) == ("", 1, 3)
    assert used_up(health, allowance, tomorrow) == "its 3 calls for this month are used up"
    assert health.month_usd == pytest.approx(0.015)
    health, why = admit(health, NOW + 20 * 86_400_000, allowance=allowance)
    assert (why, health.month_calls, health.month_usd) == ("", 1, pytest.approx(0.005))


def test_the_booking_of_a_call_that_was_not_sent_is_undone():
    allowance = Allowance(usd_per_call=0.01)
    booked, _ = admit(Health(), NOW, allowance=allowance)
    back = not_sent(booked, NOW, usd=0.01)
    assert (back.day_calls, back.month_calls, back.month_usd) == (0, 0, 0.0)


def test_patience_is_the_95th_percentile_within_bounds():
    assert patience_ms(Health(latencies_ms=(9000,) * 4)) == 2000
    assert patience_ms(Health(latencies_ms=(100,) * 19 + (5000,))) == 500
    assert patience_ms(Health(latencies_ms=(1000,) * 18 + (3000, 5000))) == 3000
    assert patience_ms(Health(latencies_ms=(60_000,) * 20)) == 8000


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["admit", "forced", "ok", "server", "key", "rate", "quota", "busy", "not_sent"]),
            st.integers(0, 4_000_000),
        ),
        max_size=40,
    )
)
def test_a_record_survives_any_course_of_events(course):
    health, now, allowance = Health(), NOW, Allowance(usd_per_call=0.005, per_day=5, per_month=9)
    for what, passed in course:
        now += passed
        if what in ("admit", "forced"):
            health, why = admit(health, now, allowance=allowance, forced=what == "forced")
            assert why or not used_up(Health(day=health.day, month=health.month), allowance, now)
        elif what == "ok":
            health = succeeded(health, now, latency_ms=passed)
            assert circuit_state(health, now) == "closed"
        elif what == "not_sent":
            health = not_sent(health, now, usd=0.005)
        else:
            health = failed(health, now, trouble=what, why=what)
        assert Health.from_wire(health.to_wire()) == health
        assert 0 <= health.day_calls <= 5 and 0 <= health.month_calls <= 9 and health.month_usd > -1e-9
        assert len(health.latencies_ms) <= 20 and health.open_until_ms <= now + 6 * 3_600_000
