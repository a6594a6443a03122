import pytest
import stopwordsiso
from hypothesis import given
from hypothesis import strategies as st

from research_crawler.text.words import MEANINGFUL, STOPWORDS, content_words, overlap, stem, terms, words


@given(st.text())
def test_any_text_can_be_split_into_words(text):
    assert all(word for word in words(text))
    assert len(terms(text)) <= len(words(text))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("grinders", "grinder"),
        ("stopped", "stop"),
        ("batteries", "battery"),
        ("boxes", "box"),
        ("closing", "close"),
        ("relational", "relate"),
    ],
)
def test_forms_of_a_word_have_one_stem(one, other):
    assert stem(one) == stem(other)


def test_short_words_numbers_and_other_scripts_keep_their_form():
    assert [stem(word) for word in ("bus", "gas", "is", "4060s", "größer")] == [
        "bus",
        "gas",
        "is",
        "4060s",
        "größer",
    ]


def test_a_model_name_gives_itself_and_its_parts():
    assert words("the RX-480's fan") == ["the", "rx-480", "rx", "480", "fan"]


def test_scripts_without_spaces_are_compared_by_pairs():
    assert set(words("東京都の天気")) & set(words("東京の天気")) >= {"東京", "天気"}


def test_content_words_leave_out_asking_and_grammar():
    assert content_words("Can you tell me about Jessika Aro, please?") == ["Jessika", "Aro"]
    assert content_words("Find me a cheap laptop, a cheap one") == ["cheap", "laptop"]


def test_function_words_of_four_languages_are_left_out():
    assert terms("somebody whose thereafter · etwas dadurch · toutefois lequel · aquellos mientras") == []


def test_words_that_a_question_may_be_about_are_not_function_words():
    assert content_words("What is the best TV for a small room?") == ["best", "TV", "small", "room"]
    assert terms("line 7") == ["line", "7"]
    assert stopwordsiso.stopwords("en") >= MEANINGFUL
    assert not MEANINGFUL & STOPWORDS


def test_overlap_is_the_share_of_wanted_words():
    assert overlap(terms("battery life"), "The life of batteries") == 1.0
    assert overlap(terms("battery price"), "the battery") == 0.5
    assert overlap([], "anything") == 1.0


def test_a_name_with_a_sign_differs_from_its_letter():
    assert terms("C++") == ["c++"]
    assert terms("Disney+") == ["disney+", "disney"]
    assert terms("the WHO and its R script") == ["who", "r", "script"]


def test_capitals_say_nothing_in_a_text_of_capitals():
    assert terms("WHO IS IN THE HOUSE") == ["hous"]


def test_an_english_word_that_another_language_uses_as_a_function_word_is_kept():
    assert "tag" in content_words("When should I use an annotated rather than a lightweight git tag?")
    assert "die" in terms("How often does a unique plant die in winter?")
    assert content_words("Wann hat die Brücke am Tag der Arbeit offen?") == content_words(
        "Brücke Arbeit offen"
    )


def test_a_mayor_is_somebody_in_an_english_question_and_means_bigger_in_spanish():
    assert "mayor" in content_words("Who is the mayor of the town that runs the waterworks?")
    assert "comment" in content_words("How do I comment out a line in the settings?")
    assert "mayor" not in content_words("¿Cuál es la mayor ciudad de los Andes?")
    assert "comment" not in content_words("Comment est-ce que je peux changer la langue du site ?")


def test_a_car_is_not_the_french_because_in_an_english_question():
    assert content_words("best electric car in 2026") == ["best", "electric", "car", "2026"]
    assert "car" not in content_words("je ne peux pas venir car il pleut beaucoup")
