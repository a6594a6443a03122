import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.outline.given_outline import MOST_GIVEN, given_outline
from research_crawler.core.errors import OutlineError
from tests.cases import each_case


def questions(text, goal="the Skelder lighthouse"):
    return [(s.title, [leaf.question for leaf in s.leaves]) for s in given_outline(text, goal).sections]


def test_headings_are_sections_and_bullets_their_questions_in_order():
    text = "# History\n\n- When was it built?\n* By whom\n\n## Visitors\n1. Can it be visited?\n2) [ ] The price?\n"
    assert questions(text) == [
        ("History", ["When was it built?", "By whom"]),
        ("Visitors", ["Can it be visited?", "The price?"]),
    ]
    outline = given_outline(text, "the Skelder lighthouse")
    assert (outline.is_given, outline.by) == (True, "user")
    assert [leaf.id for leaf in outline.leaves] == ["1.1", "1.2", "2.1", "2.2"]
    assert all("Skelder" in leaf.query for leaf in outline.leaves)


def test_a_heading_without_bullets_asks_for_itself_unless_deeper_ones_follow():
    assert questions("# Report\n## History\n## Prices\n- in summer") == [
        ("History", ["History"]),
        ("Prices", ["in summer"]),
    ]


def test_bullets_before_a_heading_stand_under_the_goal_and_inner_bullets_name_the_outer_one():
    assert questions("- Price\n    - in summer?\n\t- in winter?\n- Height") == [
        ("the Skelder lighthouse", ["Price", "Price: in summer?", "Price: in winter?", "Height"])
    ]


def test_files_of_windows_are_read():
    assert questions("\ufeff# A\r\n- b?\r\n") == [("A", ["b?"])]


@each_case(
    ("text", "line", "why"),
    [
        ("# A\nsome prose", 2, "neither a heading"),
        ("# A\n- b\n\n- \u200b", 4, "no text"),
        ("#\n- b", 1, "neither a heading"),
        ("- a\x07b", 1, "control"),
        ("- " + "x" * 300, 1, "characters"),
        ("\n".join(f"- q{n}" for n in range(MOST_GIVEN + 1)), MOST_GIVEN + 1, "questions"),
        ("\n".join(f"# q{n}" for n in range(MOST_GIVEN + 1)), MOST_GIVEN + 1, "sections"),
        ("\n \n", 0, "no heading"),
        ("é" * 2000, 0, "bytes"),
    ],
)
def test_what_cannot_be_read_says_in_which_line(text, line, why):
    with pytest.raises(OutlineError, match=why) as caught:
        given_outline(text)
    assert caught.value.line == line
    assert (f"line {line}" in str(caught.value)) == bool(line)


LINES = st.lists(
    st.builds(
        "{}{}{}".format,
        st.sampled_from(["", "  ", "\t", "    "]),
        st.sampled_from(["# ", "## ", "- ", "* ", "1. ", "", "#", "-"]),
        st.sampled_from(["price?", "a", "", "#", "- x", "[x] y"]) | st.text(max_size=30),
    ),
    max_size=10,
).map("\n".join)


@given(LINES | st.text(max_size=200))
def test_any_text_gives_an_outline_with_all_its_bullets_or_an_error(text):
    try:
        outline = given_outline(text, "goal")
    except OutlineError as error:
        assert 0 <= error.line <= len(text.splitlines())
        return
    ids = [leaf.id for leaf in outline.leaves]
    assert len(set(ids)) == len(ids) > 0
    told = " ".join(
        f"{s.title} {' '.join(leaf.question for leaf in s.leaves)}" for s in outline.sections
    ).split()
    bullets = [line.strip() for line in text.splitlines() if line.strip().startswith(("- ", "* "))]
    assert all(bullet.split()[-1] in told for bullet in bullets if bullet.split()[-1] not in ("[x]", "[X]"))
    assert all(leaf.question and leaf.query and leaf.state == "open" for leaf in outline.leaves)
