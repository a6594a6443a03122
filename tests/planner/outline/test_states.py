from planner.outline.states import (
    SEARCHES_FOR_A_LEAF,
    searches_for,
    with_earlier_answers,
    with_evidence,
    with_hopeless,
)
from tests.planner.brains.views import search, visit
from tests.planner.outline.outlines import outline

ASKED = outline("When was the tower built?")
BOTH = outline("When was the tower built?", "How tall is it?").with_leaves(
    {"2.1": outline("", "How tall is it?").leaves[1].changed(evidence=["f1"], state="filled")}
)
SEARCHES = [search(f"tower built {word}", n) for n, word in enumerate(("", "year", "history"), 1)]


def read(count, *, round_no):
    return [visit(f"http://h{n}.test/", n, round_no=round_no) for n in range(count)]


def state_of(outline_):
    (leaf,) = outline_.leaves
    return leaf.state


def test_evidence_fills_a_leaf_and_its_loss_opens_it():
    filled = with_evidence(ASKED, {"1.1": ["f1"]}, SEARCHES[:1], read(4, round_no=2))
    assert state_of(filled) == "filled"
    assert filled.leaves[0].searches == 1
    assert state_of(with_evidence(filled, {"1.1": []}, SEARCHES[:1], read(4, round_no=2))) == "open"
    assert state_of(with_evidence(filled, {}, SEARCHES[:1], read(4, round_no=2))) == "filled"


def test_a_leaf_is_given_up_after_three_searches_whose_pages_were_read():
    before = with_evidence(BOTH, {}, SEARCHES[:2], read(8, round_no=5))
    waiting = with_evidence(BOTH, {}, SEARCHES, read(8, round_no=3))
    after = with_evidence(BOTH, {}, SEARCHES, read(8, round_no=4))
    assert [one.leaves[0].state for one in (before, waiting, after)] == ["open", "open", "unavailable"]
    assert after.leaves[0].reason == "searched 3 times, 8 pages read: none clearly answers it"
    filled = with_evidence(after, {"1.1": ["f1"]}, SEARCHES, read(9, round_no=5))
    assert filled.leaves[0].state == "filled"


def test_a_question_without_any_answer_is_searched_longer():
    assert state_of(with_evidence(ASKED, {}, SEARCHES, read(8, round_no=4))) == "open"
    more = [*SEARCHES, *(search(f"tower built {n}", n) for n in (4, 5))]
    assert state_of(with_evidence(ASKED, {}, more, read(8, round_no=6))) == "unavailable"


def test_at_the_end_what_was_searched_often_enough_is_given_up_and_the_rest_stays_open():
    searched = outline("When was the tower built?", searches=SEARCHES_FOR_A_LEAF)
    assert state_of(with_hopeless(searched, read(1, round_no=2))) == "unavailable"
    assert state_of(with_hopeless(outline("a tower?", searches=2), [])) == "open"


def test_only_searches_with_results_for_at_least_half_of_its_words_count_for_a_leaf():
    leaf = outline("tower built year stone").leaves[0]
    failed = search("tower built year").changed(outcome="failed")
    assert [s.query for s in searches_for(leaf, [search("tower height"), search("built tower"), failed])] == [
        "built tower"
    ]


def test_several_wordings_in_one_round_are_one_attempt():
    leaf = outline("tower built year stone").leaves[0]
    twice = [search("tower built"), search("tower year", 2).model_copy(update={"round": 1})]
    assert len(searches_for(leaf, twice)) == 1


def test_a_leaf_whose_evidence_is_only_near_stays_open_and_keeps_it():
    near = with_evidence(outline("How tall?"), {"1.1": ["f1"]}, [], [], near={"1.1"})
    assert [(leaf.state, leaf.evidence) for leaf in near.leaves] == [("open", ["f1"])]


def test_questions_that_an_earlier_job_has_answered_keep_what_of_its_evidence_is_known():
    earlier = BOTH.with_leaves({"1.1": BOTH.leaves[0].changed(evidence=["f2", "f3"], state="filled")})
    longer = outline("When was the tower built?", "How tall is it?", "Who owns it?")
    built, tall, owner = with_earlier_answers(longer, earlier, {"f3"}).leaves
    assert (built.state, built.evidence) == ("filled", ["f3"])
    assert (tall.state, tall.evidence) == ("open", [])
    assert owner == longer.leaves[2]
