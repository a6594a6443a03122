"""How long reports are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.audit.lengths import RANGES, SHORT_WORDS, fitted, length_plan, words_of
from research_crawler.core.models.drafts import (
    Contradiction,
    DraftCell,
    DraftRow,
    DraftSection,
    DraftTable,
    ReportDraft,
    Sentence,
)
from tests.planner.brains.views import finding

MUCH = [finding(f"Fact number {n} " + "about towers " * 20, score=0.5) for n in range(120)]
LITTLE = MUCH[:2]


@pytest.mark.parametrize("depth", ["quick", "standard", "deep"])
def test_a_single_question_has_a_short_answer_at_every_depth(depth):
    plan = length_plan(MUCH, depth=depth, leaves=1)
    assert not plan.has_sections
    assert plan.most <= SHORT_WORDS


@pytest.mark.parametrize("leaves", [2, 5, 12, 40])
@pytest.mark.parametrize("depth", ["standard", "deep"])
def test_several_questions_have_a_length_within_the_range_of_the_depth(depth, leaves):
    plan = length_plan(MUCH, depth=depth, leaves=leaves)
    low, high = RANGES[depth]
    assert low <= plan.wanted <= high
    assert plan.has_sections


def test_a_quick_report_is_a_paragraph():
    assert not length_plan(MUCH, depth="quick", leaves=6).has_sections


def test_no_more_is_written_than_the_evidence_carries():
    plan = length_plan(LITTLE, depth="deep", leaves=5)
    assert plan.aim == plan.carried < plan.wanted
    assert not plan.has_sections


def test_an_asked_length_holds_whatever_the_depth():
    plans = [length_plan(MUCH, depth=depth, leaves=1, max_words=900) for depth in ("quick", "deep")]
    assert [(plan.wanted, plan.most, plan.has_sections) for plan in plans] == [(900, 900, True)] * 2


def sentence(n, words):
    return Sentence(text=" ".join([f"s{n}"] * words), evidence=[0])


SENTENCES = st.lists(st.integers(1, 40), max_size=6).map(
    lambda sizes: [sentence(n, size) for n, size in enumerate(sizes)]
)
TABLES = st.none() | st.integers(2, 5).map(
    lambda rows: DraftTable(
        columns=["Tower", "Height"],
        rows=[
            DraftRow(label=f"Tower {n}", cells=[DraftCell(text=f"{n} metres", evidence=[0])])
            for n in range(rows)
        ],
    )
)
DRAFTS = st.builds(
    lambda answer, listed, sections: ReportDraft(
        by="m",
        answer=[sentence(99, 7), *answer],
        lists={"key_findings": listed},
        sections=[
            DraftSection(id=f"S{n}", title=f"Part {n}", sentences=sentences, table=table)
            for n, (sentences, table) in enumerate(sections)
            if sentences or table
        ],
    ),
    SENTENCES,
    SENTENCES,
    st.lists(st.tuples(SENTENCES, TABLES), max_size=4),
)


@given(DRAFTS, st.integers(7, 400))
def test_a_draft_is_cut_to_whole_sentences_from_the_end_of_the_least_important_section(draft, most):
    cut = fitted(draft, most)
    assert words_of(cut) <= most
    assert cut.answer == draft.answer[: len(cut.answer)]
    assert cut.answer
    for kept, whole in zip(cut.sections, draft.sections, strict=False):
        assert kept.sentences == whole.sentences[: len(kept.sentences)]
        assert kept.sentences or kept.table
        assert not kept.table or kept.table == whole.table
    assert [one.id for one in cut.sections] == [one.id for one in draft.sections][: len(cut.sections)]
    if len(cut.answer) < len(draft.answer):
        assert not cut.sections
    if words_of(draft) <= most:
        assert cut == draft


def test_contradictions_and_the_first_sentence_of_the_answer_stay():
    pair = Contradiction(about="height", one=sentence(1, 20), other=sentence(2, 20))
    draft = ReportDraft(by="m", answer=[sentence(0, 60), sentence(3, 9)], contradictions=[pair])
    cut = fitted(draft, 50)
    assert (len(cut.answer), cut.contradictions) == (1, [pair])
