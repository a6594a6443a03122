"""What a report that is too long loses, and what each of its parts keeps."""

from itertools import groupby

from hypothesis import given
from hypothesis import strategies as st

from planner.evidence.length_plan import report_words
from planner.reports.lengths.trim import sentences_lost, trimmed
from research_crawler.core.models.reports.drafts import (
    Contradiction,
    DraftCell,
    DraftRow,
    DraftSection,
    DraftTable,
    ReportDraft,
    Sentence,
)


def sentence(n, words, heading=""):
    return Sentence(text=" ".join([f"s{n}"] * words), evidence=[n], heading=heading)


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


def texts(section):
    return [one.text for one in section.sentences]


@given(DRAFTS, st.integers(7, 400))
def test_a_draft_is_cut_to_whole_sentences_from_the_ends_of_its_parts(draft, most):
    cut = trimmed(draft, most)
    assert report_words(cut) <= most
    assert cut.answer == draft.answer[: len(cut.answer)]
    assert cut.answer
    for kept, whole in zip(cut.sections, draft.sections, strict=False):
        assert kept.sentences or kept.table
        assert not kept.table or kept.table == whole.table
    assert [one.id for one in cut.sections] == [one.id for one in draft.sections][: len(cut.sections)]
    if len(cut.sections) < len(draft.sections):
        assert not any(cut.lists.values())
    if report_words(draft) <= most:
        assert cut == draft


def test_contradictions_and_the_first_sentence_of_the_answer_stay():
    pair = Contradiction(about="height", one=sentence(1, 20), other=sentence(2, 20))
    draft = ReportDraft(by="m", answer=[sentence(0, 60), sentence(3, 9)], contradictions=[pair])
    cut = trimmed(draft, 50)
    assert (len(cut.answer), cut.contradictions) == (1, [pair])


def test_each_question_keeps_its_first_sentences_and_the_longest_part_loses_its_last_ones():
    parts = {"Q1": 2, "Q2": 1, "Q3": 9}
    names = [q for q, count in parts.items() for _ in range(count)]
    sentences = [sentence(n, 10, q) for n, q in enumerate(names)]
    last = DraftSection(id="S2", title="Last", sentences=[sentence(90, 10), sentence(91, 10)])
    section = DraftSection(id="S1", title="Undo", sentences=sentences)
    draft = ReportDraft(by="m", answer=[sentence(99, 10)], sections=[section, last])
    cut = trimmed(draft, 80)
    kept = {q: len(list(group)) for q, group in groupby(cut.sections[0].sentences, lambda one: one.heading)}
    assert kept == {"Q1": 2, "Q2": 1, "Q3": 2}
    assert texts(cut.sections[1]) == texts(last)
    assert sentences_lost(draft, cut) == 7


def test_a_question_that_asks_two_things_has_more_room_and_a_list_less():
    plain, double = "How is it undone?", "How is it undone, and what cannot be recovered?"
    sentences = [sentence(n, 10, plain if n < 6 else double) for n in range(12)]
    section = DraftSection(id="S1", title="Undo", sentences=sentences)
    listed = {"key_findings": [sentence(n, 10) for n in range(20, 26)]}
    draft = ReportDraft(by="m", answer=[sentence(99, 10)], lists=listed, sections=[section])
    cut = trimmed(draft, 100)
    kept = {q: len(list(group)) for q, group in groupby(cut.sections[0].sentences, lambda one: one.heading)}
    assert (kept, len(cut.lists["key_findings"])) == ({plain: 3, double: 5}, 1)


def test_a_fact_that_is_told_again_goes_before_anything_else():
    fact = Sentence(text="The old head is kept under the name ORIG_HEAD.", evidence=[1])
    again = fact.changed(text="The old head is kept as ORIG_HEAD.", heading="Q1")
    others = [sentence(n, 8, "Q1") for n in range(2, 5)]
    section = DraftSection(id="S1", title="Undo", sentences=[others[0], again, *others[1:]])
    draft = ReportDraft(by="m", answer=[fact], sections=[section])
    assert trimmed(draft, report_words(draft) - 1).sections[0].sentences == others


def test_what_leads_to_a_listing_or_a_list_goes_with_it():
    first = Sentence(text="It writes two of them in one go.", evidence=[1])
    lead = Sentence(text="These files are:", evidence=[1])
    item = Sentence(text="The file of the settings that hold now.", evidence=[1])
    coded = Sentence(text="It is run so:", evidence=[1], code="run --now")
    section = DraftSection(id="S1", title="Files", sentences=[first, lead, item])
    draft = ReportDraft(by="m", answer=[sentence(9, 3)], sections=[section])
    assert trimmed(draft, report_words(draft) - 1).sections[0].sentences == [first]
    alone = draft.changed(sections=[section.changed(sentences=[lead, item], table=None)])
    assert (
        trimmed(alone, report_words(alone) - 1).sections == []
    )  # a lead without what it leads to is nothing
    listing = draft.changed(sections=[section.changed(sentences=[coded, item], table=None)])
    assert trimmed(listing, report_words(listing) - 1).sections[0].sentences == [coded]


def test_the_answer_goes_down_to_its_length_before_the_only_sentence_of_a_question():
    answer = [sentence(n, 50) for n in range(6)]
    section = DraftSection(id="S1", title="Undo", sentences=[sentence(90, 30, "Q1"), sentence(91, 30, "Q2")])
    cut = trimmed(ReportDraft(by="m", answer=answer, sections=[section]), 220)
    assert (len(cut.answer), len(cut.sections[0].sentences)) == (3, 2)
