"""Days, people and places that pages give differently, and what only looks like it."""

import pytest

from planner.audit.asked_facts import differing_facts
from tests.planner.brains.views import finding


def found(question, one, other, title=""):
    findings = [finding(text, f"http://{n}.test/", title=title) for n, text in enumerate((one, other))]
    return [{a.text, b.text} for a, b in differing_facts([question], findings)]


@pytest.mark.parametrize(
    ("question", "one", "other"),
    [
        ("When was the Tarn bridge opened?", "The Tarn bridge was opened in 1911.", "In 1908 the Tarn bridge opened."),
        ("Wann wurde das Stadtbad Querfeld eröffnet?", "Das Stadtbad Querfeld wurde 1911 eröffnet.",
         "Eröffnet wurde das Stadtbad in Querfeld im Jahr 1908."),
        ("Who designed the Palmgrove theatre?", "The Palmgrove theatre was designed by Inga Sorrell.",
         "Palmgrove theatre is the work of the architect Matthias Holm."),
        ("Where is the headquarters of Norling Shipping?", "Norling Shipping has its headquarters in Easthaven.",
         "The head office of Norling Shipping is in Port Lisle."),
    ],
)  # fmt: skip
def test_pages_that_answer_with_another_day_person_or_place_differ(question, one, other):
    assert found(question, one, other) == [{one, other}]


@pytest.mark.parametrize(
    ("question", "one", "other"),
    [
        # another event, a denied one, a day within a year, a second author, the country of a town, somebody else
        ("When was the Tarn bridge opened?", "The Tarn bridge was opened in 1911.",
         "The Tarn bridge was rebuilt in 1950."),
        ("When was the Tarn bridge opened?", "The Tarn bridge was opened in 1911.",
         "The Tarn bridge was not opened in 1908."),
        ("When was the Tarn bridge opened?", "The Tarn bridge was opened in 1911.",
         "The Tarn bridge was opened on 3 May 1911."),
        ("Who wrote the Vesper handbook?", "The Vesper handbook was written by Ada Lomax and Piet Ruys.",
         "Ada Lomax wrote the Vesper handbook."),
        ("Where was Ilma Rask born?", "Ilma Rask was born in Tavel.", "Ilma Rask was born in Sweden."),
        ("Who won the Brindle Prize?", "Ilse Warnholt won the Brindle Prize.",
         "Piet Ruys announced the winner of the Brindle Prize."),
    ],
)  # fmt: skip
def test_what_can_both_be_true_does_not_differ(question, one, other):
    assert found(question, one, other) == []
