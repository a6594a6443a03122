from hypothesis import given
from hypothesis import strategies as st

from research_crawler.text.languages.names import names_in
from research_crawler.text.questions.subject import subject_of
from tests.cases import each_case


@each_case(
    ("goal", "text", "is_neighbour"),
    [
        ("How long does the Kestrel 300 run?", "Kestrel 310: a review", True),
        ("How long does the Kestrel 300 run?", "Kestrel 300: a review", False),
        ("How do I descale the Brunholt Corva?", "Brunholt Corva Duo: care", True),
        ("How do I descale the Brunholt Corva?", "Brunholt Corva: care", False),
        ("How do I descale the Corva C1?", "Brunholt Corva Duo: care", True),
        ("How do I descale the Corva C1?", "Brunholt Corva: care", False),
        ("How do I descale the Corva Duo?", "Brunholt Corva C1: care", True),
        ("How do I descale the Corva Duo?", "The Corva 230 V models", False),
        ("Who won the cup in 2024?", "The cup of 2022", True),
    ],
)
def test_texts_about_a_sibling_of_the_subject_are_recognised(goal, text, is_neighbour):
    assert subject_of(goal).is_neighbour(text) is is_neighbour


def test_another_page_of_a_program_is_no_sibling_of_the_part_that_is_asked_about():
    subject = subject_of("How long does the Postfix LMTP client wait?").numbered
    assert not subject.is_neighbour("Postfix Configuration Parameters")
    assert subject_of("How do I descale the Brunholt Corva?").numbered.is_neighbour(
        "Brunholt Corva Duo: care"
    )


def test_a_page_with_another_name_of_two_words_is_a_namesake_beside_the_page_of_the_name():
    subject = subject_of("Who founded Pellam Robotics?")
    assert subject.is_namesake("Pellam Instruments", ["Pellam Instruments", "Pellam Robotics"])
    assert not subject.is_namesake("Pellam Robotics", ["Pellam Instruments", "Pellam Robotics"])
    assert not subject.is_namesake("Pellam Instruments", ["Pellam Instruments"])
    assert not subject.is_namesake("Pellam takeover by shipbuilder", ["Pellam Robotics"])


def test_a_number_with_a_unit_is_not_a_name():
    assert "60" not in names_in("It ran 60 km with the X2")
    assert "x2" in names_in("It ran 60 km with the X2")


def test_the_share_counts_distinctive_words_only():
    subject = subject_of("How tall is the Skelder lighthouse near Marrowby?")
    assert subject.share("Skelder") == 0.5
    assert subject_of("how tall is it").share("anything") == 1.0


@given(st.text(), st.text())
def test_any_texts_can_be_compared(goal, text):
    subject = subject_of(goal)
    assert 0 <= subject.share(text) <= 1
    assert subject.is_neighbour(text) in (True, False)
