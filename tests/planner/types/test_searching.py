from planner.types.searching import fresh_news, labels_for_job, search_spec
from research_crawler.core.models.evidence.quality import Assessed, Attempt
from research_crawler.core.models.jobs.decisions import ResultLabel
from research_crawler.core.models.jobs.records import ScoredResult, SearchRecord
from research_crawler.core.models.messages.events import SearchResult
from tests.planner.scripted import a_job


def a_search(results):
    return SearchRecord(n=1, command="j:1", query="q", round=1, outcome="ok", results=results)


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


def test_old_news_are_left_out_where_there_are_newer_ones_and_used_where_there_are_none():
    def dated(*days):
        return [
            SearchResult(url=f"https://n.example/{n}", rank=n, fused=1, published=day)
            for n, day in enumerate(days)
        ]

    job = a_job(type="news").model_copy(update={"created_at": "2026-03-10T08:00:00+00:00"})
    mixed = dated("2026-03-09", "2026-01-02T10:00:00Z", "", "2026-03-03")
    assert [one.published[:10] for one in fresh_news(job, mixed)] == ["2026-03-09", "", "2026-03-03"]
    assert fresh_news(job, dated("2026-01-02", "")) == dated("2026-01-02", "")
    assert fresh_news(job.changed(inputs=job.inputs.changed(since="2026-01-01")), mixed) == mixed
    assert fresh_news(a_job(type="general"), mixed) == mixed
