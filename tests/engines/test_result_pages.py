import gzip
import os
import re
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research_crawler.core.errors import SearchFailed
from research_crawler.core.models.messages.commands import SearchSpec
from research_crawler.engines.providers.browser_typed import BrowserTyped
from research_crawler.engines.result_pages import organic_results, target_of_link
from tests.cases import each_case
from tests.engines.fake_engines import CHALLENGE, RESULTS_PAGE
from tests.engines.result_page_samples import EXPECTED, PAGES

DATA = Path(os.environ.get("RESEARCH_TEST_DATA") or Path(__file__).parents[2] / "../shared/data") / "serp"
MOJEEK = [
    ("https://javascript.info/", "The Modern JavaScript Tutorial", "The Modern JavaScript"),
    ("https://www.w3schools.com/js/", "w3schools.com/js", ""),
    ("https://www.w3schools.com/", "W3Schools Online Web Tutorials", "HTML Tutorial CSS Tutorial"),
    ("http://javascriptkit.com/javatutors/", "JavaScript Kit Advanced JavaScript Tutorials", "Introduction to"),
    ("https://www.geeksforgeeks.org/javascript/javascript-tutorial/", "JavaScript Tutorial - GeeksforGeeks", "To"),
    ("https://www.javascripttutorial.net/", "JavaScript Tutorial", "The JavaScript Tutorial website"),
    ("https://www.tutorialspoint.com/javascript/index.htm", "JavaScript Tutorial", "This JavaScript tutorial"),
    ("https://www.scaler.com/topics/javascript/", "JavaScript Tutorial | Learn JavaScript - Scaler Topics", "This"),
    ("https://trans4mind.com/personal_development/JavaScript/index.html",
     "How to do Java Script - tutorial in javascript", "JavaScript tutorial"),
    ("https://smartwebby.com/DHTML/", "Javascript/DHTML Tutorials", "Web Design Tutorials >"),
]  # fmt: skip


def saved(name):
    path = DATA / f"{name}.html.gz"
    if not path.is_file():
        pytest.skip(f"no {name}.html.gz in {DATA}; set RESEARCH_TEST_DATA")
    return gzip.decompress(path.read_bytes()).decode("utf-8")


def rows_of(name):
    page_url, html = PAGES[name]
    return [(row.url, row.title, row.snippet) for row in organic_results(html, page_url)]


@each_case("name", PAGES)
def test_all_organic_results_come_in_order_and_nothing_else(name):
    assert rows_of(name) == EXPECTED


@each_case("name", ["bing", "yahoo", "paragraphs", "labelled"])
def test_new_class_names_change_nothing_on_pages_with_headings(name):
    page_url, html = PAGES[name]
    renamed = re.sub(
        r'(class|id)="([^"]*)"',
        lambda m: f'{m[1]}="{" ".join(f"x{hash_of(t)}" for t in m[2].split())}"',
        html,
    )
    rows = [(row.url, row.title, row.snippet) for row in organic_results(renamed, page_url)]
    assert [row for row in rows if "ads.example" not in row[0]] == EXPECTED
    assert len(rows) == len(EXPECTED) or name == "yahoo"  # its advertisement had no other mark than the class


def hash_of(text):
    return sum(ord(char) * 31**n for n, char in enumerate(text)) % 100_003


def test_a_saved_page_of_mojeek_gives_its_ten_results():
    rows = organic_results(saved("mojeek"), "https://www.mojeek.com/search?q=javascript+tutorial")
    assert [(row.url, row.title) for row in rows] == [(url, title) for url, title, _ in MOJEEK]
    for row, (_, _, beginning) in zip(rows, MOJEEK, strict=True):
        assert row.snippet.startswith(beginning) and bool(row.snippet) == bool(beginning)


def test_a_saved_challenge_page_of_bing_is_recognised():
    html = saved("bing")
    assert organic_results(html, "https://www.bing.com/search?q=javascript+tutorial") == []
    provider = BrowserTyped("https://www.bing.com/")
    request = provider.requests(SearchSpec(query="javascript tutorial"))[0]
    with pytest.raises(SearchFailed, match="challenge") as raised:
        provider.parse(request, status=200, headers={}, body=html.encode())
    assert raised.value.trouble == "challenge"


def test_duckduckgos_page_is_read_by_the_general_reader_too():
    rows = organic_results(RESULTS_PAGE, "https://html.duckduckgo.com/html/")
    assert [row.url for row in rows] == [
        "https://bees.example/honey?a=1&b=2",
        "https://straight.example/page",
    ]
    assert rows[0].snippet == "Nectar is thickened until it is honey."


@each_case(
    "html",
    [
        "",
        " ",
        "<",
        "<html></html>",
        CHALLENGE,
        "\0",
        "<p>No results for honey.</p>",
        "<a href='http://['>x</a>",
    ],
)
def test_a_page_without_results_gives_none(html):
    assert organic_results(html, "https://find.example/?q=x") == []


@each_case(
    ("href", "target"),
    [
        ("https://www.bing.com/ck/a?!&&p=1&u=a1aHR0cHM6Ly9naXRodWIuY29tL3VzYWRlbGxhYi9UcmltbW9tYXRpYw&ntb=1",
         "https://github.com/usadellab/Trimmomatic"),
        ("/ck/a?u=a1L2ltYWdlcy9zZWFyY2g_cT10aW1lcg", ""),
        ("https://www.bing.com/aclick?u=aHR0cHM6Ly9hZHMuZXhhbXBsZS8", ""),
        ("/search?q=more", ""), ("javascript:void(0)", ""), ("#", ""), ("mailto:a@b.example", ""), ("", ""),
        ("https://other.example/page", "https://other.example/page"),
        ("https://www.bing.com/webmasters/help", "https://www.bing.com/webmasters/help"),
        ("/webmasters/help", ""), ("http://[", ""), ("https://www.bing.com/ck/a?u=a1!!!!", ""),
        ("https://www.bing.com/ck/a?u=a1amF2YXNjcmlwdDphbGVydCgxKQ", ""),
    ],
)  # fmt: skip
def test_a_link_leads_where_its_engine_would_send_a_reader(href, target):
    assert target_of_link(href, "https://www.bing.com/search?q=x") == target


def test_googles_redirect_is_opened_and_a_search_for_an_address_is_not():
    page = "https://www.google.com/search?q=x"
    assert target_of_link("/url?q=https://bees.example/&sa=U", page) == "https://bees.example/"
    assert target_of_link("/search?q=https://bees.example/", page) == ""


@given(st.text(max_size=300))
def test_no_input_text_raises(text):
    organic_results(
        f"<html><body><h2><a href='{text}'>{text}</a></h2>{text}</body></html>", "https://f.example/"
    )
    target_of_link(text, "https://f.example/")


def test_deeply_nested_and_large_pages_are_read_in_time():
    heading = "<h2><a href='https://s{}.example/'>Title {}</a></h2>"
    row = f"<div class=r>{heading}<p>Text of the result, which is long.</p></div>"
    many = "".join(row.replace("{}", str(n)) for n in range(2000))
    started = time.process_time()
    assert len(organic_results(many, "https://f.example/")) == 2000
    organic_results("<div>" * 5000 + "<h2><a href='https://a.example/'>x</a></h2>", "https://f.example/")
    assert time.process_time() - started < 10
