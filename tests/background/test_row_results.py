"""A row's answer has the values of its columns, and a row without any says so."""

from planner.reports.report import RenderContext, unfinished
from research_crawler.background.batch_feeder import result_of_row
from research_crawler.core.models.jobs.columns import ColumnValue
from research_crawler.core.models.jobs.job import Job, JobInputs, Outcome
from research_crawler.core.models.jobs.planning_state import PlanningState
from research_crawler.core.models.reports.cited_parts import Claim

PRICE = ColumnValue(
    name="price", type="money", value=1899.0, unit="EUR", shown="€1,899", quote="It costs €1,899."
)
NONE = ColumnValue(
    name="weight", type="number", reason="not_found", note="no sentence about it answers the question"
)


def row_of(*values: ColumnValue, outcome: Outcome | None = None, brain: str = "extractive"):
    job = Job(id="j", inputs=JobInputs(goal="Tarn 300"), state="completed", plan=PlanningState(pages_read=1))
    report = unfinished(job, [], RenderContext(generated_at="2026-01-01", seconds=1.0))
    claims = [Claim(text="It is light.")]
    return result_of_row(
        job, report.changed(claims=claims, values=list(values), outcome=outcome, brain=brain)
    )


def test_the_answer_of_a_row_begins_with_the_values_that_were_found():
    state, result = row_of(PRICE, NONE, brain="model")
    assert result.answer == "price: 1,899 EUR. It is light."
    assert state == "partly"


def test_the_answer_of_a_row_with_values_has_no_sentence_that_no_model_has_read():
    assert row_of(PRICE, NONE)[1].answer == "price: 1,899 EUR."
    assert row_of(NONE)[1].answer == "It is light."


def test_a_value_that_is_a_sentence_ends_with_one_full_stop():
    sentence = ColumnValue(name="use", type="text", value="It cuts wood.", quote="It cuts wood.")
    assert row_of(sentence, brain="model")[1].answer == "use: It cuts wood. It is light."


def test_a_row_with_columns_and_no_value_is_insufficient():
    assert row_of(NONE)[0] == "insufficient"
    assert row_of()[0] == "done"


def test_a_row_without_columns_that_is_answered_in_part_is_not_done():
    assert row_of(outcome="partly")[0] == "partly"
