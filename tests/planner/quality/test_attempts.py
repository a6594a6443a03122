from hypothesis import given
from hypothesis import strategies as st

from planner.job.allowances import allowed_actions, searches_left
from planner.job.job_editor import JobEditor
from planner.quality.attempts import (
    ASSESSED_ROOM,
    attempts_allowed,
    attempts_used,
    best_attempt,
    opened_attempt,
    with_evaluation,
    within_room,
)
from planner.quality.quality_policy import (
    is_enough,
    is_hardly_relevant,
    is_hopeless,
    is_settled_by,
    should_finish,
    wants_help,
)
from research_crawler.core.models.evidence.quality import (
    Analysis,
    Assessed,
    Attempt,
    Evaluation,
    Inconsistency,
    QualityThresholds,
    ResearchLead,
)
from research_crawler.core.models.jobs.decisions import Decision
from research_crawler.core.models.jobs.job_limits import Limits
from research_crawler.core.models.messages.events import ProviderReport
from tests.planner.outline.outlines import outline
from tests.planner.scripted import Drive, ScriptedBrain, a_job, ended, found, read, search, start

A, B = "https://a.example/1", "https://b.example/2"
SHARES = st.floats(0, 1).map(lambda value: round(value, 1))
RATED = st.builds(Evaluation, relevance=SHARES, confidence=SHARES, coverage=SHARES)


def rated(relevance=0.5, coverage=0.5, confidence=0.5, reasons=""):
    return Evaluation(relevance=relevance, coverage=coverage, confidence=confidence, reasons=reasons)


def attempts(*evaluations):
    return [Attempt(n=n, round=n, queries=[f"q{n}"], evaluation=one) for n, one in enumerate(evaluations, 1)]


def test_the_best_attempt_weighs_relevance_most_then_coverage_then_confidence():
    tried = attempts(rated(0.8, 0.2, 0.2), rated(0.4, 0.9, 0.9), rated(0.9, 0.1, 0.1))
    assert [round(one.evaluation.score, 2) for one in tried] == [0.5, 0.65, 0.5]
    assert best_attempt(tried).n == 2
    assert best_attempt(attempts(rated(), rated())).n == 2
    assert best_attempt(attempts(None)) is best_attempt([]) is None


@given(st.lists(st.none() | RATED, max_size=8))
def test_no_attempt_is_better_than_the_best_one(evaluations):
    best = best_attempt(attempts(*evaluations))
    scores = [one.score for one in evaluations if one]
    assert (best.evaluation.score if best else None) == max(scores, default=None)


def test_good_evidence_allows_no_new_attempt_and_thresholds_are_settings():
    thresholds = QualityThresholds()
    assert is_enough(rated(0.7, 0.6), thresholds)
    assert not is_enough(rated(0.6, 0.9), thresholds)
    assert not is_enough(rated(0.9, 0.5), thresholds)
    assert not is_enough(None, thresholds)
    assert is_enough(rated(0.5, 0.5), QualityThresholds(enough_relevance=0.5, enough_coverage=0.5))


def searched(*, rounds, evaluation=None, limits=None, **inputs):
    """A job that has searched so often, with the evaluation of its last attempt."""
    job = a_job(limits=limits or Limits(max_searches=9, max_attempts=3), **inputs)
    drive = Drive(job, ScriptedBrain(*(search(f"query {n}") for n in range(rounds + 1))))
    drive.step(start(job))
    for n in range(rounds):
        drive.step(found(drive.commands[0], f"https://x{n}.example/"))
    return drive.job.changed(assessed=with_evaluation(drive.job.assessed, evaluation, None, "model"))


def test_scores_do_not_end_research_that_its_judge_calls_unanswered_and_worth_another_search():
    unanswered = rated(0.9, 0.6).changed(should_retry=True)
    assessed = Assessed(attempts=attempts(unanswered), analysis=Analysis(is_answered=False))
    assert not is_settled_by(assessed, QualityThresholds(), outline())
    answered = assessed.changed(analysis=Analysis(is_answered=True))
    assert is_settled_by(answered, QualityThresholds(), outline())


def test_attempts_end_with_their_number_and_each_further_sub_question_allows_one_more():
    job = searched(rounds=2)
    assert (attempts_used(job), attempts_allowed(job)) == (3, 3)
    assert searches_left(job) == 0
    assert "search" not in allowed_actions(job)
    assert attempts_allowed(job.changed(outline=outline("one?", "two?"))) == 4


def test_a_job_with_enough_does_not_search_again_unless_a_sub_question_waits():
    job = searched(rounds=0, evaluation=rated(0.8, 0.6))
    assert searches_left(job) == 0
    assert searches_left(job.changed(outline=outline("one?", "two?"))) == 8
    assert searches_left(searched(rounds=0, evaluation=rated(0.6, 0.6))) == 8


def test_a_refused_query_is_a_failed_attempt_answered_by_a_shorter_one():
    long = (
        'how do "heat pumps" X200 work in very cold weather and what do their owners say about noise at night'
    )
    drive = Drive(a_job(limits=Limits(max_searches=4)), ScriptedBrain(search(long), search(f"{long} please")))
    drive.step(start(drive.job))
    refused = ProviderReport(provider="tavily", ok=False, status=400, url="https://api.example/search")
    drive.step(ended(drive.commands[0], "failed", "bad request", providers=[refused]))
    assert drive.job.assessed.attempts[0].refused == ["tavily: 400 https://api.example/search"]
    [command] = drive.commands
    assert len(command.search.query) <= 0.6 * len(long)
    assert '"heat pumps"' in command.search.query
    assert "X200" in command.search.query
    assert drive.job.state in ("planning", "executing")
    assert attempts_used(drive.job) == 1


def test_a_failure_that_says_nothing_about_the_query_does_not_shorten_it():
    drive = Drive(
        a_job(limits=Limits(max_searches=4)),
        ScriptedBrain(search("heat pumps"), search("cold heat pumps work")),
    )
    drive.step(start(drive.job))
    down = ProviderReport(provider="searxng", ok=False, status=503, url="https://s.example/")
    drive.step(ended(drive.commands[0], "failed", "down", providers=[down]))
    assert drive.commands[0].search.query == "cold heat pumps work"


def test_weak_and_hopeless_research_is_known_by_its_best_attempt():
    thresholds = QualityThresholds()
    assert is_hardly_relevant(attempts(rated(0.5), rated(0.4)), thresholds)
    assert not is_hardly_relevant(attempts(rated(0.2, 0, 0), rated(0.6)), thresholds)
    assert not is_hardly_relevant([], thresholds)
    assert is_hopeless(attempts(rated(0.2), rated(0.1)), thresholds)
    assert not is_hopeless(attempts(rated(0.2), rated(0.3)), thresholds)
    assert not is_hopeless(attempts(None), thresholds)


def test_help_is_wanted_only_where_the_caller_requires_evidence():
    assert wants_help(searched(rounds=0, evaluation=rated(0.1), require_evidence=True))
    assert not wants_help(searched(rounds=0, evaluation=rated(0.1)))


def test_the_analyst_ends_the_research_when_it_is_sure_of_an_answer():
    def told(confidence, *, answered):
        return Assessed(analysis=Analysis(confidence_score=confidence, is_answered=answered))

    thresholds = QualityThresholds()
    assert should_finish(told(0.9, answered=True), thresholds)
    assert not should_finish(told(0.7, answered=True), thresholds)
    assert not should_finish(told(1.0, answered=False), thresholds)
    assert not should_finish(Assessed(), thresholds)


@given(
    st.lists(st.text(max_size=400), max_size=20),
    st.lists(st.text(max_size=160), max_size=6),
    st.integers(0, 30),
)
def test_attempts_and_analysis_fit_into_the_record_whatever_they_hold(queries, texts, rounds):
    assessed = Assessed()
    for number in range(rounds):
        decision = Decision(action="search", reason=" ".join(texts), expected_domains=texts)
        assessed = opened_attempt(assessed, decision, queries, number)
        analysis = Analysis(
            assessment=" ".join(texts)[:400],
            suggestions_for_next_step=texts[:4],
            new_potential_urls=[A, B],
            inconsistencies_found=[
                Inconsistency(one=text, one_url=A, other=text[::-1], other_url=B) for text in texts[:4]
            ]
            or None,
            leads=[ResearchLead(text=text, url=A) for text in texts[:5]],
        )
        assessed = with_evaluation(assessed, rated(0.1 * (number % 10)), analysis, "model")
    assert len(assessed.attempts) <= 8
    assert len(within_room(assessed).model_dump_json().encode()) <= 3 * ASSESSED_ROOM
    job = JobEditor(a_job().changed(assessed=assessed), 1).finish_step()
    assert best_attempt(job.assessed.attempts) is None or best_attempt(assessed.attempts).n == (
        best_attempt(job.assessed.attempts).n
    )


def test_a_job_that_repeats_itself_with_enough_evidence_ends_well():
    class Judge:
        async def judged(self, view):
            return None

    drive = Drive(
        a_job(limits=Limits(max_searches=4)),
        ScriptedBrain(search("x"), search("x"), search("x"), search("x")),
    )
    drive.step(start(drive.job))
    job = drive.job.changed(assessed=with_evaluation(drive.job.assessed, rated(0.9, 0.9, 0.9), None, "model"))
    drive.job = job
    drive.step(found(drive.commands[0], A))
    for command in list(drive.commands):
        drive.step(read(command, "Heat moves."))
    assert drive.job.plan.forced != "stuck"
    assert not drive.job.plan.last_resort
