import pytest
from hypothesis import given
from hypothesis import strategies as st

from research_crawler.core.models.web.pages import Passage
from research_crawler.extraction.evidence.passages import split_passages
from research_crawler.text.markdown_blocks.page_sections import (
    MOST_HEADING_CHARS,
    MOST_LEFT_OUT,
    cut_off,
    headings_left_out,
    joined_passages,
    section_scores,
    sections,
    under,
)


def words(text):
    return len(text.split())


def paragraph(n, length=90):
    return f"Paragraph {n} says " + "one thing more " * (length // 3) + "and ends."


def page_of(headings, *, paragraphs=4):
    parts = []
    for n, heading in enumerate(headings):
        parts += [heading, *(paragraph(f"{n}.{m}") for m in range(paragraphs))]
    return "\n\n".join(parts)


def wholes(markdown, passages, found):
    return [joined_passages(markdown, [passages[i] for i in places]) for places in found]


def test_sections_end_between_paragraphs_and_have_the_asked_length():
    markdown = page_of(["# Guide"], paragraphs=40)
    passages = split_passages(markdown, words)
    found = wholes(markdown, passages, sections(markdown, passages))
    assert all(400 <= one.tokens <= 800 for one in found[:-1])
    assert all(one.text.startswith(("#", "Paragraph")) and one.text.endswith("ends.") for one in found)


def test_a_new_heading_ends_a_section_that_is_long_enough_and_joins_a_short_one():
    markdown = page_of(["# Guide", "## Setup", "## Use"], paragraphs=6)
    passages = split_passages(markdown, words)
    found = wholes(markdown, passages, sections(markdown, passages))
    assert [one.text.partition("\n")[0] for one in found] == ["# Guide", "## Setup", "## Use"]
    assert [one.heading for one in found] == ["Guide", "Guide > Setup", "Guide > Use"]
    short = page_of(["# Guide", "## Setup", "## Use"], paragraphs=1)
    assert len(sections(short, split_passages(short, words))) == 1


def test_a_blank_line_in_code_is_no_border():
    code = "```\n" + "\n\n".join(f"line {n} = {n}" + " + 1" * 30 for n in range(12)) + "\n```"
    markdown = "\n\n".join([paragraph(1), code, paragraph(2)])
    passages = split_passages(markdown, words)
    found = wholes(markdown, passages, sections(markdown, passages, least=400, most=1000))
    assert sum("```\nline 0 " in one.text and one.text.count("```") == 2 for one in found) == 1


def test_a_gap_between_passages_is_a_border():
    markdown = page_of(["# Guide"], paragraphs=5)
    passages = split_passages(markdown, words)
    kept = [passages[0], passages[1], passages[-1]]
    assert sections(markdown, kept) == [[0, 1], [2]]


def test_a_listing_whose_end_is_missing_joins_nothing_across_the_gap():
    code = "```\n" + "\n".join(f"line {n} = {n}" + " + 1" * 30 for n in range(12)) + "\n```"
    markdown = "\n\n".join([paragraph(1), code, *(paragraph(n) for n in range(2, 30))])
    passages = split_passages(markdown, words)
    begins = next(i for i, one in enumerate(passages) if "```" in one.text)
    kept = [*passages[: begins + 1], *passages[begins + 9 :: 2]]
    found = wholes(markdown, kept, sections(markdown, kept))
    assert max(words(one.text) for one in found) <= 2 * max(one.tokens for one in passages)
    assert sum(len(one.text) for one in found) <= sum(len(one.text) for one in kept) + 10 * len(kept)


def test_a_section_with_the_best_passage_comes_first_and_a_second_good_one_helps():
    assert section_scores([[0, 1], [2], [3, 4]], [0.9, 0.1, 0.9, 0.9, 0.8]) == pytest.approx(
        [0.93, 0.9, 1.14]
    )


MARKDOWN = st.lists(
    st.sampled_from(["# A", "## B", "### C", "One sentence.", "```", "- item", "| a | b |", "x " * 300, ""]),
    max_size=40,
).map("\n".join)


@given(MARKDOWN, st.integers(1, 40), st.integers(1, 80))
def test_every_passage_is_in_one_section_and_the_order_stays(markdown, least, more):
    passages = split_passages(markdown, words)
    found = sections(markdown, passages, least=least, most=least + more)
    assert [i for places in found for i in places] == list(range(len(passages)))
    for places in found:
        assert len(places) == 1 or sum(passages[i].tokens for i in places) <= least + more


def test_joined_passages_have_the_text_between_them():
    markdown = "# A\n\nOne.\n\nTwo."
    parts = [Passage(start=5, end=9, text="One.", tokens=1, heading="A"),
             Passage(start=11, end=15, text="Two.", tokens=2, heading="A")]  # fmt: skip
    assert joined_passages(markdown, parts) == Passage(
        start=5, end=15, text="One.\n\nTwo.", tokens=3, heading="A"
    )


def passages_at(*headings):
    return [
        Passage(start=n, end=n + 1, text="x", tokens=1, heading=heading) for n, heading in enumerate(headings)
    ]


def test_sections_that_are_not_shown_are_named_best_first():
    passages = passages_at("Guide", "Guide > Setup", "Guide > Use", "Guide > Use", "Guide > Faults")
    assert headings_left_out(passages, [1], [0.1, 0.9, 0.2, 0.6, 0.4]) == [
        "Guide > Use",
        "Guide > Faults",
        "Guide",
    ]
    assert headings_left_out(passages, [1, 2], [0.0] * 5) == ["Guide", "Guide > Faults"], (
        "a part of it is shown"
    )


def test_sections_that_are_shown_in_part_are_named_best_first():
    passages = passages_at(
        "Guide", "Guide > Setup", "Guide > Setup", "Guide > Use", "Guide > Use", "Guide > Faults"
    )
    assert cut_off(passages, [1, 3], [0.1, 0.5, 0.0, 0.9, 0.0, 0.4]) == ["Guide > Use", "Guide > Setup"]
    assert cut_off(passages, [1, 2], [0.5] * 6) == []
    assert cut_off(passages_at("", ""), [0], [0.5, 0.1]) == []


def test_the_parts_of_a_page_without_headings_are_named_by_their_first_words_and_found_again():
    markdown = "\n\n".join(paragraph(n) for n in range(60))
    passages = split_passages(markdown, words)
    named = headings_left_out(passages, [0], [float(n) for n in range(len(passages))])
    assert passages[-1].text.startswith(named[0].removesuffix(" …"))
    asked = under(named[3], passages)
    assert asked[0] == passages[-4]
    assert sum(one.tokens for one in under(named[-1], passages)) <= 800


def test_a_part_that_begins_with_a_short_line_is_found_again():
    markdown = "\n\n".join(["NAME", *(paragraph(n) for n in range(9)), "OPTIONS", paragraph(10)])
    passages = split_passages(markdown, words)
    parts = wholes(markdown, passages, sections(markdown, passages, least=1, most=60))
    for name in headings_left_out(parts, [], [1.0] * len(parts)):
        assert under(name, passages)


def test_long_paths_are_named_by_their_ends_and_found_again():
    deep = " > ".join(f"Chapter {n} of the administration manual" for n in range(5))
    passages = passages_at(deep, f"{deep} > Setup", "Other")
    (setup, last, other) = headings_left_out(passages, [], [0.5, 0.9, 0.1])
    assert other == "Other"
    assert len(setup) <= MOST_HEADING_CHARS
    assert setup.endswith("Chapter 4 of the administration manual > Setup")
    assert under(setup, passages) == [passages[1]]
    assert under(last, passages) == passages[:2]


def test_what_stands_below_a_heading_is_found_by_whole_headings_only():
    passages = passages_at("Guide > Setup", "Guide > Setup > Linux", "Guide > Setup of hosts", "Guide")
    assert under("Guide > Setup", passages) == passages[:2]
    assert under("Setup", passages) == passages[:2]
    assert under("Linux", passages) == [passages[1]]


@given(
    st.lists(st.tuples(st.text("ab >", max_size=12), st.booleans(), st.floats(0, 1)), min_size=1, max_size=30)
)
def test_every_section_that_is_named_has_passages_that_were_not_shown(page):
    passages = passages_at(
        *(" > ".join(part.strip() for part in heading.split(" > ")) for heading, _, _ in page)
    )
    shown = [place for place, (_, is_shown, _) in enumerate(page) if is_shown]
    named = headings_left_out(passages, shown, [rank for _, _, rank in page])
    assert len(named) <= MOST_LEFT_OUT
    assert all(under(heading, passages) for heading in named)
