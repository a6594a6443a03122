"""The lists below the answer: declared once, for every brain and every kind of output."""

from planner.reports.sources.citations import Cited, Marks
from planner.reports.written_lists import ListedSection
from prompts.answer_shapes import Bounds
from prompts.report_answers import ReportAnswer
from prompts.report_schemas import report_schema
from research_crawler.core.models.reports.report_parts import LISTED_PARTS, ListedPart
from research_crawler.text.writing.messages import Messages
from tests.planner.reports.sample_drafts import DRAFT


def cited(text: str, *marks: int) -> Cited:
    return Cited(text=text, evidence_ids=[], marks=Marks([f"[{n}]" for n in marks]), pages=(), verdict=None)


def test_a_model_is_asked_for_every_declared_list_and_its_answer_is_read():
    properties = report_schema(Bounds(), ["E1"])["properties"]
    keys = [part.key for part in LISTED_PARTS]
    assert set(keys) <= set(properties)
    entry = {"text": "It is tall.", "evidence": ["E1"]}
    answer = ReportAnswer.model_validate({"answer": [entry], **{key: [entry] for key in keys}})
    assert {key: [one.text for one in entries] for key, entries in answer.lists.items()} == {
        key: ["It is tall."] for key in keys
    }


def test_a_list_is_rendered_under_its_title_without_sentences_of_the_answer():
    section = ListedSection(ListedPart("open", "Open Questions", ""), [cited("Who?"), cited("Why?", 2)])
    assert section.markdown(Messages("en"), unless_in=[cited("Who?")]) == "## Open Questions\n\n- Why? [2]"
    assert section.markdown(Messages("en"), unless_in=section.entries) == ""


def test_an_entry_that_stands_in_an_excerpt_of_its_page_is_not_told_again():
    def of(text: str, page: str, excerpt: str = "") -> Cited:
        return Cited(
            text=text, evidence_ids=[], marks=Marks(["[1]"]), pages=(page,), verdict=None, excerpt=excerpt
        )

    excerpt = of("It is old. It is tall.", "a", "It is old. It is **tall**.")
    section = ListedSection(
        ListedPart("open", "Points", ""), [of("It is tall.", "a"), of("It is tall.", "b")]
    )
    assert section.markdown(Messages("en"), unless_in=[excerpt]).count("It is tall.") == 1
    assert section.markdown(Messages("en"), unless_in=[of(excerpt.text, "a")]).count("It is tall.") == 2


def test_keys_of_lists_differ_from_each_other_and_from_the_other_parts_of_an_answer():
    keys = [part.key for part in LISTED_PARTS]
    assert len(set(keys)) == len(keys)
    assert not set(keys) & set(ReportAnswer.model_fields)


def test_the_drafts_that_documents_are_tested_with_have_only_declared_lists():
    assert DRAFT.lists.keys() <= {part.key for part in LISTED_PARTS}
