import json

import pytest

from research_crawler.extraction.html.tree import parse_html
from research_crawler.extraction.metadata.page_facts import read_facts
from research_crawler.extraction.metadata.page_names import day
from tests.cases import each_case

URL = "https://www.example.com/blog/kettles"


def facts(head: str = "", body: str = "", url: str = URL):
    return read_facts(parse_html(f"<html><head>{head}</head><body>{body}</body></html>"), url, {})


def linked_data(**node: object) -> str:
    return f'<script type="application/ld+json">{json.dumps({"@context": "https://schema.org", **node})}</script>'


@each_case(
    ("title", "site", "expected"),
    [
        ("Kettles compared | Example", "", "Kettles compared"),
        ("Kettles compared - Example", "Example", "Kettles compared"),
        ("Example: Kettles compared", "", "Example: Kettles compared"),
        ("Kettles - a comparison of six of them", "", "Kettles - a comparison of six of them"),
        ("Kettles", "", "Kettles"),
    ],
)
def test_the_name_of_the_site_is_removed_from_the_title(title, site, expected):
    head = f"<title>{title}</title>" + (f'<meta property="og:site_name" content="{site}">' if site else "")
    assert facts(head).title == expected


def test_a_last_part_that_is_the_name_of_the_page_stays_in_its_title():
    title = "Postfix manual - virtual(5)"
    assert facts(f"<title>{title}</title>", url="https://www.example.com/virtual.5.html").title == title


def test_the_only_h1_is_the_title_if_the_title_element_contains_it():
    assert (
        facts("<title>Example: Kettles: A1 and B2 | Shop</title>", "<h1>Kettles: A1 and B2</h1>").title
        == "Kettles: A1 and B2"
    )


@pytest.mark.parametrize(
    "body",
    [
        '<div id="site-description"><a href="/"><h1>Kettlers.example</h1></a></div><h2>Which kettle is it?</h2>',
        '<h1 class="menu-title">Kettlers.example</h1><h1>Which kettle is it?</h1>',
    ],
)
def test_an_h1_with_the_name_of_the_site_is_not_the_title(body):
    assert facts("<title>Which kettle is it? - Kettlers.example</title>", body).title == "Which kettle is it?"


def test_authors_and_dates_come_from_linked_data_first():
    head = linked_data(
        **{"@type": "NewsArticle", "datePublished": "2024-03-05T10:00:00Z", "dateModified": "2024-03-06"},
        author=[{"@type": "Person", "name": "Ada Lovelace"}, {"@type": "Person", "name": "By Grace Hopper"}],
        publisher={"@type": "Organization", "name": "Example News"},
    )
    found = facts(head + '<meta name="author" content="Somebody else">')
    assert found.author == "Ada Lovelace; Grace Hopper"
    assert (found.published, found.modified, found.site) == ("2024-03-05", "2024-03-06", "Example News")


def test_broken_linked_data_is_ignored():
    head = (
        '<script type="application/ld+json">{"@type": "Article", </script><meta name="author" content="Ada">'
    )
    assert facts(head).author == "Ada"


def test_deeply_nested_linked_data_is_ignored():
    nested = "[" * 50_000 + "]" * 50_000
    assert (
        facts(
            f'<script type="application/ld+json">{nested}</script><meta name="author" content="Ada">'
        ).author
        == "Ada"
    )


@each_case(
    "markup",
    [
        '<span itemprop="author"><img alt="x"><b itemprop="name">Ada</b> 1,992 points</span>',
        '<p class="post-byline">By Ada</p>',
        '<span class="author-name">Ada</span>',
    ],
)
def test_an_author_is_read_from_the_usual_elements(markup):
    assert facts(body=f"<article>{markup}<p>Text</p></article>").author == "Ada"


@each_case(
    ("text", "expected"),
    [
        ("2024-03-05T10:00:00+01:00", "2024-03-05"),
        ("March 5, 2024", "2024-03-05"),
        ("5 March 2024", "2024-03-05"),
        ("Posted on Mar. 5th, 2024", "2024-03-05"),
        ("March 2024", ""),
        ("2024-02-31", ""),
        ("2999-01-01", ""),
        ("yesterday", ""),
        ("", ""),
    ],
)
def test_dates_are_read_and_never_guessed(text, expected):
    assert day(text) == expected


def test_a_date_in_the_url_is_used_last():
    assert facts(url="https://example.com/2024/3/5/kettles").published == "2024-03-05"
    shown = '<time datetime="2024-03-04">yesterday</time>'
    assert facts(body=shown, url="https://example.com/2024/3/5/kettles").published == "2024-03-04"
