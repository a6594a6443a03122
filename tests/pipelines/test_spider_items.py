"""How the page of an item of a project's own spider is read."""

from dataclasses import dataclass
from datetime import UTC, datetime

import pytest

from pipelines.spider_items import NoPage, PageItem
from tests.cases import each_case

URL = "http://a.example/"


@dataclass
class Item:
    url: str = URL
    html: str = "<p>"
    fetched_at: datetime | None = None


def test_text_is_encoded_as_utf_8_and_bytes_have_the_content_type_that_the_item_states():
    assert PageItem.of({"url": URL, "html": "ü"}).content == "ü".encode()
    assert PageItem.of({"url": URL, "html": "ü"}).content_type == "text/html; charset=utf-8"
    assert PageItem.of({"url": URL, "text": "ü"}).content_type == "text/plain; charset=utf-8"
    said = "text/html; charset=latin-1"
    assert PageItem.of({"url": URL, "body": b"\xfc", "content_type": said}).content_type == said
    assert (
        PageItem.of({"url": URL, "html": "ü", "content_type": said}).content_type
        == "text/html; charset=utf-8"
    )


def test_the_first_content_that_is_not_empty_counts():
    assert PageItem.of({"url": URL, "html": "", "body": b"b", "text": "t"}).content == b"b"


def test_the_time_of_fetching_is_converted_to_utc():
    at = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    assert PageItem.of(Item(fetched_at=at)).fetched_at == "2026-01-02T03:04:05+00:00"
    assert PageItem.of(Item()).fetched_at == ""


@each_case(
    ("item", "word"),
    [
        ({}, "no_url"),
        ({"url": None, "html": "x"}, "no_url"),
        ({"url": "file:///etc/passwd", "html": "x"}, "no_url"),
        ({"url": URL}, "no_content"),
        ({"url": URL, "html": None, "text": ""}, "no_content"),
        ({"url": URL, "html": ["x"]}, "bad_content"),
    ],
)
def test_the_error_names_what_the_item_lacks(item, word):
    with pytest.raises(NoPage) as told:
        PageItem.of(item)
    assert told.value.word == word
