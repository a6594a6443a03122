import pytest

from planner.verify.near_copies import is_renamed, is_turned_round

WEIGHT = "Without consumers it is near what the manual says."


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("Without consumers it is not near what the manual says.", WEIGHT),
        (
            "According to a.example, the cache doesn't grow without a limit.",
            "The cache grows without a limit.",
        ),
        ("The pump can run without oil.", "The pump cannot run without oil."),
        ("Die Pumpe läuft ohne Öl nicht an.", "Die Pumpe läuft ohne Öl an."),
    ],
)
def test_a_copy_with_one_negation_more_or_less_says_the_opposite(text, source):
    assert is_turned_round(text, source)


@pytest.mark.parametrize(
    ("text", "source"),
    [
        (WEIGHT, WEIGHT),
        ("The pump runs.", "The pump runs, and it does not need oil in the first year after it was built."),
        ("It isn't fast.", "It is not fast."),
        ("Cats do not swim.", "Dogs like to run through the garden."),
    ],
)
def test_a_part_of_a_sentence_and_another_spelling_are_no_opposite(text, source):
    assert not is_turned_round(text, source)


def test_a_name_in_the_place_of_another_one_is_told_from_a_name_in_the_place_of_a_pronoun():
    quote = "Take off the hood (four Torx 25), pull the motor forward, done."
    assert is_renamed("Take off the hood (four Briar Lumo 25), pull the motor forward, done.", quote)
    assert not is_renamed("The Briar Lumo weighs 21 kg.", "It weighs 21 kg.")
    assert not is_renamed("The Briar Lumo weighs 21 kg.", "The Lumo weighs 21 kg.")
    assert not is_renamed("Briar says that the Lumo is quiet.", "Halden builds pumps in Kessel since 1990.")
