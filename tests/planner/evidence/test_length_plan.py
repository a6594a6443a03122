"""How long reports are."""

import pytest

from planner.evidence.length_plan import MOST_WORDS_AT_DEPTH, SHORT_WORDS, length_plan
from tests.cases import each_case
from tests.planner.brains.views import finding

MUCH = [
    finding(f"Fact number {n} " + "about towers " * 20, f"http://{n % 9}.test/", score=0.5)
    for n in range(120)
]
LITTLE = MUCH[:2]


@pytest.mark.parametrize("depth", ["quick", "standard", "deep"])
def test_a_single_question_has_a_short_answer_at_every_depth(depth):
    plan = length_plan(MUCH, depth=depth, leaves=1)
    assert not plan.has_sections
    assert plan.most <= SHORT_WORDS


def test_two_questions_have_more_room_than_one():
    one, two = (length_plan(MUCH, depth="standard", leaves=leaves) for leaves in (1, 2))
    assert one.wanted < two.wanted


@each_case("leaves", [2, 5, 12, 40])
@each_case("depth", ["standard", "deep"])
def test_several_questions_have_more_room_at_most_that_of_the_depth_and_no_least_length(depth, leaves):
    plan = length_plan(MUCH, depth=depth, leaves=leaves)
    assert SHORT_WORDS < plan.wanted <= MOST_WORDS_AT_DEPTH[depth]
    assert plan.least == 0
    assert plan.has_sections == (depth == "deep")


def test_the_sections_of_a_callers_own_outline_are_written_however_short():
    assert length_plan(MUCH, depth="standard", leaves=2, is_outline_given=True).has_sections


def test_what_stands_on_one_page_is_written_in_one_answer_unless_a_length_is_asked_for():
    of_one_page = [one.changed(url="http://a.test/") for one in MUCH]
    assert not length_plan(of_one_page, depth="deep", leaves=5).has_sections
    assert length_plan(of_one_page, depth="deep", leaves=5, max_words=2_000).has_sections


def test_a_quick_report_is_a_paragraph():
    assert not length_plan(MUCH, depth="quick", leaves=6).has_sections


def test_no_more_is_written_than_the_evidence_carries():
    plan = length_plan(LITTLE, depth="deep", leaves=5)
    assert plan.aim == plan.carried < plan.wanted
    assert not plan.has_sections


def test_an_asked_length_holds_whatever_the_depth():
    plans = [length_plan(MUCH, depth=depth, leaves=1, max_words=900) for depth in ("quick", "deep")]
    assert [(plan.wanted, plan.most, plan.has_sections) for plan in plans] == [(900, 900, True)] * 2
