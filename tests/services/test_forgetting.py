"""What a person may ask to be forgotten; the command itself is tested in `tests/cli/test_forget.py`."""

import pytest

from research_crawler.core.errors import UsageError
from research_crawler.core.models.keeping import Selection
from research_crawler.services.forgetting import selection_of


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"job": "abc123"}, Selection(jobs=["abc123"])),
        ({"url": "HTTPS://Shop.Example.org/a#part"}, Selection(url="https://shop.example.org/a")),
        ({"host": "Bücher.example"}, Selection(host="xn--bcher-kva.example")),
        ({"host": "192.0.2.1"}, Selection(host="192.0.2.1")),
        ({"host": "localhost"}, Selection(host="localhost")),
        ({"before": "2026-01-01"}, Selection(before="2026-01-01")),
    ],
)
def test_what_is_given_is_selected(given, expected):
    assert selection_of(**given) == expected


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "say what to forget"),
        ({"job": "abc", "url": "http://a.example/"}, "one of them"),
        ({"job": ".."}, "is no job id"),
        ({"job": "a/b"}, "is no job id"),
        ({"url": "nothing"}, r"is not an http\(s\) URL"),
        ({"host": "co.uk"}, "is not a host name"),
        ({"host": "com"}, "is not a host name"),
        ({"host": "http://a.example/"}, "is not a host name"),
    ],
)
def test_what_cannot_be_meant_is_refused(given, words):
    with pytest.raises(UsageError, match=words):
        selection_of(**given)
