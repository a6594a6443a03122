"""A batch is checked whole before anything is started."""

import pytest
from pydantic import ValidationError

from research_crawler.core.batch_template import filled
from research_crawler.core.config import Config
from research_crawler.core.errors import RowError, UsageError
from research_crawler.core.models.jobs.batches import row_job_id
from research_crawler.core.models.jobs.job import JobInputs
from research_crawler.core.models.jobs.job_limits import Ceilings
from research_crawler.services.batches.batch_requests import BatchRequest, checked_batch
from research_crawler.services.batches.input_table import input_table
from research_crawler.services.submission.new_jobs import JobRequest
from tests.cases import each_case


def request(text: str, template: str = "", **ceilings) -> BatchRequest:
    job = JobRequest(inputs=JobInputs(goal=template))
    return BatchRequest(table=input_table(text.encode(), "csv"), job=job, ceilings=Ceilings(**ceilings))


def checked(tmp_path, text: str, template: str = "", **options):
    return checked_batch(Config(home=tmp_path), request(text, template, **options))


def test_a_batch_knows_its_question_its_fields_and_its_limits(tmp_path):
    made = checked(tmp_path, "name,country\nAcme,DE\nBolt,FR\n", "{name} {country}: what does it cost?")
    assert made.batch.rows == 2
    assert made.batch.fields == ["name", "country"]
    assert made.batch.limits.max_searches == 5
    assert made.batch.inputs.batch
    assert made.batch.inputs.batch_id == made.batch.id
    assert filled(made.batch.template, made.rows[1]) == "Bolt FR: what does it cost?"


@pytest.mark.parametrize("header", ["topic", "Question", "anything"])
def test_the_question_may_be_a_column(tmp_path, header):
    assert checked(tmp_path, f"{header}\nheat pumps\n").batch.template == "{" + header + "}"


@pytest.mark.parametrize(
    ("text", "template", "row", "column", "says"),
    [
        ("name,country\na,b\n", "{nmae}?", 0, "", "name, country"),
        ("name,country\na,b\n", "{name?", 0, "", "template"),
        ("name,country\na,b\n", "{name.__class__}?", 0, "", "only name"),
        ("name,country\na,b\n", "{name!r}?", 0, "", "name alone"),
        ("name,country\na,b\n", "what is new?", 0, "", "no column"),
        ("name,country\na,b\n", "", 0, "", "give a template"),
        ("name,country\na,b\n,\n", "{name}?", 3, "", "empty"),
        ("name,country\na,b\n,c\n", "{name}?", 3, "name", "empty"),
        ("name,country\na,b\nA ,c\n", "{name}?", 3, "name", "line 2"),
    ],
)
def test_what_cannot_be_asked_is_named_in_one_line(tmp_path, text, template, row, column, says):
    with pytest.raises(RowError) as caught:
        checked(tmp_path, text, template)
    assert (caught.value.row, caught.value.column) == (row, column)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_questions_that_are_too_long_are_refused(tmp_path):
    with pytest.raises(UsageError, match="4,000 bytes"):
        checked(tmp_path, "topic\na\n", "{topic}" + "x" * 4_000)


def test_braces_of_a_template_can_be_text_and_cells_are_never_templates():
    assert filled("{{x}} {name}", {"name": "{country} {0}"}) == "{x} {country} {0}"


def test_the_job_of_a_row_is_the_same_after_a_restart_and_another_one_for_a_new_attempt():
    ids = [row_job_id("batchaaaaaaa", n, attempt) for n in (1, 2, 11) for attempt in (0, 1)]
    assert len(set(ids)) == len(ids)
    assert ids == [row_job_id("batchaaaaaaa", n, attempt) for n in (1, 2, 11) for attempt in (0, 1)]


@each_case("usd", [-1.0, 0, float("nan"), float("inf"), 1e300])
def test_a_ceiling_above_which_nothing_is_ever_found_is_refused(usd):
    with pytest.raises(ValidationError, match="max_usd"):
        Ceilings(max_usd=usd)
    with pytest.raises(ValidationError, match="max_tokens"):
        Ceilings(max_tokens=10**30)


def test_a_ceiling_in_money_of_a_batch_or_a_day_needs_the_prices_of_the_models(tmp_path):
    config = Config(home=tmp_path, openai_base_url="https://api.example/v1", mind_model="nobody-knows-it")
    with pytest.raises(UsageError, match="the price of nobody-knows-it is not known"):
        checked_batch(config, request("topic\na\n", max_usd=1.0))
    with pytest.raises(UsageError, match="the price of nobody-knows-it is not known"):
        checked_batch(config.changed(day_max_usd=1.0), request("topic\na\n"))


def test_a_question_that_is_too_long_in_bytes_is_named_by_its_row(tmp_path):
    with pytest.raises(RowError, match="4,000 bytes") as caught:
        checked(tmp_path, f"a,b\n{'x' * 1_990},{'x' * 1_990}\n{'é' * 1_500},{'é' * 1_500}\n", "{a} {b}")
    assert caught.value.row == 3
