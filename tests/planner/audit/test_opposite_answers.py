import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.audit.akin import AkinWords
from planner.audit.lexicon.answering_words import ANSWERED_BY
from planner.audit.lexicon.opposite_words import PAIRS
from planner.audit.lexicon.opposite_words_of_things import PAIRS_OF_THINGS
from planner.audit.lexicon.opposites import OPPOSITES, opposites_asked
from planner.audit.lexicon.word_lists import WordList
from planner.audit.yes_or_no import answers_yes_or_no, asked_yes_or_no
from tests.planner.audit.test_conflicts import found, page

NAMED = {**PAIRS, **PAIRS_OF_THINGS}


@pytest.mark.parametrize(
    ("question", "one", "other"),
    [
        # the opposite property, in words by which nobody asks for it
        (
            "Is the Orrel player free of charge?",
            "Orrel costs nothing, neither at home nor at school.",
            "You will have to buy a licence for Orrel.",
        ),
        (
            "Is the Brindle library still maintained?",
            "Brindle has been abandoned by its authors, and no patches are taken any more.",
            "The team works actively on Brindle and ships a release every month.",
        ),
        (
            "Can one still buy the Larch 5 lens?",
            "The Larch 5 remains in production and is in stock everywhere.",
            "The maker discontinued the Larch 5 two years ago.",
        ),
        # by the form of the question, with words that mean the same
        (
            "Can pregnant women be given the Talvin vaccine?",
            "Talvin is contraindicated during pregnancy.",
            "Talvin is safe for pregnant women and can be given at any stage of pregnancy.",
        ),
        (
            "Does the Orlo 6 phone have a headphone jack?",
            "The maker of the Orlo 6 has dropped the headphone socket.",
            "Plug in your headphones: the Orlo 6 still offers a 3.5 mm jack on its lower edge.",
        ),
        # a sentence with an aside that is no condition, and one that warns
        (
            "Is the Wrenfield parser thread-safe?",
            "You can share a Wrenfield parser between threads without any locking.",
            "Never use one Wrenfield parser from two threads at the same time.",
        ),
        # where nouns have capitals, and compounds
        (
            "Sind Hunde im Strandbad Lohfeld erlaubt?",
            "Hunde sind im Strandbad Lohfeld willkommen.",
            "Im Strandbad Lohfeld gilt ein Hundeverbot.",
        ),
    ],
)
async def test_a_yes_and_a_no_in_other_words_contradict_each_other(embedder, question, one, other):
    [pair] = await found(embedder, question, page(one, "a"), page(other, "b"))
    assert pair.kind == "contradiction"


@pytest.mark.parametrize(
    ("question", "one", "other"),
    [
        (
            "Are dogs allowed in the Hotel Marl?",
            "Small dogs are allowed in the Hotel Marl.",
            "Large dogs are not allowed in the Hotel Marl.",
        ),
        ("Does Zarn need Java?", "The Zarn server needs Java.", "The Zarn client does not need Java."),
        (
            "Are bicycles allowed on the Orm train?",
            "Bicycles are allowed on the Orm train outside rush hour.",
            "During rush hour bicycles are not allowed on the Orm train.",
        ),
        (
            "Is the Tarn app free?",
            "The Tarn app is free.",
            "Extra maps for the Tarn app cost three euros each.",
        ),
        (
            "Is Cadmo free?",
            "You can try Cadmo free of charge for two weeks.",
            "After the trial Cadmo costs 8 euros a month.",
        ),
        (
            "Does the Emmer scanner work with Windows 7?",
            "The current driver of the Emmer no longer supports Windows 7.",
            "With driver 2.3 my Emmer scanner works on Windows 7.",
        ),
        (
            "Can dogs swim in Lake Orrin?",
            "Dogs can swim in Lake Orrin from the north shore.",
            "Fishing in Lake Orrin is forbidden.",
        ),
    ],
)
async def test_a_yes_and_a_no_about_two_kinds_or_cases_are_no_contradiction(embedder, question, one, other):
    assert not await found(embedder, question, page(one, "a"), page(other, "b"))


def test_a_phrase_says_more_than_the_words_in_it():
    asked = asked_yes_or_no("Is Orrel free?")
    assert asked
    answer = answers_yes_or_no(asked, "Orrel costs nothing.")
    assert answer
    assert answer.is_yes


def test_a_question_may_ask_for_several_properties_the_one_in_most_letters_first():
    [(first, side), *_] = opposites_asked("Is the shop still open source?")
    assert side
    assert first.side_of("It is proprietary.") is False


def test_no_word_tells_both_sides_and_every_answer_has_its_question():
    def of(text):
        return {word.strip() for word in text.split(",")} - {""}

    assert ANSWERED_BY.keys() <= NAMED.keys()
    for name, sides in NAMED.items():
        one, other = (
            of(side) | of(more) for side, more in zip(sides, ANSWERED_BY.get(name, ("", "")), strict=True)
        )
        assert not one & other, name


def test_a_word_list_knows_words_by_their_ending():
    assert list(WordList.of("*verbot, frei").found("Hundeverbot im Freibad")) == ["hundeverbot"]


@given(st.text(max_size=80))
def test_any_text_has_one_side_or_none(text):
    assert all(pair.side_of(text) in (True, False, None) for pair in OPPOSITES)


async def test_words_are_akin_by_their_meaning_but_two_of_one_kind_are_not(embedder):
    words = await AkinWords.of(["dogs pets cats pictures photographs lead"], embedder)
    assert words.are_akin("dogs", "pets")
    assert words.are_akin("photographs", "pictures")
    assert not words.are_akin("dogs", "cats")
    assert not words.are_akin("dogs", "lead")
    assert words.told(("dogs", "photographs"), "No pets!") == 0.5
