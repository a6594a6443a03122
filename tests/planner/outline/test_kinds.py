import pytest

from planner.outline.kinds import asks_how, asks_what_it_is, is_answer_kind, tells_when


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


@pytest.mark.parametrize(
    ("question", "answer", "other"),
    [
        ("How long does Orlo keep a parcel?", "It is kept for 5d.", "Line 25: it is kept."),
        ("After how many days is it removed?", "It goes after two weeks.", "It removes 40 parcels."),
        ("How long do I have to wait?", "It is kept forever.", "You must wait at door 7."),
        (
            "Since which version does Orlo have it?",
            "It came with 2.4.17.",
            "It is in the module of 12 parts.",
        ),
    ],
)
def test_a_duration_and_a_version_are_told_from_other_numbers(question, answer, other):
    assert is_answer_kind(question, answer)
    assert not is_answer_kind(question, other)


def test_a_way_may_be_asked_for_after_what_happened():
    assert asks_how("I spilled ink on my desk. How do I get it off?")
    assert not asks_how("I know how do-it-yourself works. What does it cost?")


@pytest.mark.parametrize(
    ("question", "says", "does_not"),
    [
        (
            "When does the pump start?",
            "It starts as soon as the level exceeds the mark.",
            "It processes all water.",
        ),
        (
            "When should I use a wedge?",
            "A typical use is a door that falls shut.",
            "A wedge is made of wood.",
        ),
    ],
)
def test_a_question_for_the_moment_needs_a_condition_or_a_use(question, says, does_not):
    assert tells_when(question, says)
    assert not tells_when(question, does_not)
    assert tells_when("What is a wedge?", does_not)


def test_and_is_no_duration():
    assert not is_answer_kind("How long does it wait?", "It waits and then goes on as before.")
    assert not is_answer_kind("Can I get it back, and for how long?", "It is taken out in 2 steps.")
    assert is_answer_kind("Can I get it back, and for how long?", "This defaults to 90 days.")
    assert is_answer_kind("For how long is it kept?", "It is kept for half an hour.")
    assert is_answer_kind("How long does it wait?", "The default is 30s.")


@pytest.mark.parametrize(
    "question",
    [
        "What does git stash do?",
        "What is a tidal clock?",
        "When should I use git merge?",
        "What is `pump` used for?",
        "Why would I use a broker?",
    ],
)
def test_what_a_thing_is_or_is_good_for_is_asked_in_many_ways(question):
    assert asks_what_it_is(question)


@pytest.mark.parametrize(
    "question",
    ["What is the default size of the spool of Kestrel?", "How do I stash my changes?", "When was it built?"],
)
def test_a_question_for_one_property_does_not_ask_what_a_thing_is(question):
    assert not asks_what_it_is(question)
