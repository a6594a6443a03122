"""What a user can select with `research forget`; `tests/cli/test_forget.py` tests the command itself."""

import pytest

from research_crawler.core.errors import UsageError
from research_crawler.core.models.archive.keeping import Selection
from research_crawler.services.forgetting import selection_of
from tests.cases import each_case


@each_case(
    ("arguments", "expected"),
    [
        ({"job": "abc123"}, Selection(jobs=["abc123"])),
        ({"url": "HTTPS://Shop.Example.org/a#part"}, Selection(url="https://shop.example.org/a")),
        ({"host": "Bücher.example"}, Selection(host="xn--bcher-kva.example")),
        ({"host": "192.0.2.1"}, Selection(host="192.0.2.1")),
        ({"host": "localhost"}, Selection(host="localhost")),
        ({"before": "2026-01-01"}, Selection(before="2026-01-01")),
    ],
)
def test_the_arguments_become_a_selection(arguments, expected):
    assert selection_of(**arguments) == expected


@each_case(
    ("arguments", "words"),
    [
        ({}, "say what to forget"),
        ({"job": "abc", "url": "http://a.example/"}, "exactly one of"),
        ({"job": ".."}, "there is no job"),
        ({"job": "a/b"}, "there is no job"),
        ({"url": "nothing"}, r"is not an http\(s\) URL"),
        ({"host": "co.uk"}, "is not a host name"),
        ({"before": "2999-01-01"}, "2999-01-01 is still to come"),
        ({"host": "com"}, "is not a host name"),
        ({"host": "http://a.example/"}, "is not a host name"),
    ],
)
def test_missing_contradictory_and_malformed_arguments_are_refused(arguments, words):
    with pytest.raises(UsageError, match=words):
        selection_of(**arguments)
