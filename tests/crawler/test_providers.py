"""A provider that fails in any way never fails a search while another one gives results."""

import pytest

from tests.crawler.crawl import Crawl

FAILURES = (
    "http429",
    "http500",
    "empty",
    "challenge",
    "slow",
    "garbage",
    "list",
    "cut",
    "private",
    "loop",
    "huge",
)


@pytest.fixture(scope="module")
def events(kept_redis, tmp_path_factory, local_web, hostile):
    crawl = Crawl(
        tmp_path_factory.mktemp("providers"),
        kept_redis,
        providers=["searxng", "duckduckgo", "wikipedia"],
        searxng_url=local_web.search,
        duckduckgo_base_url=hostile.url(2),
        wikipedia_base_url=hostile.url(3),
        search_timeout_seconds=4,
    )
    found = {}
    with crawl.node():
        for name in FAILURES:
            crawl.forget_health()
            [id_] = crawl.push(crawl.search(f"ember fern {name}"))
            found[name] = crawl.wait_for([id_])[id_]
        crawl.check_empty()
    crawl.close()
    return found


@pytest.mark.long
@pytest.mark.parametrize("failure", FAILURES)
def test_the_other_provider_gives_results(events, failure):
    event = events[failure]
    assert (event.outcome, event.reason.text) == ("ok", "")
    assert event.results
    good = next(report for report in event.providers if report.provider == "searxng")
    assert good.ok
    assert good.results
    bad = [report for report in event.providers if report.provider != "searxng"]
    assert len(bad) == 2
    assert not any(report.results for report in bad)
    assert not all(report.ok for report in bad)


@pytest.mark.long
def test_a_search_that_nobody_answers_fails_with_every_reason(kept_redis, tmp_path, hostile):
    crawl = Crawl(tmp_path, kept_redis, searxng_url=hostile.url(4))
    with crawl.node():
        [id_] = crawl.push(crawl.search("fern http500"))
        event = crawl.wait_for([id_])[id_]
    assert event.outcome == "failed"
    assert event.reason.text.startswith("searxng: ")
    assert not event.results
    crawl.close()
