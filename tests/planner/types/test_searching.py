from planner.types.searching import labels_for_job, search_spec
from research_crawler.core.models.decisions import ResultLabel
from research_crawler.core.models.quality import Assessed, Attempt
from research_crawler.core.models.records import ScoredResult, SearchRecord
from tests.planner.scripted import a_job


def a_search(results):
    return SearchRecord(n=1, command="j:1", query="q", round=1, what="ok", results=results)


def test_news_are_searched_among_the_news_of_the_last_week():
    spec = search_spec(a_job(type="news"), "gullwire", [])
    assert (spec.vertical, spec.date_restrict, spec.max_results) == ("news", "d7", 20)


def test_a_week_without_news_is_followed_by_a_search_of_the_web():
    job = a_job(type="news").changed(searches=[a_search(0)])
    assert (search_spec(job, "gullwire", []).vertical, search_spec(job, "x", []).date_restrict) == ("web", "")
    assert search_spec(job.changed(searches=[a_search(3)]), "gullwire", []).vertical == "news"


def test_other_types_search_the_web():
    assert search_spec(a_job(), "heat pumps", ["brave"]).providers == ["brave"]
    assert search_spec(a_job(type="technical"), "heat pumps", []).vertical == "web"


def test_official_documentation_comes_first_in_technical_research():
    results = [
        ScoredResult(url="https://blog.example/a"),
        ScoredResult(url="https://docs.tool.example/manual/a"),
    ]
    labels = [ResultLabel(url=results[0].url, score=0.65), ResultLabel(url=results[1].url, score=0.6)]
    job = a_job(type="technical").changed(results=results)
    assert [label.url for label in labels_for_job(job, labels)] == [results[1].url, results[0].url]
    assert labels_for_job(job.changed(inputs=job.inputs.changed(type="general")), labels) == labels


def test_pages_of_sites_on_which_the_answer_is_expected_stand_higher():
    labels = [
        ResultLabel(url="https://blog.example/a", score=0.6),
        ResultLabel(url="https://docs.python.example/a", score=0.55),
        ResultLabel(url="https://notpython.example/a", score=0.5),
    ]
    attempt = Attempt(n=1, round=1, expected_domains=["https://www.python.example/docs", ""])
    job = a_job().changed(assessed=Assessed(attempts=[attempt]))
    assert [(label.url, round(label.score, 2)) for label in labels_for_job(job, labels)] == [
        ("https://docs.python.example/a", 0.65),
        ("https://blog.example/a", 0.6),
        ("https://notpython.example/a", 0.5),
    ]
