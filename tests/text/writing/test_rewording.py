"""What was written in the language of a question is said again in the language of its reader."""

from itertools import product
from string import Formatter

from hypothesis import given
from hypothesis import strategies as st

from research_crawler.text.writing.messages import REPORT_LANGUAGES, Messages, catalogue
from research_crawler.text.writing.rewording import reworded, with_needs_reworded
from tests.cases import each_case

VALUES = {
    key: {name for text in texts.values() for _, name, _, _ in Formatter().parse(text) if name}
    for key, texts in catalogue().items()
}
COUNTS = {
    key: {
        name
        for text in texts.values()
        for _, name, spec, _ in Formatter().parse(text)
        if name and "|" in (spec or "")
    }
    for key, texts in catalogue().items()
}
OF_RECORDS = (
    "took_over", "named_page_unread", "got_stuck", "weak_research", "context_cut", "barren_rounds", "not_found_items",
    "vendors_answered", "forced_timeout", "done_with", "done_lacking", "done_pages", "what_it_costs",
)  # fmt: skip
"""Messages that stand in the record of a job."""


@each_case(("key", "written", "number"), product(OF_RECORDS, REPORT_LANGUAGES, (1, 3, 12)))
def test_a_message_is_said_again_in_any_other_language(key, written, number):
    values = {name: number if name in COUNTS[key] else f"<{name}>" for name in VALUES[key]}
    text = Messages(written)(key, **values)
    for language in REPORT_LANGUAGES:
        assert reworded(text, language) == Messages(language)(key, **values)


def test_what_stands_within_a_message_is_said_again_too():
    german, english = Messages("de"), Messages("en")
    needs = ", ".join([german("what_it_costs"), "wie laut es ist"])
    ended = german("done_lacking", findings=1, hosts=1, why=german("done_pages", n=6), items=needs)

    def words(value):
        return reworded(value, "en", words) or with_needs_reworded(value, "en")

    assert reworded(ended, "en", words) == english(
        "done_lacking",
        findings=1,
        hosts=1,
        why=english("done_pages", n=6),
        items=f"{english('what_it_costs')}, wie laut es ist",
    )


@given(st.text() | st.lists(st.sampled_from("abc")).map(" ".join))
def test_what_others_write_is_none_of_our_messages(text):
    assert reworded(text, "de") is None
    assert with_needs_reworded(text, "de") == text
