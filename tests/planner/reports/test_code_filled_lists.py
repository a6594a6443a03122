"""A list that code fills from the job's record is declared once; report.md and `--json` have it then."""

import pytest

from planner.reports import code_filled_lists
from planner.reports.code_filled_lists import CODE_FILLED_LISTS, CodeFilledList
from research_crawler.text.writing.messages import ENGLISH_MESSAGES
from tests.planner.reports.test_report import report_of, researched
from tests.planner.reports.test_sections import HEAT


def test_a_declared_list_stands_in_the_report_and_in_json(monkeypatch):
    queries = CodeFilledList(key="in_detail", lines=lambda job, _: [search.query for search in job.searches])
    monkeypatch.setattr(code_filled_lists, "CODE_FILLED_LISTS", (*CODE_FILLED_LISTS, queries))
    drive = researched()
    report = report_of(drive, HEAT)
    (query,) = {search.query for search in drive.job.searches}
    assert [entry.text for entry in report.lists["in_detail"]] == [query]
    assert f"## {ENGLISH_MESSAGES('in_detail')}\n\n- {query}" in report.report_markdown


def test_each_list_has_its_heading():
    assert all(ENGLISH_MESSAGES(one.key) for one in CODE_FILLED_LISTS)


@pytest.mark.parametrize(("key", "has_field"), [("sources", False), ("refused_pages", True)])
def test_a_list_that_json_would_lose_cannot_be_declared(key, has_field):
    with pytest.raises(ValueError, match=key):
        CodeFilledList(key=key, lines=lambda job, draft: [], has_field=has_field)
