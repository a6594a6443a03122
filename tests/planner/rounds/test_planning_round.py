import asyncio

import pytest

from planner.brains.model.prompts.decision_documents import decision_documents
from planner.job.allowances import ForcedEnd
from planner.outline.given_outline import given_outline
from planner.reports.records.state_document import state_document
from planner.reports.writer_view import report_view
from planner.rounds.brain_view import planner_view
from planner.rounds.planning_round import MAX_ASKS, Brains, PlanningRound, with_last_findings
from research_crawler.core.brain_errors import BrainUnavailable, BudgetExhausted
from research_crawler.core.models.evidence.quality import Evaluation
from research_crawler.core.models.jobs.decisions import Answered
from research_crawler.core.models.jobs.job_limits import Limits
from research_crawler.core.models.messages.events import Spent, Usage
from research_crawler.core.ports.models import Call
from tests.planner.outline.outlines import outline
from tests.planner.scripted import (
    NOW,
    Drive,
    NoWaits,
    ScriptedBrain,
    a_finding,
    a_job,
    done,
    found,
    read,
    search,
    start,
    visit,
)

A, B, C, D = (f"https://{name}.example/1" for name in "abcd")


def drive_of(*decisions, plain=(), limits=None, **inputs):
    drive = Drive(
        a_job(limits=limits or Limits(max_searches=4), **inputs),
        ScriptedBrain(*decisions),
        ScriptedBrain(*plain, name="plain"),
    )
    drive.step(start(drive.job))
    return drive


def answer_all(drive, *urls):
    for command in drive.commands:
        drive.now_ms += 100
        drive.step(found(command, *urls) if command.kind == "search" else read(command))


def test_a_repeated_query_leads_to_one_different_query():
    drive = drive_of(search("x"), search("X!"), search("something else"))
    answer_all(drive, A)
    assert [s.query for s in drive.job.searches] == ["x", "something else"]
    assert [v.stuck for v in drive.brain.views] == ["", "", "different_query"]
    assert drive.brain.views[-1].allowed == ["search", "done"]
    assert any(e.action == "stuck" for e in drive.job.timeline)
    assert drive.plain.views == []


def test_repeating_again_after_the_different_query_and_the_unused_lead_is_the_last_resort():
    drive = drive_of(search("x"), search("x"), search("y"), search("y"), search("y"))
    answer_all(drive, A)
    answer_all(drive, A)
    assert [visit.url for visit in drive.job.visits] == [A]
    answer_all(drive)
    assert drive.job.state == "synthesizing"
    assert drive.job.plan.last_resort
    assert drive.job.plan.forced == "stuck"
    assert any("stuck" in warning for warning in drive.job.warnings)


def test_a_repetition_of_a_repetition_ends_phase_1_within_the_planning_round():
    drive = drive_of(search("x"), search("x"), search("x"))
    answer_all(drive)
    assert drive.job.plan.last_resort
    assert drive.job.plan.searches_used == 1


def test_a_page_chosen_twice_is_a_repetition():
    drive = drive_of(visit(A), visit(A), search("different"), urls=[A])
    answer_all(drive)
    assert drive.brain.views[-1].stuck == "different_query"
    assert [c.search.query for c in drive.commands] == ["different"]


def test_two_rounds_without_a_finding_lead_to_a_different_query():
    drive = drive_of(search("x"), visit(A), visit(B), search("different"), visit(C))
    answer_all(drive, A, B, C, D)
    answer_all(drive)
    answer_all(drive)
    assert drive.brain.views[-1].stuck == "different_query"
    answer_all(drive, D)
    assert drive.brain.views[-1].stuck == ""


def test_two_more_barren_rounds_are_the_last_resort():
    drive = drive_of(search("x"), visit(A), visit(B), search("different"), visit(C), visit(D))
    for _ in range(6):
        answer_all(drive, A, B, C, D)
    assert drive.job.plan.last_resort


def test_a_stuck_job_without_a_search_left_reads_an_unused_lead_and_then_ends():
    drive = drive_of(search("x"), visit(A), visit(B), visit(D), limits=Limits(max_searches=1))
    for _ in range(5):
        answer_all(drive, A, B, C, D, "https://e.example/1")
    assert [visit.url for visit in drive.job.visits] == [A, B, C, D]
    assert drive.job.plan.last_resort
    assert len(drive.brain.views) == 4


def test_a_decision_that_cannot_be_carried_out_is_decided_by_the_extractive_brain():
    drive = drive_of(visit("https://invented.example/"), plain=[search("heat pumps")])
    assert [c.search.query for c in drive.commands] == ["heat pumps"]
    assert drive.job.timeline[-1].by == "plain"


def test_a_brain_that_fails_is_replaced_and_the_report_will_say_so():
    drive = drive_of(BrainUnavailable("the endpoint is down"), plain=[search("heat pumps")])
    assert [c.search.query for c in drive.commands] == ["heat pumps"]
    assert "the endpoint is down" in drive.job.warnings[0]


def test_a_job_ends_at_its_ceiling_also_where_its_brain_had_failed_for_another_reason_before():
    spent = BudgetExhausted("the tokens are spent", "batch")
    for answers in ([spent], [BrainUnavailable("the endpoint is down"), spent]):
        drive = drive_of(*answers, plain=[search("heat pumps")])
        while drive.commands and drive.job.state != "synthesizing":
            answer_all(drive, A, B)
        assert (drive.job.plan.ceiling, drive.job.plan.fallback) == ("batch", "the tokens are spent")
        assert drive.job.plan.forced == ForcedEnd.CEILING
        assert any("the tokens are spent" in warning for warning in drive.job.warnings)


def test_a_job_ends_with_its_findings_if_no_brain_can_decide():
    drive = drive_of(BrainUnavailable("down"), plain=[BrainUnavailable("also down")])
    assert drive.job.state == "synthesizing"
    assert drive.job.plan.forced == "brain failed"


def test_the_number_of_questions_in_one_planning_round_is_limited():
    drive = drive_of(*[visit("nonsense")] * 9, plain=[visit("nonsense")] * 9)
    assert drive.job.state == "synthesizing"
    assert len(drive.brain.views) + len(drive.plain.views) <= MAX_ASKS


def test_results_are_labelled_once_and_shown_best_first():
    drive = drive_of(search("x"), search("y"), done())
    answer_all(drive, A, B)
    answer_all(drive, B, C)
    assert [[r.url for r in request.results] for request in drive.brain.requests] == [[A, B], [C]]
    assert drive.brain.requests[1].query == "y"
    view = drive.brain.views[-1]
    assert [c.result.url for c in view.candidates] == [A, B, C], "those with labels, then the new one"
    assert view.to_label == drive.brain.requests[1]
    assert [r.url for r in drive.job.results] == [A, C, B]
    assert all(r.scored and r.type == "review" for r in drive.job.results)


def test_results_that_a_decision_gives_no_labels_are_labelled_with_the_next_one():
    drive = drive_of(search("x"), visit(A), done())
    given, drive.brain.label = drive.brain.label, labels_nothing
    answer_all(drive, A, B)
    assert not any(result.scored for result in drive.job.results)
    drive.brain.label = given
    answer_all(drive)
    assert {result.url for result in drive.brain.requests[-1].results} == {A, B}


@pytest.mark.parametrize(("depth", "shown"), [("standard", 15), ("deep", 8)])
def test_all_results_of_a_search_are_shown_and_the_first_of_many_in_deep_research(depth, shown):
    drive = drive_of(search("x"), done(), depth=depth)
    answer_all(drive, *(f"https://h{n}.example/" for n in range(15)))
    assert len(drive.brain.views[-1].candidates) == shown


async def labels_nothing(request, call):
    return Answered(by="model")


def test_a_visited_page_is_no_longer_a_candidate():
    drive = drive_of(search("x"), visit(A), done())
    answer_all(drive, A, B)
    answer_all(drive)
    assert [c.result.url for c in drive.brain.views[-1].candidates] == [B]


def test_the_planner_sees_its_remaining_allowances():
    drive = drive_of(search("x"), visit(A), done(), limits=Limits(max_searches=1, max_visits=3))
    drive.now_ms += 25_000
    drive.step(found(drive.commands[0], A, B).model_copy(update={"seconds": 10.0}))
    view = drive.brain.views[1]
    assert (view.remaining_searches, view.remaining_visits) == (0, 3)
    assert view.allowed == ["visit", "done"]
    assert (view.elapsed_time, view.max_time) == (10.0, 120.0)
    assert view.iteration == 2
    assert view.past_actions[0].startswith("1. search: x")
    assert view.year == 2023


def test_shops_are_read_where_a_question_asks_what_an_offer_says_and_not_where_it_only_has_such_words():
    for goal, asks_offer in (
        ("What does the Orlo Lynx 15 cost at Corner Circuit?", True),
        ("Does Corner Circuit have the Orlo Lynx 15 in stock?", True),
        ("Ist die Tarn 300 bei Corner Circuit auf Lager?", True),
        ("Which options are available in git log?", False),
        ("How do I clean the Orlo Lynx 15?", False),
    ):
        job = a_job(goal, intent="informational")
        assert planner_view(job, [], now_ms=NOW, waits={}).asks_offer == asks_offer, goal


def test_a_step_that_was_taken_is_told_without_the_addresses_that_stand_among_the_visited_pages():
    drive = drive_of(search("x"), visit(A, B), done())
    answer_all(drive, A, B, C)
    answer_all(drive)
    steps = drive.brain.views[-1].past_actions
    assert any(step.startswith("2. visit: pages") for step in steps) and not any(A in step for step in steps)


def test_the_iteration_cap_forces_the_end():
    drive = drive_of(search("x"), visit(A), limits=Limits(max_iterations=1))
    answer_all(drive, A)
    assert drive.job.plan.forced == "iterations"


def test_the_end_is_forced_when_no_action_is_left():
    drive = drive_of(search("x"), limits=Limits(max_searches=1))
    answer_all(drive)
    assert drive.job.plan.forced == "nothing left"
    assert len(drive.brain.views) == 1


class OutliningBrain(ScriptedBrain):
    """Gives an outline with each decision."""

    def __init__(self, *decisions, outlines):
        super().__init__(*decisions)
        self.outlines = list(outlines)

    async def decide(self, view, call):
        answered = await super().decide(view, call)
        return Answered(by=self.name, decision=answered.decision, outline=self.outlines.pop(0))


TALL, BUILT = "How tall is it?", "When was it built?"


def test_a_brains_outline_is_kept_shown_to_it_and_written_into_the_state_document():
    first, second = outline(TALL, BUILT), outline(TALL, BUILT, "Who built it?")
    brain = OutliningBrain(search("x"), visit(A), outlines=[first, second])
    drive = Drive(a_job(), brain)
    drive.step(start(drive.job))
    answer_all(drive, A)
    assert [leaf.question for leaf in drive.job.outline.leaves] == [TALL, BUILT, "Who built it?"]
    assert brain.views[1].outline == first.changed(by="extractive")
    assert "- 1.1 How tall is it? (open: search “How tall is it?”)" in state_document(drive.job, [])


def test_what_is_missing_are_the_open_questions_and_not_what_a_brain_names():
    known = outline(TALL, BUILT)
    filled = known.with_leaves({"1.1": known.leaves[0].changed(evidence=["f"], state="filled")})
    besides = "whether 43 m include the rock that the tower stands on"
    decision = done(missing=["how tall it is", "when was it built?", besides])
    drive = Drive(a_job(), OutliningBrain(search("x"), visit(A), decision, outlines=[known, known, filled]))
    drive.step(start(drive.job))
    answer_all(drive, A)
    finding = read(drive.commands[0], "It is 43 m tall.")
    evidence = finding.findings[0].id
    drive.brain.outlines[0] = known.with_leaves(
        {"1.1": known.leaves[0].changed(evidence=[evidence], state="filled")}
    )
    drive.step(finding)
    assert drive.job.state == "synthesizing"
    assert drive.job.plan.missing == ["When was it built"]
    assert drive.job.plan.named_missing == [besides]
    assert report_view(drive.job, finding.findings).missing == ["When was it built", besides]
    assert not any(besides in warning for warning in drive.job.warnings)


async def test_a_job_that_ends_without_a_decision_has_its_last_findings_in_the_outline(embedder):
    from planner.brains.extractive.extractive_brain import ExtractiveBrain

    job = a_job("How tall is the Skelder tower, and who kept it?")
    found_ = a_finding("j:1", "The Skelder tower is 43 metres tall.")
    after = await with_last_findings(job, [found_], ExtractiveBrain(embedder), job.plan.touched_ms)
    assert [(leaf.state, leaf.evidence) for leaf in after.outline.leaves] == [
        ("filled", [found_.id]),
        ("open", []),
    ]


GOOD = Evaluation(relevance=0.8, coverage=0.7, confidence=0.4)


def judging(decision, evaluation):
    """An answer that judges the evidence before it decides."""
    return Answered(by="scripted", decision=decision, evaluation=evaluation)


def test_a_brain_that_searches_on_with_enough_evidence_is_done_or_reads_what_it_named_beside():
    drive = drive_of(search("x"), visit(A), judging(search("y"), GOOD))
    answer_all(drive, A)
    drive.step(read(drive.commands[0], "Heat moves."))
    assert [s.query for s in drive.job.searches] == ["x"]
    assert drive.job.state == "synthesizing"
    assert drive.job.assessed.attempts[0].evaluation == GOOD
    assert any(e.action == "judged" and "relevance of the findings 80%" in e.text for e in drive.job.timeline)
    beside = search("y").changed(urls=[B])
    drive = drive_of(search("x"), visit(A), judging(beside, GOOD))
    answer_all(drive, A, B)
    drive.step(read(drive.commands[0], "Heat moves."))
    assert [c.url for c in drive.commands] == [B]


def test_a_brain_searches_again_while_the_evidence_is_not_enough():
    weak = Evaluation(relevance=0.5, coverage=0.9, confidence=0.4)
    drive = drive_of(search("x"), visit(A), judging(search("y"), weak))
    answer_all(drive, A)
    drive.step(read(drive.commands[0], "Heat moves."))
    assert [s.query for s in drive.job.searches] == ["x", "y"]
    assert [one.evaluation for one in drive.job.assessed.attempts] == [weak, None]


UNSURE = Evaluation(relevance=0.6, coverage=0.5, confidence=0.4)


TWO_QUESTIONS = given_outline("# Heat\n- How warm does it get?\n# Noise\n- How loud is it?\n")


class Doubter(ScriptedBrain):
    """Reads the best new page of every search, searches where it must, and else wants to be done, unsure."""

    def __init__(self, sure_after=99):
        super().__init__()
        self.sure_after = sure_after

    async def decide(self, view, call):
        read = len(view.visited)
        if not view.searches or (view.stuck and "search" in view.allowed):
            self.script = [search(f"query {len(view.searches)}")]
        elif read < len(view.searches) and "visit" in view.allowed:
            self.script = [visit(view.candidates[0].result.url)]
        elif len(view.searches) < 2:
            self.script = [search("second query")]
        else:
            self.script = [done("that is all")]
        confidence = 0.6 if read >= self.sure_after else 0.4
        self.script = [
            judging(self.script[0], Evaluation(relevance=0.6, coverage=0.5, confidence=confidence))
        ]
        return await super().decide(view, call)


def doubted(brain=None, **options):
    """A job that has ended, or asks, after it was driven by such a brain; each search finds two new pages."""
    limits = Limits(max_searches=9, max_visits=9, max_attempts=5)
    drive = Drive(a_job(**{"limits": limits} | options).changed(outline=TWO_QUESTIONS), brain or Doubter())
    drive.step(start(drive.job))
    while drive.job.state not in ("waiting_for_human", "synthesizing"):
        command = drive.commands[0]
        number = command.id.rpartition(":")[2]
        urls = [f"https://{name}.example/{number}" for name in "ab"]
        drive.step(found(command, *urls) if command.query else read(command, f"Fact {number}."))
    return drive


def ways_taken(drive):
    return [e.text.rpartition("the next step is ")[2] for e in drive.job.timeline if e.action == "stuck"]


def test_each_rung_is_taken_once_and_in_order_while_evidence_stays_uncertain_and_the_last_is_the_person():
    drive = doubted(review="low_confidence")
    assert ways_taken(drive) == [
        "a markedly different query", "a narrower sub-question", "an unused lead", "a person",
    ]  # fmt: skip
    assert [one.query for one in drive.job.searches][:3] == ["query 0", "second query", "query 2"]
    assert "warm" in drive.job.searches[3].query
    assert len(drive.job.visits) == len(drive.job.searches) + 1, (
        "the lead is a page beside those of the searches"
    )
    assert (drive.job.state, drive.job.review.question.kind) == ("waiting_for_human", "ask")
    assert "the evidence is still uncertain after" in drive.job.review.question.difficulty


def test_a_rung_that_is_not_possible_is_passed_over():
    two = Limits(max_searches=9, max_visits=9, max_attempts=1)
    assert ways_taken(doubted(limits=two)) == ["an unused lead"]
    assert ways_taken(doubted(limits=Limits(max_searches=2, max_visits=2), review="always")) == ["a person"]


def test_where_nobody_is_asked_doubt_ends_with_a_warning_and_not_as_a_dead_end():
    drive = doubted(limits=Limits(max_searches=2, max_visits=2))
    assert (drive.job.state, ways_taken(drive)) == ("synthesizing", [])
    assert "The evidence is still uncertain after 2 attempts." in drive.job.warnings
    assert not drive.job.plan.last_resort


def test_a_brain_that_became_sure_with_the_last_pages_is_done():
    drive = doubted(Doubter(sure_after=2))
    assert (drive.job.state, ways_taken(drive)) == ("synthesizing", [])
    assert not any("uncertain" in warning for warning in drive.job.warnings)


def test_the_planner_is_told_of_the_ceiling_that_is_nearest_to_its_end_whosever_it_is():
    drive = drive_of(done(), limits=Limits(max_tokens=1_000))
    drive.job = drive.job.changed(usage=Usage(prompt_tokens=400))
    assert planner_view(drive.job, [], now_ms=NOW, waits={}).spent == Spent(share=0.4)
    lookups = NoWaits()
    lookups.spent = Spent(share=0.9, of="day")
    brains = Brains(own=drive.brain, extractive=drive.plain)
    call = Call(job=drive.job.id, key="1", token="t", deadline_s=1)
    round_ = PlanningRound(drive.job, [], brains=brains, call=call, lookups=lookups, clock_ms=lambda: NOW)
    asyncio.run(round_.run())
    assert drive.brain.views[-1].spent == Spent(share=0.9, of="day")
    assert "90% of what all jobs together today may spend" in str(
        decision_documents(drive.brain.views[-1], "x")
    )


def test_a_job_that_requires_evidence_asks_a_person_where_review_is_on():
    far = Evaluation(relevance=0.1, coverage=0.0, confidence=0.1)
    for review, state in (("low_confidence", "waiting_for_human"), ("never", "synthesizing")):
        drive = drive_of(search("x"), visit(A), judging(done(), far), require_evidence=True, review=review)
        answer_all(drive, A)
        drive.step(read(drive.commands[0], "Heat moves."))
        assert drive.job.state == state
