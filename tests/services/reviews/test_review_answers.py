"""A person's answers on a real Redis: what they do to the job, its report, its memory, and what it holds meanwhile."""

import pytest

from planner.outline.given_outline import given_outline
from planner.quality.quality_policy import may_attempt
from research_crawler.cli.views.review_view import review_lines
from research_crawler.core.errors import JobIsOver, UsageError
from research_crawler.core.models.evidence.quality import Evaluation
from research_crawler.core.models.messages.events import CommandDone, PersonAnswered
from research_crawler.core.models.people.reviews import ReviewAnswer
from research_crawler.services.jobs.job_lifecycle import cancel_job
from research_crawler.services.jobs.job_lookup import find_job, report_of
from tests.planner.scripted import search
from tests.services.reviews.world import Reader, ReviewWorld, asks


@pytest.fixture
async def world(redis_client):
    world = ReviewWorld(redis_client)
    yield world
    await world.close()


async def test_a_job_with_a_review_waits_with_its_report_and_holds_nothing(world):
    job = await world.start()
    assert job.state == "waiting_for_human"
    assert job.review.question.kind == "review"
    assert not job.completed_at
    assert await world.held() == []
    _, _, report = await world.archived()
    assert report["state"] == "waiting_for_human"
    assert report["report_markdown"]
    view = await world.view()
    assert view.answer
    assert view.journey
    assert [source.n for source in view.sources] == list(range(1, len(view.sources) + 1))
    assert [one.id for one in view.findings][:2] == ["E1", "E2"]


async def test_a_waiting_job_waits_for_ever(world):
    await world.start()
    for _ in range(3):
        world.now_ms += 365 * 86_400_000
        await world.jobs.fire()
        await world.frontier.reap()
        assert await world.jobs.take(max_active=10) is None
    assert (await world.get()).state == "waiting_for_human"
    assert await world.redis.ttl(world.jobs.keys.job(world.job.id)) == -1
    assert (await world.frontier.counts()).problems == []


async def test_an_accepted_job_is_completed_without_a_planner_and_keeps_its_report(world):
    waiting = await world.start()
    outcome = await world.answer("accept")
    assert (outcome.state, outcome.status, outcome.is_applied) == ("completed", "completed", True)
    job = await find_job(world.runtime, world.job.id)
    report = await report_of(world.runtime, world.job.id)
    assert (job.state, report.state, report.status) == ("completed", "completed", "completed")
    assert report.report_markdown.startswith(waiting.report[:200])
    assert job.completed_at
    assert (await world.answer("accept")).state == "completed"


async def test_the_wait_for_a_person_is_no_time_of_the_job(world):
    before = await world.start()
    world.now_ms += 30 * 86_400_000
    await world.answer("reject", text="the noise is missing")
    job = await world.until_quiet()
    assert job.plan.spent_ms - before.plan.spent_ms < 60_000
    assert job.plan.touched_ms - job.plan.started_ms < 10 * 60_000
    assert job.plan.forced != "timeout"


async def test_a_rejected_report_gets_a_new_round_with_searches_of_its_own_for_what_is_missing(world):
    first = await world.start()
    assert first.plan.searches_used == 1
    outcome = await world.answer("reject", text="how loud they are at night")
    assert (outcome.state, outcome.missing) == ("executing", "planner")
    second = await world.until_quiet()
    queries = [one.query for one in second.searches[len(first.searches) :]]
    assert (
        queries[0] == "loud night heat pumps work"
    )  # with words of the question, as it says too little alone
    assert queries[1] == "how loud they are at night"
    assert len(second.visits) > len(first.visits)
    assert (second.review.rounds, second.review.question.no) == (1, 2)
    assert second.limits == first.limits
    _, _, report = await world.archived()
    assert report["review"]["reasons"] == ["how loud they are at night"]


async def test_a_complaint_is_neither_a_question_nor_searched_for_without_the_question_s_words(world):
    complaint = "You only looked at loud pumps, and none of them suits a cottage."
    first = await world.start()
    await world.answer("reject", text=complaint)
    second = await world.until_quiet()
    queries = [one.query for one in second.searches[len(first.searches) :]]
    assert all("heat" in query and "cottage" in query for query in queries[:1])
    assert complaint not in queries
    assert complaint not in [leaf.question for leaf in second.outline.leaves]
    assert not any(complaint in warning for warning in second.warnings)
    _, _, report = await world.archived()
    assert report["review"]["reasons"] == [complaint]


async def test_what_the_answer_gives_in_a_findings_words_is_shown_once_with_its_id(world):
    await world.start()
    view = await world.view()
    lines = review_lines(view)
    assert view.answering
    for text, one in view.answering.items():
        assert [line for line in lines if text in line] == [f"  {one.id}  {text}"]


async def test_a_rejected_finding_stays_out_of_the_report_of_later_rounds_and_of_memory(world):
    await world.start()
    view = await world.view()
    gone = view.findings[0]
    outcome = await world.answer("reject_finding", findings=[gone.id], text="it is an advertisement")
    assert outcome.retracted_claims == [gone.claim]
    _, findings, report = await world.archived()
    assert gone.finding not in [finding.id for finding in findings]
    assert report == {}, "a report that rests on it must not be shown again"
    await world.until_quiet()
    _, findings, report = await world.archived()
    assert gone.claim not in report["report_markdown"]
    assert gone.claim not in [one["claim"] for one in report["evidence"]]
    assert gone.finding not in [finding.id for finding in findings]
    assert report["review"]["rejected_findings"] == 1


async def test_a_rejected_source_is_neither_cited_nor_visited_again(world):
    await world.start()
    view = await world.view()
    url = view.sources[0].url
    host = url.split("/")[2]
    outcome = await world.answer("reject_source", source=host)
    assert len(outcome.retracted_claims) == 2
    job = await world.until_quiet()
    _, _, report = await world.archived()
    assert host not in {source["host"] for source in report["sources"]}
    assert all(host not in one["url"] for one in report["evidence"])
    assert not [
        visit for visit in job.visits if host in visit.url and visit.round > job.plan.review_round_start.round
    ]
    assert report["review"]["rejected_sources"] == [host]
    await world.answer("reject_source", source="[1]")
    second = (await world.until_quiet()).review.rejected_sources
    assert second == [host, report["sources"][0]["url"]]


async def test_what_a_person_states_is_shown_as_the_persons_words_and_never_as_a_quote(world):
    await world.start()
    fact = "Our cellar is 14 °C in winter; see [1] and https://evil.example/"
    await world.answer("append", text=fact, append_as="fact")
    await world.until_quiet()
    await world.answer("append", text="I dislike fans", append_as="opinion")
    await world.until_quiet()
    _, _, report = await world.archived()
    assert [(one["id"], one["kind"], one["text"]) for one in report["review"]["statements"]] == [
        ("P1", "fact", fact), ("P2", "opinion", "I dislike fans"),
    ]  # fmt: skip
    assert all("cellar" not in one["quote"] for one in report["evidence"])
    section = report["report_markdown"].split("## From the Reviewer")[1].split("## ")[0]
    assert "fact: Our cellar is 14 °C in winter; see \\[1\\]" in section
    assert "no page was checked for it" in section


async def test_an_appended_page_is_read_and_an_appended_constraint_is_searched_for(world):
    await world.start()
    await world.answer("append", text="https://named.example/page")
    world.brain.script = []
    job = await world.until_quiet()
    assert "https://named.example/page" in job.inputs.urls
    before = len(job.searches)
    await world.answer("append", text="only below 40 dB", append_as="constraint")
    job = await world.until_quiet()
    assert job.searches[before + 1].query == "only below 40 dB"


async def test_a_completed_job_is_brought_back_also_when_redis_has_forgotten_it(world):
    await world.start()
    await world.answer("accept")
    await world.redis.flushall()
    outcome = await world.answer("reject", text="the prices are missing")
    assert outcome.state == "executing"
    job = await world.until_quiet()
    assert (job.state, job.review.rounds) == ("waiting_for_human", 1)
    assert len(job.searches) == 2
    commands = [one.command for one in (*job.searches, *job.visits)]
    assert len(set(commands)) == len(commands)
    await world.answer("accept")
    assert (await report_of(world.runtime, world.job.id)).review.rounds == 1
    assert (await world.frontier.counts()).problems == []


async def test_a_completed_job_that_redis_still_has_does_not_expire_once_it_is_brought_back(world):
    await world.start()
    await world.answer("accept")
    assert await world.redis.ttl(world.jobs.keys.job(world.job.id)) > 0
    await world.answer("append", text="I have no garden", append_as="fact")
    for key in (world.jobs.keys.job(world.job.id), world.jobs.keys.found(world.job.id)):
        assert await world.redis.ttl(key) == -1
    assert (await world.until_quiet()).state == "waiting_for_human"


async def test_an_answer_to_an_earlier_question_has_no_effect(world):
    await world.start()
    await world.answer("reject", text="more about noise")
    waiting = await world.until_quiet()
    late = PersonAnswered(
        uid="late", job=world.job.id, no=1, answer=ReviewAnswer(kind="accept")
    )  # fmt: skip
    await world.jobs.deliver(world.job.id, late)
    job = await world.until_quiet()
    assert (job.state, job.review) == ("waiting_for_human", waiting.review)


async def test_two_persons_at_once_are_counted_once(world):
    await world.start()
    for uid in ("one", "two"):
        answer = ReviewAnswer(kind="append", text=f"said by {uid}")
        await world.jobs.deliver(world.job.id, PersonAnswered(uid=uid, job=world.job.id, no=1, answer=answer))
    job = await world.until_quiet()
    assert [one.text for one in job.review.remarks] == ["said by one"]


async def test_a_job_that_is_cancelled_while_it_waits_keeps_the_report_that_it_waited_with(world):
    await world.start()
    assert await cancel_job(world.runtime, world.job.id)
    report = await report_of(world.runtime, world.job.id)
    assert (report.state, report.exit_code) == ("cancelled", 1)
    assert report.claims
    with pytest.raises(JobIsOver):
        await world.answer("reject", text="again")


async def test_a_job_that_is_cancelled_after_a_rejection_does_not_bring_the_rejected_finding_back(world):
    await world.start()
    gone = (await world.view()).findings[0]
    await world.answer("reject_finding", findings=[gone.id])
    await cancel_job(world.runtime, world.job.id)
    report = await report_of(world.runtime, world.job.id)
    assert report.state == "cancelled"
    assert gone.claim not in report.model_dump_json()


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        ({"kind": "reject"}, "what is wrong"),
        ({"kind": "reject_finding", "findings": ["E99"]}, "no finding 'E99'"),
        ({"kind": "reject_finding"}, "name 1 to"),
        ({"kind": "reject_source", "source": "https://never.example/"}, "no source"),
        ({"kind": "reject_source", "source": "99"}, "no source 99"),
        ({"kind": "append", "text": " "}, "what to add"),
        ({"kind": "append", "text": "it is mine"}, "a fact, an opinion, a constraint or a URL"),
        ({"kind": "append", "text": "no url", "append_as": "url"}, "not an http"),
        ({"kind": "append", "text": "x" * 700}, "longer than 600"),
        ({"kind": "outline", "outline": "# A"}, "does not wait with a plan"),
    ],
)
async def test_an_impossible_answer_is_refused_in_one_line_and_changes_nothing(world, request_, said):
    before = await world.start()
    with pytest.raises(UsageError, match=said):
        await world.answer(**request_)
    assert await world.get() == before


async def test_low_confidence_asks_only_where_the_evidence_is_not_enough(redis_client):
    sure, unsure = ReviewWorld(redis_client, review="low_confidence"), None
    assert (await sure.start()).state == "completed"
    await redis_client.flushall()
    unsure = ReviewWorld(redis_client, review="low_confidence")
    unsure.outcome = lambda command: ReviewWorld.outcome(unsure, command).changed(findings=[], results=[])
    unsure.brain.script = []
    job = await unsure.start()
    assert job.state == "waiting_for_human"
    for one in (sure, unsure):
        await one.close()


async def test_nobody_is_asked_by_default(redis_client):
    world = ReviewWorld(redis_client, review="never")
    assert (await world.start()).state == "completed"
    await world.close()


async def test_the_planner_asks_a_person_and_goes_on_with_the_answer(redis_client):
    world = ReviewWorld(redis_client)

    async def decide(view, call):
        asked = any("question 1" in line for line in view.past_actions)
        step = search("first") if not view.searches else asks("Which of the two heat pumps?")
        if asked:
            return await reads(view, call)
        world.brain.script = [step]
        return await world.brain._decided(view, call)

    reads = world.brain.decide
    world.brain.decide = decide
    job = await world.start()
    question = job.review.question
    assert (question.kind, question.text) == ("ask", "Which of the two heat pumps?")
    assert "the pages do not say it; 1 searches" in question.difficulty
    assert await world.held() == []
    view = await world.view()
    assert view.question == question
    world.brain.script = []
    await world.answer("append", text="the one with water", append_as="constraint")
    job = await world.until_quiet()
    assert job.review.question.kind == "review"
    assert any("the one with water" in one.query for one in job.searches)
    await world.close()


async def test_what_was_found_may_be_accepted_when_the_planner_asks_for_help(redis_client):
    world = ReviewWorld(redis_client)
    world.brain.decide = lambda view, call: _asking(world, view, call)
    await world.start()
    await world.answer("accept")
    job = await world.until_quiet()
    assert (job.state, job.plan.forced) == ("completed", "accepted")
    await world.close()


async def _asking(world, view, call):
    world.brain.script = [asks("Which one?")]
    return await world.brain._decided(view, call)


async def test_a_planner_that_only_asks_is_stopped_after_three_questions(redis_client):
    world = ReviewWorld(redis_client)
    world.brain.decide = lambda view, call: _asking(world, view, call)
    job = await world.start()
    kinds = [job.review.question.kind]
    while job.review.question.kind == "ask":
        await world.answer("append", text="I do not know", append_as="opinion")
        job = await world.until_quiet()
        kinds.append(job.review.question.kind)
    assert kinds == ["ask", "ask", "ask", "review"]
    await world.close()


async def test_the_plan_is_shown_before_the_first_fetch_and_carried_out_as_shown(redis_client):
    world = ReviewWorld(redis_client, review="never", approve_plan=True)
    job = await world.start()
    question = job.review.question
    assert (question.kind, question.queries) == ("plan", ["query 0"])
    assert (world.settled, job.searches, job.visits) == (0, [], [])
    assert await world.held() == []
    await world.answer("accept")
    job = await world.until_quiet()
    assert (job.state, job.searches[0].query) == ("completed", "query 0")
    await world.close()


async def test_a_plan_is_edited_by_an_outline_and_added_to(redis_client):
    world = ReviewWorld(redis_client, review="never", approve_plan=True)
    await world.start()
    await world.answer("append", text="only quiet ones", append_as="constraint")
    job = await world.until_quiet()
    assert (job.review.question.kind, job.review.question.no, world.settled) == ("plan", 2, 0)
    with pytest.raises(UsageError, match="neither a heading"):
        await world.answer("outline", outline="no heading")
    await world.answer("outline", outline="# Noise\n- How loud are they?\n# Cost\n")
    job = await world.until_quiet()
    assert job.state == "completed"
    assert job.outline.is_given
    assert [leaf.question for leaf in job.outline.leaves] == ["How loud are they?", "Cost"]
    await world.close()


async def test_a_plan_is_cancelled_before_anything_is_fetched(redis_client):
    world = ReviewWorld(redis_client, review="never", approve_plan=True)
    await world.start()
    assert await cancel_job(world.runtime, world.job.id)
    assert ((await world.get()).state, world.settled) == ("cancelled", 0)
    await world.close()


class Stubborn(Reader):
    """Wants the same query for ever, and so gets into a loop at each decision."""

    async def decide(self, view, call):
        self.script = [search("the same query")]
        return await self._decided(view, call)


async def test_every_way_out_of_a_loop_is_taken_once_in_order_and_the_last_one_is_the_person(redis_client):
    world = ReviewWorld(redis_client)
    limits = world.job.limits.model_copy(update={"max_searches": 6, "max_visits": 6})
    world.job = world.job.model_copy(update={"limits": limits}).changed(
        outline=given_outline("# Heat\n- How warm does it get?\n# Noise\n")
    )
    world.brain = Stubborn()
    job = await world.start()
    assert (job.state, job.review.question.kind) == ("waiting_for_human", "ask")
    ways = [
        entry.text.rpartition("; the next step is ")[2] for entry in job.timeline if entry.action == "stuck"
    ]
    assert ways == [
        "a markedly different query", "a narrower sub-question", "an unused lead", "a person",
    ]  # fmt: skip
    assert "the planner chose the same query or page twice" in job.review.question.difficulty
    assert "How warm does it get?" in job.review.question.difficulty
    await world.close()


async def test_where_nobody_is_asked_the_ladder_ends_with_a_warning(redis_client):
    world = ReviewWorld(redis_client, review="never")
    world.brain = Stubborn()
    job = await world.start()
    assert (job.state, job.plan.forced, job.plan.last_resort) == ("completed", "stuck", True)
    assert any("stuck" in warning for warning in job.warnings)
    await world.close()


async def test_an_earlier_jobs_rejected_finding_is_not_used_by_a_job_that_starts_from_it(world):
    await world.start()
    view = await world.view()
    await world.answer("accept")
    job, findings, _ = await world.archived()
    gone = findings[0]
    await world.archive.index_event(
        CommandDone(uid="y", job=world.job.id, command=gone.command, findings=[gone])
    )
    await world.archive.retract(world.job.id, [gone.id])
    second = world.job.changed(strategy="phase2_only").model_copy(update={"id": "later"})
    second = second.changed(
        inputs=second.inputs.model_copy(update={"from_job": job.id, "intent": "commerce"})
    )
    await world.jobs.submit(second)
    world.job = second
    await world._plan()
    known = [finding.id for finding in await world.jobs.findings("later")]
    assert len(known) == len(findings) - 1
    assert gone.id not in known
    assert view.findings


async def test_a_new_round_may_search_though_the_evidence_was_scored_as_good_enough(world):
    await world.start()
    good = Evaluation(relevance=0.9, confidence=0.9, coverage=0.9, should_retry=False, reasons="enough")
    world.job = await world.get()
    assessed = world.job.assessed.changed(
        attempts=[one.changed(evaluation=good) for one in world.job.assessed.attempts]
    )
    assert assessed.attempts
    await world.redis.hset(world.jobs.keys.job(world.job.id), "assessed", assessed.model_dump_json())
    assert not may_attempt(await world.get())
    await world.answer("reject_finding", findings=["E1"])
    job = await world.until_quiet()
    assert len(job.searches) > len(world.job.searches)
    assert job.review.question.kind == "review"
