"""A value is read from the entry of its thing, wherever a page defines many."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.columns.value_places import entry_spans

NAMES = st.lists(
    st.from_regex(r"[a-z]{2,6}[_.][a-z]{2,6}", fullmatch=True), min_size=2, max_size=6, unique=True
)
FORMS = {
    "heading": ("## {} Directive\n\nSets how it works. See the other ones.", "# Manual\n\n"),
    "type": ("{} (integer)\n\nSets how it works. See the other ones.", ""),
    "default": ("{} (default: 3h)\n\nSets how it works. See the other ones.", "# Manual\n\n"),
    "bare": ("{}\n\nSets how it works. See the other ones.", ""),
}


@pytest.mark.parametrize("form", FORMS)
@given(names=NAMES)
def test_the_entry_of_each_name_is_its_own_part_of_the_list(form, names):
    entry, head = FORMS[form]
    markdown = head + "\n\n".join(entry.format(name) for name in names)
    for name in names:
        ((start, end, _),) = entry_spans(markdown, name)
        assert markdown[start:end].strip() == entry.format(name)


def test_the_entry_of_a_part_is_not_that_of_the_whole():
    markdown = "color.branch\n\nWhether colors are used.\n\ncolor.branch.<slot>\n\nWhich color is used.\n"
    ((start, end, _),) = entry_spans(markdown, "color.branch")
    assert markdown[start:end].strip() == "color.branch\n\nWhether colors are used."


def test_a_page_about_one_thing_has_no_entries():
    assert not entry_spans("# Tarn 300\n\nThe Tarn 300 costs €1,899.\n\nIt is light.", "Tarn 300")


@given(st.text(max_size=200), st.text(min_size=1, max_size=12))
def test_any_text_has_entries_within_itself(markdown, name):
    assert all(0 <= start < end <= len(markdown) for start, end, _ in entry_spans(markdown, name or "x"))
