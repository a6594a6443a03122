import pytest
from pydantic import ValidationError

from research_crawler.services.submission.questions import JobQuestion


@pytest.mark.parametrize("text", ["2024-02-30", "2024-99-99", "tomorrow"])
@pytest.mark.parametrize("field", ["since", "until"])
def test_a_day_that_the_calendar_does_not_have_is_refused(field, text):
    with pytest.raises(ValidationError):
        JobQuestion.model_validate({"goal": "heat pumps", field: text})


def test_a_day_and_none_are_taken():
    asked = JobQuestion(goal="heat pumps", since="2024-02-29")
    assert (asked.since, asked.until) == ("2024-02-29", "")
