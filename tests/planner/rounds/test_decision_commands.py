import pytest

from planner.job.allowances import ForcedEnd, forced_line
from planner.job.clock import add_work, timers_of
from planner.job.job_editor import JobEditor
from planner.reports.writer_view import report_view
from planner.rounds.decision_commands import plan_round
from planner.rounds.endings import finish
from planner.rounds.job_transitions import apply_events, close_round
from research_crawler.core.models.evidence.quality import Analysis, Assessed
from research_crawler.core.models.jobs.job_limits import Limits
from research_crawler.core.models.jobs.outline import Leaf, Outline, Section
from research_crawler.core.models.jobs.records import RoundStart, ScoredResult, VisitRecord
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.why import Why
from research_crawler.core.web.urls import frontier_target
from research_crawler.text.writing.messages import REPORT_LANGUAGES, Messages
from tests.cases import each_case
from tests.planner.scripted import (
    NOW,
    Drive,
    ScriptedBrain,
    a_finding,
    a_job,
    done,
    found,
    search,
    start,
    visit,
)

A, B, C = "https://a.example/1", "https://b.example/2", "https://c.example/3"


def begun(**inputs):
    limits = inputs.pop("limits", None)
    job = apply_events(a_job(limits=limits, **inputs), [start(a_job())], [], NOW).job
    return job.model_copy(update={"results": [ScoredResult(url=url, score=0.8) for url in (A, B, C)]})


def test_the_last_round_before_a_persons_answer_is_not_counted_as_barren_again():
    job = begun()
    read = job.plan.model_copy(update={"round": 2})
    for before, barren in ((1, 1), (2, 0)):
        plan = read.changed(review_round_start=RoundStart(round=before))
        visits = [VisitRecord(n=1, command="jobaaaaaaaaa:3", url=A, round=2, outcome="ok")]
        editor = JobEditor(job.model_copy(update={"plan": plan, "visits": visits}), NOW)
        close_round(editor)
        assert editor.job.plan.barren_rounds == barren


def test_a_search_command_has_no_hosts_slot():
    planned = plan_round(begun(), search("heat pumps", providers=["wikipedia"]), now_ms=NOW, permitted=())
    [command] = planned.commands
    assert (command.id, command.slot, command.spider) == ("jobaaaaaaaaa:1", "_", "search")
    assert command.search.query == "heat pumps"
    assert command.search.providers == ["wikipedia"]
    assert command.job_context.goal == "how do heat pumps work"
    assert planned.job.state == "planning"
    assert planned.job.progress.current_action == "Searching: heat pumps"


def test_a_visit_command_has_its_place_in_the_frontier_and_ends_if_its_host_is_away():
    planned = plan_round(begun(), visit(A), now_ms=NOW + 20_000, permitted={A})
    [command] = planned.commands
    assert command.target == frontier_target(A)
    assert (command.requested_url, command.requested_page_key) == (command.url, command.page_key)
    assert command.max_wait_ms == 120_000
    assert command.max_age_s == 86_400
    assert planned.job.progress.current_action == "Reading: a.example"


def test_news_pages_may_be_an_hour_old():
    [command] = plan_round(begun(type="news"), visit(A), now_ms=NOW, permitted={A}).commands
    assert command.max_age_s == 3_600


def test_every_query_and_every_page_of_a_decision_counts():
    job = plan_round(begun(), search("a", "b", "c"), now_ms=NOW, permitted=()).job
    assert job.plan.searches_used == 2
    assert [s.query for s in job.searches] == ["a", "b"]
    job = plan_round(begun(), visit(A, B), now_ms=NOW, permitted={A, B}).job
    assert job.plan.visits_used == 2
    assert job.progress.total_steps == 3


def test_a_url_that_no_result_named_is_dropped_with_a_warning():
    planned = plan_round(begun(), visit("https://invented.example/", A), now_ms=NOW, permitted={A})
    assert [c.url for c in planned.commands] == [A]
    assert any("invented.example" in e.text for e in planned.job.timeline if e.action == "warning")


@each_case("url", ["https://invented.example/", "javascript:alert(1)", "not a url", ""])
def test_a_decision_without_a_permitted_url_is_a_failed_answer(url):
    planned = plan_round(begun(), visit(url), now_ms=NOW, permitted=())
    assert planned.problem == "nothing_usable"
    assert planned.commands == ()
    assert planned.job.plan.iteration == 1


def test_hosts_that_the_caller_excluded_are_not_visited():
    planned = plan_round(begun(exclude_hosts=["a.example"]), visit(A, B), now_ms=NOW, permitted={A, B})
    assert [c.url for c in planned.commands] == [B]


@pytest.mark.parametrize("again", ["Heat  PUMPS?", "heat pumps", "heat-pumps"])
def test_the_same_query_twice_is_a_repetition(again):
    first = plan_round(begun(), search("heat pumps"), now_ms=NOW, permitted=()).job
    planned = plan_round(first, search(again), now_ms=NOW, permitted=())
    assert planned.problem == "repeated"
    assert planned.job.plan.repeats == 1


def test_a_used_up_allowance_removes_only_its_own_action():
    job = begun(limits=Limits(max_searches=0))
    assert plan_round(job, search("x"), now_ms=NOW, permitted=()).problem == "not_allowed"
    assert plan_round(job, visit(A), now_ms=NOW, permitted={A}).problem == ""


def test_no_command_is_sent_when_the_time_is_over():
    job = begun()
    editor = JobEditor(job, NOW + 119_500)
    add_work(editor, 119_500, NOW + 119_500)
    planned = plan_round(editor.job, visit(A), now_ms=NOW + 119_500, permitted={A})
    assert planned.job.state == "synthesizing"
    assert planned.job.plan.forced == "timeout"


def test_a_job_that_ends_too_early_says_what_is_missing():
    job = begun(goal="buy a laptop", intent="commerce")
    finding = a_finding("jobaaaaaaaaa:1", "At least 16 GB.", kind="spec_to_look_for")
    ended = plan_round(job, done(missing=["battery life"]), now_ms=NOW, permitted=(), findings=[finding]).job
    assert ended.plan.missing == ["battery life", "what it should cost", "models that real users name"]
    assert any(w.startswith("No clear answer was found to: battery life") for w in ended.warnings)


@pytest.mark.parametrize(("by", "is_lacking"), [("extractive", False), ("model", True)])
def test_without_a_model_nothing_is_said_of_how_far_what_is_near_to_a_part_answers_it(by, is_lacking):
    finding = a_finding("jobaaaaaaaaa:1", "The battery ages slowly.")
    leaves = [
        Leaf(id="1.1", question="How long does it last?", evidence=[finding.id]),
        Leaf(id="1.2", question="Why?"),
    ]
    outline = Outline(by=by, sections=[Section(id="1", title="Battery", leaves=leaves)])
    job = begun().model_copy(update={"outline": outline})
    ended = plan_round(job, done(), now_ms=NOW, permitted=(), findings=[finding]).job
    assert ended.plan.missing == (["How long does it last"] if is_lacking else []) + ["Why"]


@pytest.mark.parametrize(
    ("is_answered", "missing"), [(True, ["What does it cost"]), (False, ["Why", "What does it cost"])]
)
def test_a_part_that_stands_open_is_not_called_missing_where_a_reader_found_all_answered(
    is_answered, missing
):
    leaves = [
        Leaf(id="1.1", question="Why?"),
        Leaf(id="1.2", question="What does it cost?", state="unavailable", reason="no page says it"),
    ]
    outline = Outline(by="words", sections=[Section(id="1", title="Battery", leaves=leaves)])
    analysis = Analysis(
        by="model", round=1, assessment="all is said", confidence_score=0.9, is_answered=is_answered
    )
    job = begun().changed(outline=outline, assessed=Assessed(analysis=analysis))
    finding = a_finding("jobaaaaaaaaa:1", "The battery ages slowly.")
    assert plan_round(job, done(), now_ms=NOW, permitted=(), findings=[finding]).job.plan.missing == missing


def test_that_nothing_was_found_is_left_to_the_report():
    ended = plan_round(a_job("how tall is it"), done(), now_ms=NOW, permitted=(), findings=[]).job
    assert ended.plan.missing == ["a finding that answers the goal"] and not ended.warnings


def test_warnings_and_the_reason_of_the_end_are_in_the_language_of_the_goal():
    job = begun(goal="welcher ist der beste laptop für die schule", intent="commerce")
    ended = finish(job, ForcedEnd.STUCK, now_ms=NOW, findings=())
    assert ended.warnings == [
        "Die Recherche kam nicht weiter (die Planung machte keine Fortschritte); was sie bis dahin fand, reicht "
        "vielleicht nicht aus.",
        "Keine deutliche Antwort gefunden auf: was ein gutes Produkt ausmacht; was es kosten sollte; Modelle, die "
        "echte Nutzer nennen.",
    ]
    assert report_view(ended, []).done_reason == "es führt kein Weg mehr weiter"


@each_case("language", REPORT_LANGUAGES)
def test_every_forced_end_has_its_reason_in_every_language(language):
    for forced in ForcedEnd:
        assert forced_line(forced, Messages(language)) not in ("", forced)


def test_recommended_models_count_only_from_forums_and_reviews():
    job = begun(goal="buy a laptop", intent="commerce")
    planned = plan_round(job, visit(A), now_ms=NOW, permitted={A})
    named = a_finding(planned.commands[0].id, "The LOQ 15 is good.", kind="recommended_product")
    missing = finish(planned.job, ForcedEnd.TIMEOUT, now_ms=NOW, findings=[named]).plan.missing
    assert "models that real users name" in missing
    forum = planned.job.model_copy(
        update={"results": [planned.job.results[0].model_copy(update={"type": "forum"})]}
    )
    missing = finish(forum, ForcedEnd.TIMEOUT, now_ms=NOW, findings=[named]).plan.missing
    assert "models that real users name" not in missing


def test_a_round_is_looked_at_when_the_jobs_work_can_be_used_up():
    editor = JobEditor(begun(), NOW + 100_000)
    add_work(editor, 100_000, NOW + 100_000)
    job = plan_round(editor.job, visit(A), now_ms=NOW + 100_000, permitted={A}).job
    waiting_ends = NOW + 3_600_000 + 100_000
    assert timers_of(job, NOW) == {("round", 1): NOW + 120_000, ("deadline", 1): waiting_ends}


def test_the_step_that_writes_the_report_is_due_at_once():
    job = plan_round(begun(), done(), now_ms=NOW, permitted=()).job
    assert timers_of(job, NOW) == {("go", 1): NOW}
    assert job.progress.current_action == "Synthesizing report"
    assert job.progress.fraction == 0.9


def test_long_records_stay_within_what_a_commit_may_write():
    limits = Limits(max_searches=50, max_visits=200, max_iterations=100, timeout_seconds=10_000)
    urls = [f"https://host-{n}.example/{'x' * 150}?q={n}" for n in range(1, 150)]
    queries = [f"query number {n} {'with many words ' * 15}" for n in range(40)]
    drive = Drive(
        a_job(limits=limits),
        ScriptedBrain(
            search(*queries), *(visit(*urls[n : n + 12]) for n in range(0, 120, 12)), done("x" * 900)
        ),
    )
    drive.step(start(drive.job))
    for command in drive.commands:
        drive.step(found(command, *urls))
    drive.now_ms += 1_000
    for _ in range(10):
        for command in drive.commands:
            event = found(command)
            drive.step(
                event.model_copy(update={"outcome": "failed", "reason": Why(Reason.HTTP, "404 " * 100)})
            )
    sizes = {
        name: len(drive.job.model_dump_json(include={name}).encode())
        for name in ("searches", "visits", "results", "timeline", "plan", "warnings", "progress")
    }
    assert sum(sizes.values()) < 32_000, sizes
    assert drive.job.results
    assert drive.job.timeline[-1].action in ("done", "warning")


def test_a_decision_may_search_and_visit_in_one_round():
    both = search("heat pumps", "heat pump noise").changed(urls=[A, "https://invented.example/"])
    planned = plan_round(begun(), both, now_ms=NOW, permitted={A})
    assert [command.kind for command in planned.commands] == ["search", "search", "visit"]
    assert len({command.id for command in planned.commands}) == 3
    job = planned.job
    assert (job.plan.searches_used, job.plan.visits_used) == (2, 1)
    assert job.plan.open_commands == [command.id for command in planned.commands]
    assert {record.round for record in [*job.searches, *job.visits]} == {1}
    assert job.plan.next_command == begun().plan.next_command + 3


def test_visits_beside_a_search_keep_to_the_allowance():
    both = search("heat pumps").changed(urls=[A, B])
    one_visit = plan_round(begun(limits=Limits(max_visits=1)), both, now_ms=NOW, permitted={A, B})
    assert [command.kind for command in one_visit.commands] == ["search", "visit"]
    none = plan_round(begun(limits=Limits(max_visits=0)), both, now_ms=NOW, permitted={A, B})
    assert [command.kind for command in none.commands] == ["search"]
