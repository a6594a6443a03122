from hypothesis import given
from hypothesis import strategies as st

from research_crawler.text.languages.language import LANGUAGES
from research_crawler.text.languages.names import names_in
from research_crawler.text.languages.words import content_words, stem, terms, tokens_of, words
from tests.cases import each_case


@given(st.text(), st.sampled_from((*LANGUAGES, "", "xx")))
def test_any_text_can_be_split_into_words(text, language):
    assert all(word for word in words(text))
    assert len(terms(text, language)) <= len(words(text))
    assert names_in(text, language) <= {stem(token.text, language) for token in tokens_of(text, language)}


@given(st.text())
def test_each_word_knows_its_place(text):
    assert all(text.startswith(token.text, token.start) for token in tokens_of(text))


@each_case(
    ("language", "one", "other"),
    [
        ("en", "batteries", "battery"),
        ("de", "Häuser", "Häusern"),
        ("fr", "continuellement", "continuelle"),
        ("es", "canciones", "canción"),
        ("it", "ragazzi", "ragazzo"),
        ("nl", "lichamelijk", "lichamelijke"),
        ("pt", "cantoras", "cantora"),
        ("pl", "rowery", "rowerów"),
    ],
)
def test_forms_of_a_word_have_one_stem_in_its_language(language, one, other):
    assert stem(one, language) == stem(other, language)


def test_an_unknown_language_has_no_function_words():
    assert terms("The house", "xx") == ["the", "house"]


def test_a_model_name_gives_itself_and_its_parts():
    assert words("the RX-480's fan") == ["the", "rx-480", "rx", "480", "fan"]


def test_scripts_without_spaces_are_compared_by_pairs():
    assert set(words("東京都の天気")) & set(words("東京の天気")) >= {"東京", "天気"}


def test_content_words_leave_out_asking_and_grammar():
    assert content_words("Can you tell me about Jessika Aro, please?") == ["Jessika", "Aro"]
    assert content_words("What is the best TV for a small room?") == ["best", "TV", "small", "room"]
    assert content_words("Wie finde ich das beste Fahrrad?", "de") == ["beste", "Fahrrad"]


def test_a_name_with_a_sign_differs_from_its_letter():
    assert terms("C++") == ["c++"]
    assert terms("Disney+") == ["disney+", "disney"]
    assert terms("the WHO and its R script") == ["who", "r", "script"]


def test_capitals_say_nothing_in_a_text_of_capitals():
    assert terms("WHO IS IN THE HOUSE") == ["hous"]


def test_a_noun_with_a_capital_is_no_name_where_all_nouns_have_one():
    assert names_in("Der Preis der Stadt fiel, sagte Erika Muster", "de") == {"erika", "must"}
    assert names_in("the price fell, said Erika", "en") == {"erika"}
