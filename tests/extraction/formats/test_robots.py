"""Tests of robots.txt on saved cases, and of the single rules of RFC 9309."""

import json
import os
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research_crawler.core.errors import BadMessage, NewerWire
from research_crawler.extraction.formats import robots_txt as robots
from research_crawler.extraction.formats.robots_txt import RobotsRules, parse_robots
from tests.cases import each_case

DATA = Path(os.environ.get("RESEARCH_TEST_DATA") or Path(__file__).parents[3] / "../shared/data")
BOT = "research-crawler"


def rules(text, status=200):
    body = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    return parse_robots(status, body, now_ms=1_000)


def allowed(text, path, token=BOT):
    return rules(text).allowed(f"https://example.com{path}", token)


def test_the_saved_cases_follow_the_rfc():
    path = DATA / "robots/cases.json"
    if not path.exists():
        pytest.skip("no robots/cases.json in RESEARCH_TEST_DATA")
    cases = json.loads(path.read_text("utf-8"))
    wrong = [
        case for case in cases if rules(case["robots"]).allowed(case["url"], case["agent"]) != case["allowed"]
    ]
    # The remaining cases expect that percent-encodings of one character differ, which RFC 9309, 2.2.2
    # excludes.
    assert {case["test"] for case in wrong} <= {"RobotsUnittest,ID_Encoding"}
    assert len(cases) - len(wrong) >= 139


@each_case(
    ("status", "state", "ttl_s"),
    [
        (200, "rules", 86_400),
        (204, "rules", 86_400),
        (301, "allow", 86_400),
        (401, "allow", 86_400),
        (403, "allow", 86_400),
        (404, "allow", 86_400),
        (410, "allow", 86_400),
        (429, "unreachable", 30),
        (500, "unreachable", 30),
        (503, "unreachable", 30),
        (None, "unreachable", 30),
    ],
)
def test_the_status_decides_what_a_response_means(status, state, ttl_s):
    answer = parse_robots(status, b"User-agent: *\nDisallow: /\n", now_ms=5_000)
    assert (answer.state, answer.ttl_s) == (state, ttl_s)
    assert answer.allowed("https://example.com/", BOT) == (state == "allow")
    assert answer.is_fresh(5_000 + ttl_s * 1000 - 1)
    assert not answer.is_fresh(5_000 + ttl_s * 1000)


def test_only_the_complete_product_token_matches():
    text = "User-agent: research\nDisallow: /a\n\nUser-agent: *\nDisallow: /b\n"
    assert allowed(text, "/a")
    assert not allowed(text, "/b")
    assert not allowed("User-agent: Research-Crawler/2.0 (x)\nDisallow: /a", "/a")
    assert allowed("User-agent: research-crawler-extra\nDisallow: /a", "/a")


def test_a_named_group_replaces_the_common_one():
    text = "User-agent: *\nDisallow: /\nUser-agent: research-crawler\nDisallow: /a\n"
    assert allowed(text, "/b")
    assert not allowed(text, "/a/x")
    assert allowed("User-agent: *\nDisallow: /\n\nUser-agent: research-crawler\n", "/b")


def test_groups_of_one_token_are_merged():
    own = "User-agent: research-crawler\nDisallow: "
    text = f"{own}/a\nUser-agent: x\nDisallow: /\n{own}/b"
    assert [allowed(text, path) for path in ("/a", "/b", "/c")] == [False, False, True]


def test_an_unknown_record_does_not_end_a_group():
    text = (
        "User-agent: research-crawler\nSitemap: https://x/s.xml\nWhatever: 1\nUser-agent: other\nDisallow: /"
    )
    assert not allowed(text, "/a")


def test_a_crawl_delay_belongs_to_its_own_group():
    text = "User-agent: *\nCrawl-delay: 7\n\nUser-agent: bad\nDisallow: /\n"
    assert allowed(text, "/a")
    assert rules(text).crawl_delay_s(BOT) == 7.0
    assert rules(text).crawl_delay_s("bad") is None


@each_case(("value", "delay"), [("2.5", 2.5), ("nan", None), ("-1", None), ("inf", None), ("ten", None)])
def test_a_crawl_delay_is_a_number_of_seconds(value, delay):
    assert rules(f"User-agent: *\nCrawl-delay: {value}").crawl_delay_s(BOT) == delay


def test_the_longest_crawl_delay_of_a_group_counts():
    assert rules("User-agent: *\nCrawl-delay: 2\nCrawl-delay: 9\nCrawl-delay: 1").crawl_delay_s(BOT) == 9.0
    assert parse_robots(404, b"", now_ms=0).crawl_delay_s(BOT) is None


def test_the_longest_match_wins_and_allow_wins_a_tie():
    text = (
        "User-agent: *\nDisallow: /shop\nAllow: /shop/open\nDisallow: /tie\nAllow: /tie\nDisallow: /*.pdf$\n"
    )
    paths = ["/shop", "/shop/open/1", "/tie", "/a.pdf", "/a.pdf?x", "/robots.txt"]
    assert [allowed(text, path) for path in paths] == [False, True, True, False, True, True]


def test_encodings_of_one_path_are_the_same_path():
    text = "User-agent: *\nDisallow: /käse\nDisallow: /%62ar\n"
    assert not allowed(text, "/k%C3%A4se")
    assert not allowed(text, "/bar")


@each_case(
    "text",
    [
        b"\xef\xbb\xbfUser-agent: *\nDisallow: /a",
        b"User-agent: *\rDisallow: /a\r",
        b"user-agent *\ndisallow /a",
        b"USERAGENT : *\n  Dissallow : /a   # no",
        b"\xff\xfe\nUser-agent: *\nDisallow: /a\n\xff",
    ],
)
def test_untidy_files_are_read(text):
    assert not allowed(text, "/a")
    assert allowed(text, "/b")


@each_case("mark", ["\x0b", "\x1d", "\x85", "\u2028"])
def test_only_cr_and_lf_end_a_line(mark):
    text = f"User-agent: *\nDisallow: /a{mark}Allow: /a"
    assert allowed(text, "/a")
    assert not allowed(text, f"/a{quote(mark)}Allow:%20/a")


def test_half_a_megabyte_is_read_and_a_cut_line_is_dropped():
    filler = b"User-agent: *\nDisallow: /first\n" + b"# " + b"x" * (robots.ROBOTS_MAX_BYTES - 60) + b"\n"
    tail = b"Disallow: /" + b"y" * 200 + b"\nDisallow: /last\n"
    answer = rules(filler + tail)
    assert not answer.allowed("https://example.com/first", BOT)
    assert answer.allowed("https://example.com/last", BOT)
    assert answer.allowed("https://example.com/y", BOT)


def test_a_page_that_is_not_a_robots_txt_allows_everything():
    assert allowed("<!doctype html><html><body>Not found: sorry</body></html>", "/a")


def test_rules_stay_the_same_when_stored_and_read_again():
    answer = rules("# hello\nUser-agent: *\nDisallow: /a # why\nSitemap: x\n")
    wire = answer.to_json()
    assert wire.startswith('{"v":')
    assert RobotsRules.from_json(wire) == RobotsRules.from_json(wire.encode()) == answer
    assert "hello" not in wire
    assert "Sitemap" not in wire


def test_a_newer_message_and_a_broken_one_raise_different_errors():
    with pytest.raises(NewerWire):
        RobotsRules.from_json('{"v":99,"state":"rules"}')
    for text in ("", "[]", '{"v":1}', '{"v":1,"state":"other"}'):
        with pytest.raises(BadMessage):
            RobotsRules.from_json(text)


def test_only_the_most_recently_used_parsers_are_cached(monkeypatch):
    monkeypatch.setattr(robots, "MAX_PARSERS", 3)
    monkeypatch.setattr(robots, "_parsers", robots._Parsers())
    for number in range(5):
        assert not allowed(f"User-agent: *\nDisallow: /{number}", f"/{number}")
    assert len(robots._parsers._groups) == 3


@given(st.binary(max_size=300), st.text(max_size=30))
def test_any_bytes_are_parsed(body, path):
    answer = RobotsRules.from_json(rules(b"User-agent: *\n" + body).to_json())
    assert answer.allowed(f"https://example.com/{path}", BOT) in (True, False)
    assert (answer.crawl_delay_s(BOT) or 0) >= 0


def test_a_host_that_cannot_be_reached_again_and_again_rests_longer():
    rules, rests = None, []
    for minute in range(5):
        rules = parse_robots(503, b"", now_ms=minute * 60_000).after(rules)
        rests.append(rules.ttl_s)
    assert rests == [30, 120, 600, 600, 600]
    back = parse_robots(200, b"User-agent: *\nDisallow: /x\n", now_ms=0).after(rules)
    assert parse_robots(None, b"", now_ms=0).after(back).ttl_s == 30
