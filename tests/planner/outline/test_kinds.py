import pytest

from planner.outline.kinds import is_answer_kind


@pytest.mark.parametrize(
    ("question", "answers", "does_not"),
    [
        ("How tall is the tower?", "It is 43 m tall.", "It is a tall tower."),
        ("When was it built?", "It was built in 1871.", "It was built of stone."),
        ("Who built it?", "It was built by Anna Merk.", "It was built by the town."),
        ("How many doors has it?", "It has three doors.", "It has doors."),
    ],
)
def test_a_question_for_a_number_a_date_or_a_name_needs_one(question, answers, does_not):
    assert is_answer_kind(question, answers)
    assert not is_answer_kind(question, does_not)


@pytest.mark.parametrize(
    "question", ["Why is it red?", "When should I use it?", "Who can visit it?", "Can it be visited?"]
)
def test_other_questions_take_any_text(question):
    assert is_answer_kind(question, "it is as people say")
