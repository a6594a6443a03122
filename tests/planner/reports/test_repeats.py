"""Sentences of sections that say what the answer above them says."""

from planner.reports.lengths.repeats import says_no_more_than, without_repeats
from research_crawler.core.models.reports.drafts import DraftSection, ReportDraft, Sentence
from tests.cases import each_case

SAID = Sentence(
    text="`tool --hard` resets the index and the files, and discards any changes to tracked files since 2 days.",
    evidence=[1, 2],
)
AGAIN = Sentence(text="`tool --hard` discards any changes to tracked files.", evidence=[2])
OTHER = Sentence(text="`tool --hard` deletes files that are in the way.", evidence=[2])


@each_case(
    ("text", "evidence", "is_said"),
    [
        (AGAIN.text, [2], True),
        (AGAIN.text, [3], False),
        (OTHER.text, [2], False),
        ("`tool --soft` discards any changes to tracked files.", [2], False),
        ("`tool --hard` discards no changes to tracked files.", [2], False),
        ("`tool --hard` discards any changes to tracked files since 9 days.", [2], False),
    ],
)
def test_a_sentence_repeats_one_that_has_its_words_numbers_options_signs_and_quote(text, evidence, is_said):
    assert says_no_more_than(Sentence(text=text, evidence=evidence), SAID) == is_said


def left(*sentences):
    section = DraftSection(id="S1", title="Modes", sentences=list(sentences))
    return without_repeats(ReportDraft(by="m", answer=[SAID], sections=[section])).sections[0].sentences


def test_a_section_does_not_say_again_what_the_answer_says():
    assert left(AGAIN, OTHER) == [OTHER]
    assert left(OTHER, AGAIN) == [OTHER]


def test_a_step_stays_though_the_answer_says_it_too():
    steps = [one.changed(form="step") for one in (OTHER, AGAIN)]
    assert left(*steps) == steps


def test_the_only_sentence_of_a_question_stays_and_so_does_one_with_a_listing():
    assert left(AGAIN) == [AGAIN]
    under = [AGAIN.changed(heading="How?"), OTHER.changed(heading="What else?")]
    assert left(*under) == under
    coded = AGAIN.changed(code="tool --hard")
    assert left(OTHER, coded) == [OTHER, coded]


def test_a_sentence_that_the_next_one_points_to_stays():
    follows = OTHER.changed(text="This suggests that they cannot be had again.")
    assert left(AGAIN, follows) == [AGAIN, follows]
