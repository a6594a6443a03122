import itertools

from hypothesis import given
from hypothesis import strategies as st

from planner.job.clock import timers_of
from planner.rounds.decision_commands import plan_round
from planner.rounds.job_transitions import apply_events
from research_crawler.core.brain_errors import BrainUnavailable
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.jobs.job_limits import Limits
from research_crawler.core.models.messages.events import DeadlineDue, JobResumed, RoundDue, Usage
from research_crawler.core.models.messages.in_flight import InFlight, InFlightSnapshot
from research_crawler.text.measures.normal_quote import normal_quote
from tests.cases import each_case
from tests.planner.scripted import (
    NOW,
    Drive,
    ScriptedBrain,
    a_job,
    done,
    ended,
    found,
    read,
    search,
    start,
    visit,
    waiting,
)

A, B, C = "https://a.example/1", "https://b.example/2", "https://c.example/3"


def searching_job():
    """A job whose first search is running, and its command."""
    drive = Drive(a_job(), ScriptedBrain(search("heat pumps")))
    drive.step(start(drive.job))
    return drive, drive.commands[0]


def test_the_start_event_begins_the_clock_and_asks_for_a_decision():
    applied = apply_events(a_job(), [start(a_job())], [], NOW)
    assert applied.next == "decide"
    assert applied.job.state == "planning"
    assert applied.job.plan.deadline_ms == NOW + 3_600_000
    assert applied.job.progress.current_action == "Generating search queries"


def test_pages_the_caller_named_may_be_visited_before_any_search():
    drive = Drive(a_job(urls=[A], limits=Limits(max_searches=0)), ScriptedBrain(visit(A)))
    drive.step(start(drive.job))
    assert [c.url for c in drive.commands] == [A]
    assert drive.seen == {A}


def test_first_results_are_shown_before_they_are_labelled():
    drive, command = searching_job()
    applied = apply_events(drive.job, [found(command, A, B)], [], NOW + 900)
    assert applied.next == "label"
    assert [r.url for r in applied.job.results] == [A, B]
    assert not any(r.scored for r in applied.job.results)
    assert timers_of(applied.job, NOW + 900)["go", 1] == NOW + 900
    assert applied.visitable_urls == (A, B)


def test_a_round_ends_when_its_last_command_is_settled():
    drive = Drive(a_job(), ScriptedBrain(search("x"), visit(A, B), done()))
    drive.step(start(drive.job))
    drive.step(found(drive.commands[0], A, B))
    first, second = drive.commands
    drive.step(read(first, "Heat moves from cold to warm."))
    assert drive.job.state == "executing"
    assert drive.job.plan.open_commands == [second.id]
    drive.step(read(second, "A compressor does the work."))
    assert drive.job.state == "synthesizing"
    assert drive.job.plan.done_reason == "enough"


def test_a_round_ends_at_its_timer_and_a_late_answer_adds_its_findings_only():
    drive = Drive(a_job(), ScriptedBrain(search("x"), visit(A, B), search("y")))
    drive.step(start(drive.job))
    drive.step(found(drive.commands[0], A, B))
    first, second = drive.commands
    drive.step(read(first, "One."))
    drive.ring()
    assert drive.job.plan.round == 3
    before = drive.job.plan.open_commands
    applied = drive.step(read(second, "Two."))
    assert applied.next == "wait"
    assert [f.quote for f in applied.findings] == ["Two."]
    assert drive.job.plan.open_commands == before
    assert drive.job.visits[1].outcome == "ok"


def test_the_job_goes_on_while_a_person_is_asked_and_awaits_the_page_before_its_report():
    drive = Drive(a_job(), ScriptedBrain(search("x"), visit(A, B), search("y"), done(), done()))
    drive.step(start(drive.job))
    drive.step(found(drive.commands[0], A, B))
    first, second = drive.commands
    asked = InFlightSnapshot(
        commands=[InFlight(command=first.id, is_leased=False, asks_person=True, free_in_ms=999_999)]
    )
    busy = asked.model_copy(
        update={"commands": [*asked.commands, InFlight(command=second.id, is_leased=True)]}
    )
    drive.ring(snapshot=busy)
    assert drive.job.plan.open_commands == [second.id], "the round waits for the other page only"
    drive.step(read(second, "One."))
    assert [command.search.query for command in drive.commands] == ["y"]
    drive.step(found(drive.commands[0], C))
    assert (drive.job.state, drive.job.plan.open_commands) == ("executing", [first.id]), (
        "it waits for the person"
    )
    decisions = drive.job.plan.iteration
    drive.ring(snapshot=asked)
    assert drive.job.plan.open_commands == [first.id], "the timer leaves it waiting, without another decision"
    assert drive.job.plan.iteration == decisions
    drive.step(read(first, "Two."))
    assert drive.job.state == "synthesizing"
    assert [visited.outcome for visited in drive.job.visits] == ["ok", "ok"]


def test_a_timer_of_another_round_or_epoch_is_ignored():
    drive, _ = searching_job()
    events = [RoundDue(uid="r", no=7), DeadlineDue(uid="d", no=9)]
    applied = apply_events(drive.job, events, [], NOW + 1_000)
    assert applied.next == "wait"
    assert applied.used_events == ()


def test_a_job_that_has_used_up_its_work_ends():
    drive = Drive(a_job(limits=Limits(timeout_seconds=20)), ScriptedBrain(search("heat pumps")))
    drive.step(start(drive.job))
    drive.ring()
    assert (drive.job.state, drive.job.plan.forced) == ("synthesizing", "timeout")
    assert drive.job.plan.spent_ms == 20_000


def ring_while(drive, snapshot, times):
    for _ in range(times):
        drive.ring(snapshot=snapshot)


def test_a_round_goes_on_while_its_commands_wait_and_waiting_costs_no_work():
    drive, command = searching_job()
    ring_while(drive, waiting(command.id), 20)
    assert drive.now_ms - NOW >= 600_000
    assert (drive.job.plan.open_commands, drive.job.plan.spent_ms) == ([command.id], 0)
    drive.step(found(command, A).model_copy(update={"seconds": 3.0}))
    assert drive.job.plan.spent_ms == 3_000
    assert drive.brain.requests


def test_waiting_has_a_limit_of_its_own_which_work_moves_on():
    limits = Limits(waiting_timeout_seconds=100)
    drive = Drive(a_job(limits=limits, urls=[A, B]), ScriptedBrain(visit(A, B)))
    drive.step(start(drive.job))
    one, two = drive.commands
    drive.now_ms += 20_000
    drive.step(read(one, "Heat moves.").model_copy(update={"seconds": 15.0}))
    assert drive.job.plan.deadline_ms == NOW + 115_000
    ring_while(drive, waiting(two.id), 2)
    drive.now_ms = NOW + 100_000
    drive.step(DeadlineDue(uid="d", no=1), snapshot=waiting(two.id))
    assert drive.job.plan.open_commands == [two.id]
    drive.now_ms = NOW + 115_000
    drive.step(DeadlineDue(uid="d", no=1), snapshot=waiting(two.id))
    assert (drive.job.state, drive.job.plan.forced) == ("synthesizing", "waiting")


def test_time_in_which_no_crawler_runs_is_not_even_waiting():
    drive = Drive(a_job(limits=Limits(waiting_timeout_seconds=100)), ScriptedBrain(search("heat pumps")))
    drive.step(start(drive.job))
    (command,) = drive.commands
    ring_while(drive, waiting(command.id, nodes=0), 20)
    assert drive.now_ms - NOW >= 600_000
    assert drive.job.plan.deadline_ms == drive.now_ms + 100_000
    assert drive.job.plan.open_commands == [command.id]
    assert len(drive.job.timeline) == 1


def test_work_that_is_done_at_the_same_time_counts_once():
    drive = Drive(a_job(urls=[A, B, C]), ScriptedBrain(visit(A, B, C)))
    drive.step(start(drive.job))
    for command, at_s, seconds in zip(drive.commands, (10, 12, 40), (10.0, 11.0, 3.0), strict=True):
        drive.now_ms = NOW + at_s * 1000
        drive.step(read(command).model_copy(update={"seconds": seconds}))
    assert drive.job.plan.spent_ms == 15_000


def test_a_round_that_used_up_its_work_is_left_and_its_pages_are_awaited_before_the_end():
    drive = Drive(
        a_job(urls=[A, B], limits=Limits(max_searches=0)), ScriptedBrain(visit(A, B), done(), done())
    )
    drive.step(start(drive.job))
    one, two = drive.commands
    drive.step(read(one, "Heat moves."))
    drive.ring()
    assert drive.job.plan.open_commands == [two.id], "there is nothing else to do"
    assert not drive.job.plan.finished_ms
    drive.step(read(two, "It is loud."))
    assert drive.job.state == "synthesizing"
    assert [f.quote for f in drive.findings] == ["Heat moves.", "It is loud."]


def test_a_decision_to_end_waits_for_pages_in_flight_and_is_then_asked_for_again():
    drive = Drive(a_job(urls=[A, B]), ScriptedBrain(visit(A, B), done("enough"), search("more")))
    drive.step(start(drive.job))
    one, two = drive.commands
    drive.step(read(one, "Heat moves."))
    drive.ring()
    assert (drive.job.plan.open_commands, drive.job.plan.done_reason) == ([two.id], "")
    drive.step(read(two, "It is loud."))
    assert [command.kind for command in drive.commands] == ["search"]


def test_a_visit_whose_host_is_away_for_long_ends_as_busy_and_does_not_count():
    drive = Drive(a_job(urls=[A]), ScriptedBrain(visit(A), search("x")))
    drive.step(start(drive.job))
    (command,) = drive.commands
    drive.ring(snapshot=waiting(command.id, free_in_ms=100_000))
    assert drive.job.plan.open_commands == [command.id]
    drive.ring(snapshot=waiting(command.id, free_in_ms=130_000))
    assert (drive.job.visits[0].outcome, drive.job.visits[0].wait_s) == ("busy", 130.0)
    assert drive.job.plan.visits_used == 0
    assert [c.kind for c in drive.commands] == ["search"]


def test_a_round_in_which_every_page_fails_leaves_the_whole_allowance():
    urls = [f"https://h{n}.example/" for n in range(6)]
    drive = Drive(a_job(urls=urls, limits=Limits(max_visits=2)), ScriptedBrain(visit(*urls), visit(*urls)))
    drive.step(start(drive.job))
    for command in drive.commands:
        drive.step(ended(command, "failed", "http 404"))
    assert [command.url for command in drive.commands] == urls[2:4]
    assert any("h0.example" in warning for warning in drive.job.warnings), "the caller named it"


def test_a_web_in_which_every_page_fails_ends_after_three_attempts_for_each_page_of_the_allowance():
    urls = [f"https://h{n}.example/" for n in range(40)]
    limits = Limits(max_visits=4, max_searches=1, max_iterations=100)
    drive = Drive(a_job(limits=limits), ScriptedBrain(search("x"), *[visit(*urls[n:]) for n in range(40)]))
    job = drive.run(lambda c: found(c, *urls) if c.kind == "search" else ended(c, "failed", "timeout"))
    assert job.visits[-1].n == 12
    assert (job.plan.visits_used, job.plan.forced) == (0, "nothing left")


def test_a_search_that_nobody_answered_leaves_room_for_another():
    drive = Drive(a_job(limits=Limits(max_searches=1)), ScriptedBrain(search("a"), search("b")))
    drive.step(start(drive.job))
    drive.step(ended(drive.commands[0], "failed", "no provider answered"))
    assert [command.search.query for command in drive.commands] == ["b"]


def test_a_job_stored_by_an_earlier_version_ends_its_open_round_at_its_timer():
    drive, command = searching_job()
    drive.brain.script = [search("other words")]
    fields = {"spent_ms", "counted_ms", "round_limit_ms"}
    old = drive.job.model_dump(mode="json") | {"plan": drive.job.plan.model_dump(mode="json", exclude=fields)}
    drive.job = Job.model_validate(old)
    drive.ring(snapshot=waiting(command.id))
    assert [sent.search.query for sent in drive.commands] == ["other words"]


def test_a_command_is_counted_once():
    drive, command = searching_job()
    drive.step(found(command, A))
    calls = drive.job.downloads
    drive.step(found(command, A, B))
    assert drive.job.downloads == calls
    assert [r.url for r in drive.job.results] == [A]


@each_case(
    "event",
    [
        {"outcome": "refused", "reason": "robots"},
        {"outcome": "refused", "reason": "guard: not a public address"},
        {"outcome": "failed", "reason": "too_slow(40)"},
        {"outcome": "busy", "wait_s": 50.0},
        {"outcome": "failed", "reason": "http 404", "pages_fetched": 1},
        {"outcome": "failed", "reason": "timeout"},
        {"outcome": "blocked", "reason": "captcha", "pages_fetched": 1},
    ],
)
def test_a_visit_without_a_page_does_not_count(event):
    drive = Drive(a_job(urls=[A]), ScriptedBrain(visit(A), done()))
    drive.step(start(drive.job))
    assert drive.job.plan.visits_used == 1
    drive.step(ended(drive.commands[0], **event))
    assert drive.job.plan.visits_used == 0
    assert not drive.job.visits[0].counted


def test_a_busy_host_may_be_asked_again():
    drive = Drive(a_job(urls=[A]), ScriptedBrain(visit(A), visit(A)))
    drive.step(start(drive.job))
    drive.step(ended(drive.commands[0], "busy", wait_s=30.0))
    assert [c.url for c in drive.commands] == [A]


def test_links_about_the_goal_become_candidates_and_all_links_are_permitted():
    drive = Drive(a_job(urls=[A]), ScriptedBrain(visit(A), done()))
    drive.step(start(drive.job))
    event = read(drive.commands[0], "One.", links=[B])
    other = event.page.links[0].model_copy(update={"url": C, "text": "imprint"})
    page = event.page.model_copy(update={"links": [*event.page.links, other]})
    drive.step(event.model_copy(update={"page": page}))
    assert {B, C} <= drive.seen
    assert [r.url for r in drive.job.results] == [B]
    assert drive.job.results[0].score <= 0.4


def test_the_same_quote_on_another_page_is_kept_but_does_not_count_as_new():
    drive = Drive(a_job(urls=[A, B]), ScriptedBrain(visit(A), visit(B), done()))
    drive.step(start(drive.job))
    drive.step(read(drive.commands[0], "Heat moves.", "It is loud."))
    drive.step(read(drive.commands[0], "heat  moves"))
    assert len(drive.findings) == 3
    assert drive.job.plan.findings == 2
    assert drive.job.plan.barren_rounds == 1


def test_the_usage_of_an_event_is_added_to_the_job():
    drive, command = searching_job()
    event = found(command, A).model_copy(
        update={"usage": Usage(model_calls=2, prompt_tokens=50), "downloads": 3}
    )
    drive.step(event)
    assert drive.job.usage.model_calls == 2
    assert drive.job.downloads == 3


def test_time_in_which_no_worker_ran_does_not_count():
    drive, command = searching_job()
    hour_later = drive.job.plan.round_until_ms + 3_600_000
    events = [RoundDue(uid="r", no=1), DeadlineDue(uid="d", no=1)]
    applied = apply_events(drive.job, events, [], hour_later)
    assert applied.next == "wait"
    assert applied.job.plan.deadline_ms == NOW + 3_600_000 + 3_600_000
    assert applied.job.plan.open_commands == [command.id]
    assert ("deadline", 2) in timers_of(applied.job, hour_later)


def test_a_resumed_job_has_the_time_it_had_at_its_last_step():
    drive, _ = searching_job()
    applied = apply_events(drive.job, [JobResumed(uid="x")], [], NOW + 20_000)
    assert applied.job.plan.deadline_ms == NOW + 3_600_000 + 20_000
    assert applied.next == "wait"


def test_a_search_that_failed_is_named_in_the_timeline():
    drive, command = searching_job()
    drive.step(ended(command, "failed", "no provider answered"))
    assert any("no provider answered" in e.text for e in drive.job.timeline if e.action == "warning")


def test_events_do_not_change_a_job_that_has_ended():
    job = a_job().model_copy(update={"state": "cancelled"})
    assert apply_events(job, [start(job)], [], NOW).next == "over"


def test_quotes_are_the_same_without_case_space_and_marks():
    assert normal_quote("It **costs** \n $5.") == normal_quote("it costs 5")


URLS = [f"https://h{n}.example/p{n}" for n in range(12)]
STEPS = st.one_of(
    st.builds(lambda q: search(*q), st.lists(st.sampled_from(["a", "b", "c d", "C  d!", ""]), max_size=3)),
    st.builds(
        lambda u: visit(*u),
        st.lists(st.sampled_from([*URLS, "nonsense", "http://unseen.example/"]), max_size=4),
    ),
    st.builds(BrainUnavailable, st.just("down")),
    st.just(done()),
)
OUTCOMES = st.sampled_from(["ok", "ok", "ok", "empty", "busy", "robots", "failed", "late"])


@given(
    steps=st.lists(STEPS, max_size=14),
    plain=st.lists(STEPS, max_size=8),
    outcomes=st.lists(OUTCOMES, min_size=40, max_size=40),
    limits=st.builds(
        Limits,
        max_searches=st.integers(0, 3),
        max_visits=st.integers(0, 6),
        timeout_seconds=st.sampled_from([1.5, 20.0, 120.0]),
        max_iterations=st.integers(1, 10),
    ),
)
def test_a_job_always_ends_within_its_limits_whatever_brains_and_pages_do(steps, plain, outcomes, limits):
    drive = Drive(
        a_job(limits=limits, urls=URLS[:1]), ScriptedBrain(*steps), ScriptedBrain(*plain, name="plain")
    )
    next_outcomes = iter(outcomes * 10)

    def answer(command):
        outcome = next(next_outcomes)
        if outcome == "late":
            return None
        if outcome == "busy":
            return ended(command, "busy", wait_s=9.0)
        if outcome == "robots" and command.kind == "visit":
            return ended(command, "refused", "robots")
        if outcome == "failed":
            return ended(command, "failed", "timeout")
        if command.kind == "search":
            return found(command, *(URLS[1:] if outcome == "ok" else ()))
        return read(command, *([f"Fact of {command.url}."] if outcome == "ok" else ()))

    job = drive.run(answer)
    assert job.plan.iteration <= limits.max_iterations
    assert job.plan.searches_used <= limits.max_searches
    assert job.plan.visits_used <= limits.max_visits
    assert len({v.url for v in job.visits if v.outcome != "busy"}) == sum(
        v.outcome != "busy" for v in job.visits
    )
    shown = [(j.progress.fraction, j.progress.current_step, j.progress.total_steps) for j in drive.history]
    for before, after in itertools.pairwise(shown):
        assert all(x <= y for x, y in zip(before, after, strict=True))
    assert all(step <= total for _, step, total in shown)


def test_a_takeover_gets_the_same_commands():
    job = apply_events(a_job(urls=[A]), [start(a_job())], [], NOW).job
    one = plan_round(job, visit(A), now_ms=NOW, permitted={A})
    two = plan_round(job, visit(A), now_ms=NOW, permitted={A})
    assert one == two


def test_results_about_another_technology_are_left_out_and_counted_in_the_timeline():
    drive = Drive(a_job("Python GUI best practices", stack="Python GUI"), ScriptedBrain(search("Python GUI")))
    drive.step(start(drive.job))
    event = found(
        drive.commands[0], "https://a.example/tkinter", "https://b.example/typescript-best-practices"
    )
    drive.step(event)
    assert [result.url for result in drive.job.results] == ["https://a.example/tkinter"]
    assert any("1 results about something else than Python GUI" in e.text for e in drive.job.timeline)
