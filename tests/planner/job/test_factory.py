from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from planner.job.factory import MAX_CONTEXT_BYTES, is_job_id, make_job, new_job_id
from research_crawler.core.config import load_core_config
from research_crawler.core.errors import UsageError
from research_crawler.core.models.jobs.caller_question import JobQuestion
from research_crawler.core.models.jobs.job import JobInputs
from research_crawler.core.models.jobs.job_limits import Limits
from research_crawler.core.text.plain_text import clean
from research_crawler.services.submission.job_question import request_from
from tests.cases import each_case


def test_a_job_id_is_twelve_characters_of_base32():
    ids = {new_job_id() for _ in range(200)}
    assert len(ids) == 200
    assert all(is_job_id(job) for job in ids)


@pytest.mark.parametrize("goal", ["", "  \n\t "])
def test_an_empty_goal_is_refused_with_what_to_do(goal):
    with pytest.raises(UsageError, match="say what to research"):
        make_job(JobInputs(goal=goal), Limits())


def test_characters_that_command_a_terminal_are_in_no_question():
    job = make_job(JobInputs(goal="\x1b[31mheat\x07 pumps\x00\n\tin detail\u202e", topic="a\x08b"), Limits())
    assert (job.inputs.goal, job.inputs.topic) == ("[31mheat pumps\n\tin detail", "ab")
    with pytest.raises(UsageError, match="say what to research"):
        make_job(JobInputs(goal="\x07\x1b "), Limits())


@each_case("job", ["ABC", "short", "0123456789ab", "../../etc/pa"])
def test_a_malformed_job_id_is_refused(job):
    with pytest.raises(UsageError):
        make_job(JobInputs(goal="x"), Limits(), job_id=job)


def test_the_intent_is_detected_unless_it_was_given():
    assert make_job(JobInputs(goal="buy a chair"), Limits()).inputs.intent == "commerce"
    given_ = JobInputs(goal="buy a chair", intent="informational", intent_given=True)
    assert make_job(given_, Limits()).inputs.intent == "informational"


def test_a_commerce_job_runs_both_phases():
    job = make_job(JobInputs(goal="find me a cheap gaming laptop"), Limits())
    assert job.strategy == "phase1_and_phase2"
    assert job.warnings == []
    assert (job.inputs.region, job.inputs.currency) == ("US", "USD")


def test_an_informational_job_runs_phase_1_and_has_no_buyers_country():
    job = make_job(JobInputs(goal="how do heat pumps work"), Limits())
    assert job.strategy == "phase1_only"
    assert (job.inputs.region, job.inputs.currency, job.warnings) == ("", "", [])


def test_a_commerce_job_with_phase_1_only_warns_that_offers_were_not_compared():
    job = make_job(JobInputs(goal="find me a cheap gaming laptop", strategy="phase1_only"), Limits())
    assert job.strategy == "phase1_only"
    assert "Offers were not compared" in job.warnings[0]
    inputs = JobInputs(
        goal="finde mir einen günstigen Laptop für die Schule", strategy="phase1_only", intent="commerce"
    )
    assert "Angebote wurden nicht verglichen" in make_job(inputs, Limits()).warnings[0]


def test_a_cut_context_is_said_in_the_language_of_the_goal():
    long = "x" * (MAX_CONTEXT_BYTES + 1)
    [english] = make_job(JobInputs(goal="how do heat pumps work", context=long), Limits()).warnings
    assert english == "Only the last 12,000 bytes of the context were used."
    inputs = JobInputs(goal="wie funktioniert eine Wärmepumpe", prior_turn_context=long)
    assert make_job(inputs, Limits()).warnings == [
        "Nur die letzten 12.000 Byte des früheren Gesprächs wurden verwendet."
    ]


def test_a_job_that_asks_vendors_is_commerce():
    job = make_job(JobInputs(goal="Lenovo LOQ 15", strategy="phase2_only"), Limits())
    assert (job.inputs.intent, job.strategy) == ("commerce", "phase2_only")
    assert (
        make_job(JobInputs(goal="Lenovo LOQ 15", from_job="abcdefghijkl"), Limits()).strategy == "phase2_only"
    )


@pytest.mark.parametrize(
    ("goal", "more", "intent", "strategy"),
    [
        (
            "what are the best budget gaming laptops",
            {"strategy": "phase1_only"},
            "informational",
            "phase1_only",
        ),
        ("find me a cheap gaming laptop", {}, "commerce", "phase1_and_phase2"),
        ("find RTX 4060 laptops", {"vendors": 5}, "commerce", "phase1_and_phase2"),
    ],
)
def test_the_three_example_commands_run_the_phases_that_the_specification_names(
    goal, more, intent, strategy, tmp_path
):
    request = request_from(load_core_config(home=tmp_path), JobQuestion(goal=goal, **more))
    job = make_job(request.inputs, Limits())
    assert (job.inputs.intent, job.strategy, job.inputs.vendors) == (intent, strategy, more.get("vendors", 3))


@each_case(
    ("more", "message"),
    [
        ({"vendors": 0}, "between 1 and 10"),
        ({"vendors": 99}, "between 1 and 10"),
        ({"region": "Atlantis"}, "is not a country code"),
        ({"currency": "QQQ"}, "is not a currency code"),
    ],
)
def test_vendors_country_and_currency_are_checked(more, message):
    with pytest.raises(UsageError, match=message):
        make_job(JobInputs(goal="buy a chair", **more), Limits())


@pytest.mark.parametrize("words", [49, 5_001])
def test_no_job_has_a_length_that_a_report_cannot_have(words):
    with pytest.raises(ValidationError, match="max_words"):
        JobInputs(goal="how do heat pumps work", max_words=words)


def test_urls_in_the_goal_may_be_visited():
    goal = (
        "Summarise https://A.example/x?utm_source=m, (see http://b.example/wiki_(c)) and https://a.example/x."
    )
    job = make_job(JobInputs(goal=goal, urls=["https://c.example"]), Limits())
    assert job.inputs.urls == ["https://c.example/", "https://a.example/x", "http://b.example/wiki_(c)"]


def test_a_malformed_url_is_refused():
    with pytest.raises(UsageError, match="not an http"):
        make_job(JobInputs(goal="x", urls=["file:///etc/passwd"]), Limits())


def test_the_end_of_a_long_context_is_used():
    job = make_job(JobInputs(goal="x", context="old " * 5_000 + "newest"), Limits())
    assert job.inputs.context.endswith("newest")
    assert len(job.inputs.context) <= 12_000
    assert any("context" in warning for warning in job.warnings)


def test_a_goal_that_is_too_long_is_refused():
    with pytest.raises(UsageError, match="longer than"):
        make_job(JobInputs(goal="x" * 5_000), Limits())


def test_a_new_job_is_pending_and_dated():
    job = make_job(JobInputs(goal="x"), Limits(), created_at=datetime(2026, 1, 2, tzinfo=UTC))
    assert (job.state, job.version, job.created_at) == ("pending", 0, "2026-01-02T00:00:00+00:00")
    assert job.progress.current_action == "Generating search queries"


@given(st.text(max_size=300))
def test_any_text_becomes_a_job_or_a_usage_error(goal):
    try:
        job = make_job(JobInputs(goal=goal), Limits())
    except UsageError:
        assert not clean(goal).strip()
    else:
        assert job.inputs.goal == clean(goal).strip()
