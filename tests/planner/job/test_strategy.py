import pytest

from planner.job.strategy import choose_strategy, strategy_named
from research_crawler.core.errors import UsageError
from research_crawler.core.models.jobs.job import JobInputs
from tests.cases import each_case

ASKS = JobInputs(goal="how do heat pumps work")
BUYS = JobInputs(goal="cheap laptop", intent="commerce")
ALL = ("recommended_product", "price_expectation", "spec_to_look_for")


def test_an_informational_job_runs_phase_1_only_whatever_is_known():
    assert choose_strategy(ASKS).strategy == "phase1_only"
    assert choose_strategy(ASKS, ALL, "job x").strategy == "phase1_only"


def test_both_phases_run_if_nothing_is_known():
    choice = choose_strategy(BUYS)
    assert (choice.strategy, choice.targets) == ("phase1_and_phase2", ())
    assert "nothing is known" in choice.reason


def test_full_intelligence_leaves_phase_1_out():
    choice = choose_strategy(BUYS, ALL, "job abc")
    assert choice.strategy == "phase2_only"
    assert choice.reason == (
        "full intelligence: recommended products, the price range, specs to look for are known from job abc"
    )


def test_partial_intelligence_lets_phase_1_look_only_for_what_is_missing():
    choice = choose_strategy(BUYS, ["price_expectation", "warning"], "job abc")
    assert choice.strategy == "phase1_and_phase2"
    assert choice.targets == ("recommended products", "specs to look for")
    assert choice.reason.startswith("partial intelligence: the price range known from job abc")


def test_the_callers_strategy_comes_first():
    forced = BUYS.model_copy(update={"strategy": "phase1_only"})
    assert choose_strategy(forced, ALL, "job x").strategy == "phase1_only"
    assert choose_strategy(forced).warnings
    other = ASKS.model_copy(update={"strategy": "phase1_only"})
    assert choose_strategy(other).warnings == ()


def test_a_job_that_continues_from_another_job_starts_with_vendors():
    choice = choose_strategy(BUYS.model_copy(update={"from_job": "abcdefghijkl"}))
    assert choice.strategy == "phase2_only"
    assert "abcdefghijkl" in choice.reason


@each_case(
    ("text", "strategy"),
    [
        ("PHASE1_THEN_PHASE2", "phase1_and_phase2"),
        ("phase1-and-phase2", "phase1_and_phase2"),
        ("PHASE2_ONLY", "phase2_only"),
        ("phase1_only", "phase1_only"),
    ],
)
def test_a_strategy_may_be_written_in_several_ways(text, strategy):
    assert strategy_named(text) == strategy


def test_the_error_for_an_unknown_strategy_names_the_known_ones():
    with pytest.raises(UsageError, match="phase1_then_phase2"):
        strategy_named("phase3")
