from hypothesis import given
from hypothesis import strategies as st

from planner.outline.given_outline import given_outline
from planner.outline.parts import MOST_SUB_QUESTIONS
from planner.outline.rewriting import OUTLINE_ROOM, fitted_outline, rewritten
from research_crawler.core.models.jobs.outline import MOST_EVIDENCE, Leaf, Outline, Section
from tests.planner.outline.outlines import IDS, PROPOSED, outline

KNOWN = set(IDS)


@given(st.lists(PROPOSED, min_size=1, max_size=4))
def test_ids_stay_and_are_unique_however_often_an_outline_is_rewritten(proposals):
    current = outline("How tall is it?", "When was it built?")
    for proposal in proposals:
        before = {leaf.id for leaf in current.leaves}
        current = rewritten(current, proposal, KNOWN)
        ids = [leaf.id for leaf in current.leaves]
        assert before <= set(ids)
        assert len(set(ids)) == len(ids) <= max(MOST_SUB_QUESTIONS, len(before))
        assert len({section.id for section in current.sections}) == len(current.sections)
        assert all(
            leaf.id.startswith(f"{section.id}.") for section in current.sections for leaf in section.leaves
        )


@given(PROPOSED, st.sets(st.sampled_from(IDS)))
def test_all_evidence_exists_and_only_evidence_fills(proposal, known):
    for current in (Outline(), outline("How tall is it?"), outline("How tall is it?", is_given=True)):
        for leaf in rewritten(current, proposal, known).leaves:
            assert set(leaf.evidence) <= known
            assert leaf.evidence or leaf.state != "filled"
            assert leaf.reason or leaf.state != "unavailable"
            assert len(leaf.evidence) <= MOST_EVIDENCE


@given(PROPOSED)
def test_nothing_that_the_caller_gave_is_lost_or_reworded_or_added_to(proposal):
    current = given_outline("# One\n- How tall is it?\n- Who built it?\n# Two\n- When was it built?")
    after = rewritten(current, proposal, KNOWN)
    assert [(leaf.id, leaf.question) for leaf in after.leaves] == [
        (leaf.id, leaf.question) for leaf in current.leaves
    ]
    assert [section.title for section in after.sections] == ["One", "Two"]
    assert (after.is_given, after.by) == (True, "user")


@given(PROPOSED)
def test_a_rewritten_outline_stays_the_same_if_it_is_proposed_again(proposal):
    once = rewritten(outline("How tall is it?"), proposal, KNOWN)
    assert rewritten(once, once, KNOWN) == once
    assert rewritten(Outline(), once.changed(by="x"), KNOWN).leaves == once.leaves or once.is_given


@given(PROPOSED)
def test_an_outline_fits_its_room_in_the_record(proposal):
    whole = rewritten(outline("How tall is it?"), proposal, KNOWN)
    small = fitted_outline(whole, 2_500)
    assert [leaf.id for leaf in small.leaves] == [leaf.id for leaf in whole.leaves]
    assert all(leaf.evidence for leaf in small.leaves if leaf.state == "filled")


def test_the_largest_outline_that_may_be_given_fits_its_room():
    text = "\n".join(f"- {'é' * 2} {'word ' * 34}{n}?" for n in range(16))
    full = given_outline(text)
    evidence = [f"{n:036}" for n in range(MOST_EVIDENCE)]
    full = full.with_leaves(
        {leaf.id: leaf.changed(evidence=evidence, state="filled") for leaf in full.leaves}
    )
    assert len(fitted_outline(full).model_dump_json().encode()) <= OUTLINE_ROOM


def test_new_questions_join_the_section_with_their_title_and_known_ones_are_not_repeated():
    current = outline("height")
    leaves = [
        Leaf(id="", question="Height?"),
        Leaf(id="", question="How deep?"),
        Leaf(id="", question="How wide?"),
    ]
    proposal = Outline(by="model", sections=[Section(id="", title="Height", leaves=leaves)])
    after = rewritten(current, proposal, set())
    assert [(leaf.id, leaf.question) for leaf in after.leaves] == [
        ("1.1", "height"), ("1.2", "How deep?"), ("1.3", "How wide?")
    ]  # fmt: skip


def test_an_answered_question_keeps_its_evidence_if_the_proposal_names_none():
    current = outline("height", evidence=["f1"], state="filled")
    proposal = Outline(by="model", sections=[Section(id="", title="height", leaves=[
        Leaf(id="1.1", question="How high?", state="filled")
    ])])  # fmt: skip
    (leaf,) = rewritten(current, proposal, KNOWN).leaves
    assert (leaf.question, leaf.evidence, leaf.query) == ("How high?", ["f1"], "height")


def test_a_section_takes_the_title_that_is_proposed_for_all_its_questions():
    current = outline("How is it set up, with all that belongs to it?", "pitfalls")
    leaves = [Leaf(id="1.1", question="How is it set up?"), Leaf(id="", question="How is it secured?")]
    after = rewritten(
        current, Outline(by="model", sections=[Section(id="", title="Setup", leaves=leaves)]), set()
    )
    assert [(section.title, [leaf.id for leaf in section.leaves]) for section in after.sections] == [
        ("Setup", ["1.1", "1.2"]), ("pitfalls", ["2.1"])
    ]  # fmt: skip
