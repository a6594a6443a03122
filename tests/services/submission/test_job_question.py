import pytest
from pydantic import ValidationError

from research_crawler.core.config import Config
from research_crawler.core.errors import UsageError
from research_crawler.core.models.jobs.caller_question import JobQuestion
from research_crawler.services.submission.job_question import request_from
from tests.cases import each_case


@each_case("text", ["2024-02-30", "2024-99-99", "tomorrow"])
@each_case("field", ["since", "until"])
def test_a_day_that_the_calendar_does_not_have_is_refused(field, text):
    with pytest.raises(ValidationError):
        JobQuestion.model_validate({"goal": "heat pumps", field: text})


def test_a_day_and_none_are_taken():
    asked = JobQuestion(goal="heat pumps", since="2024-02-29")
    assert (asked.since, asked.until) == ("2024-02-29", "")


def test_hosts_are_compared_as_urls_have_them():
    asked = JobQuestion(
        goal="heat pumps", include_hosts=["München.de", ".org"], exclude_hosts=["shop.example"]
    )
    inputs = request_from(Config(), asked).inputs
    assert (inputs.include_hosts, inputs.exclude_hosts) == (["xn--mnchen-3ya.de", "org"], ["shop.example"])


@each_case("name", ["bad host", "https://shop.example/", "", "*.org"])
@each_case("field", ["include_hosts", "exclude_hosts"])
def test_what_is_no_host_is_refused_in_one_line(field, name):
    with pytest.raises(UsageError, match="is not a host name such as"):
        request_from(Config(), JobQuestion.model_validate({"goal": "heat pumps", field: [name]}))
