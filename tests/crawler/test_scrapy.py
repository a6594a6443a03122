"""The node under Scrapy's own command line, and scrapy-redis' inlet."""

import contextlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests import warm

PROJECT = Path(__file__).parents[2]


def environment(crawl) -> dict[str, str]:
    settings = crawl.settings
    return os.environ | {
        "RESEARCH_HOME": settings["home"],
        "REDIS_URL": settings["redis_url"],
        "RESEARCH_REDIS_PREFIX": settings["redis_prefix"],
        "RESEARCH_ALLOW_PRIVATE_HOSTS": "127.0.0.0/8",
        "PHASE1_VISIT_DELAY_SECONDS": "0.05",
        "RESEARCH_DOWNLOAD_TIMEOUT_SECONDS": "3",
        "PYTHONPATH": str(PROJECT),
    }


@contextlib.contextmanager
def scrapy_crawl(spider: str, crawl, *, arguments: tuple[str, ...] = (), **settings: str):
    log = crawl.home / "node-scrapy.log"
    with (
        log.open("w") as stderr,
        warm.start(
            [
                "-m",
                "scrapy",
                "crawl",
                spider,
                *arguments,
                *(word for pair in settings.items() for word in ("-s", "=".join(pair))),
            ],
            cwd=PROJECT,
            env=environment(crawl),
            stderr=stderr,
            stdout=stderr,
        ) as process,
    ):
        try:
            yield process
        finally:
            process.kill()


def test_scrapy_lists_the_spiders(crawl):
    listed = subprocess.run(
        [sys.executable, "-m", "scrapy", "list"],
        cwd=PROJECT,
        env=environment(crawl),
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert listed.stdout.split() == ["page", "search", "vendor"]


@pytest.mark.long
def test_scrapy_crawl_page_is_a_node_that_stops_in_order(crawl, web):
    url = web.hosts["lore"] + "/ember-fern"
    with scrapy_crawl("page", crawl) as process:
        [event] = crawl.fetch(url)
        assert (event.outcome, event.page.final_url) == ("ok", url)
        [search] = crawl.push(crawl.search("ember fern"))
        crawl.push(crawl.visit(web.hazards["endless"]))
        crawl.wait_until(lambda: len(crawl.leased()) == 1)
        process.terminate()
        assert process.wait(60) == 0
    assert crawl.command(search)
    assert not crawl.leased()
    assert crawl.counts().nodes == 0


@pytest.mark.long
@pytest.mark.parametrize(
    ("spider", "url", "words"),
    [
        ("page", "{lore}/ember-fern", "ember fern"),
        ("page", "{lore}/no-such-page", "http 404"),
        ("page", "lore", "is not an http(s) URL"),
        ("search", "{lore}/ember-fern", "scrapy crawl page -a url="),
    ],
)
def test_a_spider_that_is_given_a_url_reads_that_page_or_says_what_is_wrong_and_ends(
    crawl, web, spider, url, words
):
    given = url.format(lore=web.hosts["lore"])
    with scrapy_crawl(spider, crawl, arguments=("-a", f"url={given}")) as process:
        assert process.wait(90) == 0
    assert words.lower() in (crawl.home / "node-scrapy.log").read_text().lower()
    assert crawl.counts().nodes == 0


@pytest.fixture
def inlet(running):
    running.redis.delete("page:start_urls")
    yield lambda *entries: running.redis.rpush("page:start_urls", *entries)
    running.redis.delete("page:start_urls")


def test_urls_that_others_push_are_fetched(running, web, inlet):
    urls = [f"{web.hosts['lore']}/{name}" for name in ("ember-fern", "ember-moss", "marrowby")]
    paths = {"/ember-fern", "/ember-moss"}
    inlet(urls[0], json.dumps({"url": urls[1], "meta": {"priority": 1}}), "no url", "[1, 2]")
    running.wait_until(lambda: paths <= {entry.path for entry in web.log()})
    running.wait_until(lambda: not running.redis.exists("page:start_urls"))
    running.wait_until(lambda: not running.leased())
    inlet(urls[2], urls[2])
    running.wait_until(lambda: any(entry.path == "/marrowby" for entry in web.log()))
    running.wait_until(lambda: not running.redis.exists("page:start_urls"))
    assert sum(entry.path == "/marrowby" for entry in web.log()) == 1


def test_an_inlet_of_another_type_stops_nobody(running, web, inlet):
    running.redis.set("page:start_urls", "not a list")
    time.sleep(1.5)
    [event] = running.fetch(web.hosts["lore"] + "/ember-fern")
    assert event.outcome == "ok"
    assert "page:start_urls" in running.logs()


def test_the_inlet_is_read_as_the_settings_of_scrapy_redis_say(crawl, web):
    entries = {
        json.dumps({"url": web.hosts["lore"] + "/ember-fern", "q": "f\u00fcr"}, ensure_ascii=False): 1,
        json.dumps({"url": web.hosts["lore"] + "/ember-moss", "meta": {"priority": 0}}): 2,
        json.dumps({"url": web.hosts["lore"] + "/ida-brannock", "method": "POST"}): 3,
    }
    key = f"{crawl.prefix}page:todo"
    crawl.redis.zadd(key, {text.encode("latin-1"): score for text, score in entries.items()})
    settings = {
        "REDIS_START_URLS_KEY": f"{crawl.prefix}%(name)s:todo",
        "REDIS_START_URLS_AS_ZSET": "1",
        "REDIS_ENCODING": "latin-1",
        "REDIS_START_URLS_BATCH_SIZE": "2",
    }
    with scrapy_crawl("page", crawl, **settings):
        crawl.wait_until(lambda: any(entry.path.startswith("/ember-fern?q=f") for entry in web.log()))
        crawl.wait_until(lambda: any(entry.path == "/ember-moss" for entry in web.log()))
    assert not crawl.redis.exists(key)
    assert "an entry of start_urls is skipped" in crawl.logs()
    assert not any(entry.path == "/ida-brannock" for entry in web.log())


def fetched(crawl, *arguments: str) -> subprocess.CompletedProcess[str]:
    done = warm.run(["-m", "scrapy", "fetch", *arguments], cwd=PROJECT, env=environment(crawl), timeout=60)
    done.check_returncode()
    return done


@pytest.mark.long
def test_scrapy_fetch_prints_a_page_that_guard_robots_and_permit_let_through(crawl, web):
    url = web.hosts["lore"] + "/ember-fern"
    done = fetched(crawl, url)
    assert "</html>" in done.stdout
    assert "Traceback" not in done.stderr
    assert not any(crawl.counts().queued.values())
    moved = fetched(crawl, "--headers", web.hazards["redirect_other_host"])
    assert "< Content-Type" in moved.stdout


@pytest.mark.parametrize(("hazard", "why"), [("robots_disallowed", "robots"), ("", "guard: private_address")])
@pytest.mark.long
def test_scrapy_fetch_says_in_one_line_why_a_page_is_not_fetched(crawl, web, hazard, why):
    url = web.hazards[hazard] if hazard else "http://10.0.0.1/"
    done = fetched(crawl, url)
    assert done.stdout == ""
    [line] = done.stderr.splitlines()
    assert line.endswith(f"{url} was not fetched: {why}")


@pytest.mark.parametrize("name", ["out.jsonl", "out.csv"])
@pytest.mark.long
def test_scrapy_crawl_page_writes_a_record_for_each_command_that_it_ends(crawl, web, tmp_path, name):
    url, out = web.hosts["lore"] + "/ember-fern", tmp_path / name
    with scrapy_crawl("page", crawl, arguments=("-O", str(out))) as process:
        crawl.fetch(url)
        process.terminate()
        assert process.wait(60) == 0
    text = out.read_text()
    if name.endswith(".jsonl"):
        [record] = map(json.loads, text.splitlines())
        assert (record["url"], record["what"], record["status"]) == (url, "ok", 200)
        assert len(record["text"]) > 100
        assert "token" not in record
    else:
        assert text.startswith("url,what,") and url in text
